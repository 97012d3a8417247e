// Letters with reports: what each is to hold, and what became of it.

import type { Holder } from "../nouns/role.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import type { MailFailure, PlansOf, ReportPlan } from "./report-plans.ts";
import { sql } from "./sql.ts";

/** Whole days at the exchange: the moments, and the first and last of them. */
export type MailedDays = { from: Date; before: Date; first: string; last: string };

type Kept = MailedDays & {
  planId: number;
  address: string;
  mark: string;
  /** The day it was due on. */
  day: string;
  byHand: boolean;
  timeZone: string;
  /** Of as many days right before. */
  earlierFrom: Date;
};

export type OwedReport = Kept & {
  plan: Pick<ReportPlan, "name" | "report" | "filter" | "stretch" | "format" | "language" | "active">;
  maker: Holder & { id: number; extension: string | null; active: boolean };
};

/** Undefined: sent already, or gone with its plan or with who made it. */
export async function reportMailOwed(
  db: Db,
  { exchangeId, id }: { exchangeId: number; id: number },
): Promise<OwedReport | undefined> {
  const [row] = await db.query<OwedReport>(
    sql`select m.plan_id as "planId", m.address, m.mark, m.day::text, m.by_hand as "byHand", x.time_zone as "timeZone",
       first::timestamp at time zone x.time_zone as "from", after::timestamp at time zone x.time_zone as before,
       first::text as first, (after - 1)::text as last,
       (first - (after - first))::timestamp at time zone x.time_zone as "earlierFrom",
       jsonb_build_object('name', p.name, 'report', p.report, 'filter', p.filter, 'stretch', p.stretch,
         'format', p.format, 'language', p.language, 'active', p.active) as plan,
       jsonb_build_object('id', s.id, 'role', s.role, 'recordings', s.recordings, 'exports', s.exports,
         'active', s.active, 'extension', (select number from extensions e where e.id = s.extension_id)) as maker
     from report_mails m join report_plans p on p.exchange_id = $1 and p.id = m.plan_id
     join staff s on s.exchange_id = $1 and s.id = p.staff_id join exchanges x on x.id = m.exchange_id
     cross join lateral (select
       case p.stretch when 'day' then m.day when 'week' then date_trunc('week', m.day)::date
         else date_trunc('month', m.day)::date end as after) as ends
     cross join lateral (select
       case p.stretch when 'day' then after - 1 when 'week' then after - 7
         else (after - interval '1 month')::date end as first) as begins
     where m.exchange_id = $1 and m.id = $2 and m.sent_at is null`,
    [exchangeId, id],
  );
  return row;
}

type Told = { exchangeId: number; id: number; at: Date };

export async function noteReportSent(db: Db, { exchangeId, id, at }: Told): Promise<void> {
  await db.query(
    sql`update report_mails set sent_at = $3, failure = null, failure_about = null, given_up_at = null
     where exchange_id = $1 and id = $2`,
    [exchangeId, id, at],
  );
}

export async function noteReportFailed(
  db: Db,
  { exchangeId, id, at, failure, about, isOver }: Told & { failure: MailFailure; about: string; isOver: boolean },
): Promise<void> {
  await db.query(
    sql`update report_mails set failure = $3, failure_about = left($4, 500), given_up_at = case when $5 then $6::timestamptz end
     where exchange_id = $1 and id = $2 and sent_at is null`,
    [exchangeId, id, failure, about, isOver, at],
  );
}

export type ListedMail = {
  id: number;
  plan: string;
  day: string;
  byHand: boolean;
  address: string;
  owedAt: Date;
  sentAt: Date | null;
  givenUpAt: Date | null;
  failure: MailFailure | null;
  failureAbout: string | null;
};

/** Newest first. */
export async function listReportMails(
  db: Db,
  { exchangeId, staffId }: PlansOf,
  page: Page,
): Promise<Paged<ListedMail>> {
  const mine = sql`from report_mails m join report_plans p on p.exchange_id = $1 and p.id = m.plan_id
    where m.exchange_id = $1 and ($2::bigint is null or p.staff_id = $2)`;
  const given = [exchangeId, staffId ?? null];
  const [count, rows] = await Promise.all([
    db.query<{ total: number }>(sql`select count(*) as total ${mine}`, given),
    db.query<ListedMail>(
      sql`select m.id, p.name as plan, m.day::text, m.by_hand as "byHand", m.address, m.owed_at as "owedAt",
         m.sent_at as "sentAt", m.given_up_at as "givenUpAt", m.failure, m.failure_about as "failureAbout"
       ${mine} order by m.id desc limit $3 offset $4`,
      [...given, page.limit, offsetOf(page)],
    ),
  ]);
  return { rows, total: count[0]!.total }; // a count always has a row
}
