// Consent campaigns as they are read back: uploads and the daily reports of what recipients changed themselves.

import type { ConsentRecord } from "./consents.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ConsentCampaign = {
  id: number;
  titleName: string;
  iysCode: number | null;
  iysBrandCode: number | null;
  source: string;
  createdAt: Date;
};

export const CAMPAIGN_SOURCES = ["list", "csv", "api", "sms", "web", "iys"] as const;

type Page = { offset: number; limit: number };

export async function listConsentCampaigns(
  db: Db,
  exchangeId: number,
  { offset, limit, source }: Page & { source: string | undefined },
): Promise<{ total: number; records: ConsentCampaign[] }> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from consent_campaigns where exchange_id = $1 and ($2::text is null or source = $2)`,
    [exchangeId, source ?? null],
  );
  const records = await db.query<ConsentCampaign>(
    sql`select c.id, t.name as "titleName", t.iys_code as "iysCode", t.iys_brand_code as "iysBrandCode", c.source,
       c.created_at as "createdAt"
     from consent_campaigns c join sms_titles t on t.id = c.title_id
     where c.exchange_id = $1 and ($2::text is null or c.source = $2) order by c.id desc offset $3 limit $4`,
    [exchangeId, source ?? null, offset, limit],
  );
  return { total: count!.total, records }; // an aggregate always has its row
}

export type ConsentsOfCampaign = { titleName: string; finished: boolean; total: number; records: ConsentRecord[] };

export async function readConsentCampaign(
  db: Db,
  exchangeId: number,
  id: number,
  { offset, limit }: Page,
): Promise<ConsentsOfCampaign | undefined> {
  const [campaign] = await db.query<Omit<ConsentsOfCampaign, "records">>(
    sql`select t.name as "titleName", c.finished,
       (select count(*) from consent_records r where r.campaign_id = c.id) as total
     from consent_campaigns c join sms_titles t on t.id = c.title_id where c.exchange_id = $1 and c.id = $2`,
    [exchangeId, id],
  );
  if (!campaign) return undefined;
  const records = await db.query<ConsentRecord>(
    sql`select id, type, source, status, recipient_type as "recipientType", recipient, consented_at as "consentedAt", taken, error
     from consent_records where campaign_id = $1 order by id offset $2 limit $3`,
    [id, offset, limit],
  );
  return { ...campaign, records };
}

export type TitleWithChanges = { titleId: number; exchangeId: number; name: string; timeZone: string };

/** Titles whose recipients changed something before this moment that no report has told yet. */
export function titlesWithChanges(db: Db): Promise<TitleWithChanges[]> {
  return db.query<TitleWithChanges>(
    sql`select t.id as "titleId", t.exchange_id as "exchangeId", t.name, e.time_zone as "timeZone"
     from sms_titles t join exchanges e on e.id = t.exchange_id
     where exists (select from consent_records r where r.title_id = t.id and r.campaign_id is null) order by t.id`,
  );
}

export type DayReport = { title: TitleWithChanges; day: string; until: Date; now: Date };

/** One campaign a title and day, however often it is asked for; nothing when there was nothing to tell. */
export async function reportDay(db: Db, { title, day, until, now }: DayReport): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into consent_campaigns (exchange_id, title_id, source, finished, report_day, created_at)
     select $1, $2, 'iys', true, $3, $5
     where exists (select from consent_records where title_id = $2 and campaign_id is null and created_at < $4)
     on conflict (title_id, report_day) do nothing returning id`,
    [title.exchangeId, title.titleId, day, until, now],
  );
  if (!row) return undefined;
  await db.query(
    sql`update consent_records set campaign_id = $1 where title_id = $2 and campaign_id is null and created_at < $3`,
    [row.id, title.titleId, until],
  );
  return row.id;
}

export function consentPushUrls(db: Db, exchangeId: number): Promise<{ accountId: number; url: string }[]> {
  return db.query(
    sql`select id as "accountId", consent_push_url as url from sms_accounts
     where exchange_id = $1 and consent_push_url is not null and active order by id`,
    [exchangeId],
  );
}
