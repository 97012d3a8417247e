// What became of a campaign's messages, as the interface and the delivery reports tell it.

import type { Db } from "./db.ts";
import type { MessageState } from "./sms-state.ts";
import { sql } from "./sql.ts";

export type MessageStatus = {
  campaignId: number;
  campaignCustomId: string | null;
  messageId: number;
  messageCustomId: string | null;
  dest: string;
  size: number;
  multiplier: number;
  credits: number;
  state: MessageState;
  gsmError: number | null;
  sentAt: Date | null;
  doneAt: Date | null;
  unanswered: number;
  /** It sells or congratulates, and does not say how to get no more of it. */
  lacksOptOut: boolean;
};

const columns = sql`m.campaign_id as "campaignId", k.custom_id as "campaignCustomId", m.id as "messageId",
  m.custom_id as "messageCustomId", m.dest, m.size, m.multiplier, m.credits, m.state, m.gsm_error as "gsmError",
  m.sent_at as "sentAt", m.done_at as "doneAt", m.unanswered, m.lacks_opt_out as "lacksOptOut"`;

export type CampaignFound = { id: number; accountId: number };

export async function findCampaign(
  db: Db,
  { accountId, id, customId }: { accountId: number; id?: number | undefined; customId?: string | undefined },
): Promise<CampaignFound | undefined> {
  // A custom id is the customer's own word, so only their campaigns can bear it; the newest is meant.
  const [row] =
    id === undefined
      ? await db.query<CampaignFound>(
          sql`select id, account_id as "accountId" from sms_campaigns where account_id = $1 and custom_id = $2
           order by id desc limit 1`,
          [accountId, customId],
        )
      : await db.query<CampaignFound>(sql`select id, account_id as "accountId" from sms_campaigns where id = $1`, [id]);
  return row;
}

export type StatusPage = { campaignId: number; dests: readonly string[]; greaterThan: number; limit: number };

export function listStatuses(db: Db, { campaignId, dests, greaterThan, limit }: StatusPage): Promise<MessageStatus[]> {
  return db.query<MessageStatus>(
    sql`select ${columns} from sms_messages m join sms_campaigns k on k.id = m.campaign_id
     where m.campaign_id = $1 and m.id > $2 and (cardinality($3::text[]) = 0 or m.dest = any($3))
     order by m.id limit $4`,
    [campaignId, greaterThan, dests, limit],
  );
}

/** The account's own messages of these ids. */
export function statusesOf(db: Db, accountId: number, ids: readonly number[]): Promise<MessageStatus[]> {
  return db.query<MessageStatus>(
    sql`select ${columns} from sms_messages m join sms_campaigns k on k.id = m.campaign_id
     where m.account_id = $1 and m.id = any($2) order by m.id`,
    [accountId, ids],
  );
}

/** Whether every one of these went out from the title within the last day: a request sent twice by mistake. */
export async function allSentBefore(
  db: Db,
  {
    titleId,
    dests,
    texts,
    since,
  }: { titleId: number; dests: readonly string[]; texts: readonly string[]; since: Date },
): Promise<boolean> {
  const [row] = await db.query<{ fresh: number }>(
    sql`select count(*) as fresh from unnest($2::text[], $3::text[]) as g (dest, text)
     where not exists (
       select from sms_messages m join sms_campaigns k on k.id = m.campaign_id
       where m.title_id = $1 and m.dest = g.dest and m.text_hash = hashtextextended(g.text, 0)
         and m.sent_on is not null and k.send_at > $4)`,
    [titleId, dests, texts, since],
  );
  return row!.fresh === 0; // an aggregate always has its row
}

export type CampaignSummary = {
  id: number;
  sendAt: Date;
  state: string;
  title: string;
  counts: Record<string, number>;
  /** Messages that do not say how to get no more of them, and should. */
  lacksOptOut: number;
};

/** The newest campaigns of an exchange with their messages by state, for whoever watches. */
export function recentCampaigns(db: Db, exchangeId: number, limit: number): Promise<CampaignSummary[]> {
  return db.query<CampaignSummary>(
    sql`select k.id, k.send_at as "sendAt", k.state, t.name as title, coalesce(s.counts, '{}') as counts,
       (select count(*) from sms_messages m where m.campaign_id = k.id and m.lacks_opt_out) as "lacksOptOut"
     from sms_campaigns k join sms_titles t on t.id = k.title_id
     left join lateral (select jsonb_object_agg(state, n) as counts from (
       select m.state, count(*) as n from sms_messages m where m.campaign_id = k.id group by m.state) s) s on true
     where k.exchange_id = $1 order by k.id desc limit $2`,
    [exchangeId, limit],
  );
}

/** Of any account and any exchange. */
export async function isCampaign(db: Db, id: number): Promise<boolean> {
  return (await db.query(sql`select from sms_campaigns where id = $1`, [id])).length > 0;
}
