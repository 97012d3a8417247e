// Plans by which reports go out by mail. A plan has the rights of whoever made it, and goes with his account.

import type { Changes, Row } from "../nouns/field.ts";
import { reportPlan } from "../nouns/report-plan.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { type Sql, sql } from "./sql.ts";
import { shownColumns, updateOwn } from "./update.ts";

/** What a report about response times is narrowed to. */
export type ResponseFilter = {
  direction?: "inbound" | "internal" | undefined;
  queue?: string | undefined;
  extension?: string | undefined;
  ownNumber?: string | undefined;
  promisedSeconds?: number | undefined;
};

export type ReportPlan = Row<typeof reportPlan> & { id: number; filter: ResponseFilter };

/** Why a letter has not gone out. */
export type MailFailure = "no-mail-server" | "mail-server" | "refused" | "no-right" | "paused";

export type ListedPlan = ReportPlan & {
  /** Who made it. */
  maker: string;
  nextAt: Date | null;
  lastSentAt: Date | null;
  /** Letters of the last day it was due on, or that were asked for later: how many are on their way, and what hinders one. */
  waiting: number;
  failure: MailFailure | null;
  failureAbout: string | null;
};

/** Somebody's own alone; undefined: everybody's. */
export type PlansOf = { exchangeId: number; staffId: number | undefined };

const MOST_PLANS = 100;

/** Whether a plan is due on a day, and at which moment. */
const isDueOn = (day: Sql): Sql => sql`case p.every when 'day' then true
  when 'week' then extract(isodow from ${day}) = p.weekday::int else extract(day from ${day}) = p.month_day end`;
const momentOf = (day: Sql): Sql => sql`(${day} + p.send_at) at time zone x.time_zone`;

/** Today at the exchange if the hour is still to come, else tomorrow. */
const fromNowOn = (now: Sql): Sql => sql`(select case when (today + p.send_at) at time zone x.time_zone > ${now}
    then today else today + 1 end
  from exchanges x cross join lateral (select (${now} at time zone x.time_zone)::date as today) as clock
  where x.id = p.exchange_id)`;

export function listReportPlans(db: Db, { exchangeId, staffId }: PlansOf): Promise<ListedPlan[]> {
  return db.query<ListedPlan>(
    sql`select p.id, ${shownColumns(reportPlan)}, p.filter, p.maker, p."nextAt",
       (select max(sent_at) from report_mails m where m.exchange_id = $1 and m.plan_id = p.id) as "lastSentAt",
       (select count(*) from report_mails m where m.exchange_id = $1 and m.plan_id = p.id
          and m.sent_at is null and m.given_up_at is null) as waiting, last.failure, last.about as "failureAbout"
     from (
       select p.*, s.name as maker, case when p.active then (
         select ${momentOf(sql`day::date`)} from generate_series(p.next_day::timestamp, p.next_day + 31, interval '1 day') as day
         where ${isDueOn(sql`day::date`)} order by day limit 1) end as "nextAt"
       from report_plans p join staff s on s.id = p.staff_id join exchanges x on x.id = p.exchange_id
       where p.exchange_id = $1 and ($2::bigint is null or p.staff_id = $2)) as p
     left join lateral (
       select failure, failure_about as about from report_mails m where m.exchange_id = $1 and m.plan_id = p.id
         and m.day = (select max(day) from report_mails n where n.exchange_id = $1 and n.plan_id = p.id)
         and m.sent_at is null and m.failure is not null order by m.id desc limit 1) as last on true
     order by lower(p.name), p.id`,
    [exchangeId, staffId ?? null],
  );
}

export type NewPlan = {
  exchangeId: number;
  staffId: number;
  filter: ResponseFilter;
  changes: Changes<typeof reportPlan> & { name: string };
  nowMs: number;
};

export function createReportPlan(
  db: Db,
  { exchangeId, staffId, filter, changes, nowMs }: NewPlan,
): Promise<{ id: number } | SetupRefusal> {
  const { name, ...others } = changes;
  return unlessTaken(db, { refused: "name-taken", what: "report plan", name }, async (db) => {
    // One after the other, so that the most is the most.
    await db.query(sql`select 1 from exchanges where id = $1 for update`, [exchangeId]);
    const [row] = await db.query<{ id: number }>(
      sql`insert into report_plans (exchange_id, staff_id, name, filter, next_day) select $1, s.id, $3, $4, 'infinity'
       from staff s where s.exchange_id = $1 and s.id = $2
         and (select count(*) from report_plans where exchange_id = $1) < $5 returning id`,
      [exchangeId, staffId, name, JSON.stringify(filter), MOST_PLANS],
    );
    if (!row) return { refused: "most-reached", what: "report plan", most: MOST_PLANS };
    await updateOwn(db, reportPlan, { exchangeId, which: row.id, changes: others });
    await beginAnew(db, { exchangeId, id: row.id, nowMs });
    return row;
  });
}

type Which = PlansOf & { id: number };

/** False when there is no such plan, or it is somebody else's. */
export async function updateReportPlan(
  db: Db,
  { exchangeId, staffId, id, changes, nowMs }: Which & { changes: Changes<typeof reportPlan>; nowMs: number },
): Promise<boolean | SetupRefusal> {
  const taken = { refused: "name-taken", what: "report plan", name: changes.name ?? "" } as const;
  return unlessTaken(db, taken, async (db) => {
    const found = await db.query(
      sql`select 1 from report_plans where exchange_id = $1 and id = $2 and ($3::bigint is null or staff_id = $3) for update`,
      [exchangeId, id, staffId ?? null],
    );
    if (found.length === 0) return false;
    await updateOwn(db, reportPlan, { exchangeId, which: id, changes });
    const turns = ["every", "weekday", "month_day", "send_at", "active"] as const;
    if (turns.some((name) => changes[name] !== undefined)) await beginAnew(db, { exchangeId, id, nowMs });
    return true;
  });
}

/** What was due while it was paused, or by its old hours, is not owed. */
async function beginAnew(db: Db, { exchangeId, id, nowMs }: { exchangeId: number; id: number; nowMs: number }) {
  await db.query(
    sql`update report_plans p set next_day = ${fromNowOn(sql`$3::timestamptz`)} where p.exchange_id = $1 and p.id = $2`,
    [exchangeId, id, new Date(nowMs)],
  );
}

export async function deleteReportPlan(db: Db, { exchangeId, staffId, id }: Which): Promise<boolean> {
  const gone = await db.query(
    sql`delete from report_plans where exchange_id = $1 and id = $2 and ($3::bigint is null or staff_id = $3) returning id`,
    [exchangeId, id, staffId ?? null],
  );
  return gone.length > 0;
}

/** Of every exchange that lives here: plans of which a day has come. */
export function dueReportPlans(db: Db, now: Date): Promise<{ exchangeId: number; id: number }[]> {
  return db.query(
    sql`select p.exchange_id as "exchangeId", p.id from report_plans p join exchanges x on x.id = p.exchange_id
     where p.active and p.next_day <= ($1::timestamptz + interval '1 day')::date and exists (
       select from generate_series(p.next_day::timestamp, $1::timestamptz at time zone x.time_zone, interval '1 day') as day
       where ${isDueOn(sql`day::date`)} and ${momentOf(sql`day::date`)} <= $1::timestamptz)
     order by p.id limit 1000`,
    [now],
  );
}

/** So many of those that nobody could send while the server was away. */
const MOST_LATE = 7;

/** Letters that a plan owes now, each once. Nothing where somebody else has seen to it. */
export async function oweReportMails(
  db: Db,
  { exchangeId, id, now }: { exchangeId: number; id: number; now: Date },
): Promise<number[]> {
  const [plan] = await db.query<{ days: string[] }>(
    sql`select array(select day::date::text from generate_series(p.next_day::timestamp,
         $3::timestamptz at time zone x.time_zone, interval '1 day') as day
       where ${isDueOn(sql`day::date`)} and ${momentOf(sql`day::date`)} <= $3::timestamptz order by day desc limit $4) as days
     from report_plans p join exchanges x on x.id = p.exchange_id
     where p.exchange_id = $1 and p.id = $2 and p.active for update of p skip locked`,
    [exchangeId, id, now, MOST_LATE],
  );
  const [last] = plan?.days ?? [];
  if (!plan || last === undefined) return [];
  const owed = await db.query<{ id: number }>(
    sql`with moved as (update report_plans set next_day = $5::date + 1 where exchange_id = $1 and id = $2
         returning exchange_id, id, addresses),
       old as (delete from report_mails where id in (select id from report_mails
         where exchange_id = $1 and owed_at < $3::timestamptz - interval '400 days' order by owed_at limit 50))
     insert into report_mails (exchange_id, plan_id, day, address, owed_at)
     select exchange_id, id, day::date, address, $3 from moved, unnest($4::text[]) as day, unnest(addresses) as address
     order by day, address on conflict (plan_id, day, address) where not by_hand do nothing returning id`,
    [exchangeId, id, now, plan.days, last],
  );
  return owed.map(({ id }) => id);
}

/** Sent by hand, as if today were its day. Nothing where letters that somebody asked for are still on their way. */
export async function oweReportNow(
  db: Db,
  { exchangeId, staffId, id, nowMs }: Which & { nowMs: number },
): Promise<number[] | undefined> {
  const [plan] = await db.query<{ addresses: string[]; today: string }>(
    sql`select addresses, ($4::timestamptz at time zone x.time_zone)::date::text as today
     from report_plans p join exchanges x on x.id = p.exchange_id
     where p.exchange_id = $1 and p.id = $2 and ($3::bigint is null or p.staff_id = $3) for update of p`,
    [exchangeId, id, staffId ?? null, new Date(nowMs)],
  );
  if (!plan) return undefined;
  const owed = await db.query<{ id: number }>(
    sql`insert into report_mails (exchange_id, plan_id, day, by_hand, address, owed_at)
     select $1, $2, $3::date, true, address, $5 from unnest($4::text[]) as address
     where not exists (select from report_mails where exchange_id = $1 and plan_id = $2 and by_hand
       and sent_at is null and given_up_at is null)
     returning id`,
    [exchangeId, id, plan.today, plan.addresses, new Date(nowMs)],
  );
  return owed.map(({ id }) => id);
}
