// Campaigns of automatic calls: what was asked for, whether they run, and how far they are.

import { type Clock, pause, within } from "../clock.ts";
import type { Language } from "../speech/language.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

/** Says which exchange's campaigns have changed. */
export const CAMPAIGNS_CHANNEL = "campaigns";

/** What a called person did: a key, no key in time, or a key that leads nowhere. */
export type CampaignKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#" | "timeout" | "invalid";

export type Campaign = {
  id: number;
  exchangeId: number;
  name: string;
  callType: "ivr" | "queue";
  /** Queue campaigns: where answered calls go. */
  queueNumber: string | null;
  /** Queue campaigns: calls at once as a multiple of the agents who are free. */
  threadMultiplier: number;
  /** Calls at once; null: what the exchange allows for automatic calls. */
  maxThreadCount: number | null;
  /** YYYY-MM-DD and HH:MM by the exchange's own clock; 23:59 means until midnight, an end before the begin the next day. */
  dateBegin: string;
  dateEnd: string;
  timeBegin: string;
  timeEnd: string;
  /** 1 is Monday, 7 is Sunday. */
  activeDays: number[];
  ringSeconds: number;
  /** The number of ours that is shown; null: the exchange's own choice. */
  cli: string | null;
  welcomeAnnouncementId: number | null;
  /** Further attempts on busy, unreachable and no answer. */
  callRetries: number;
  webhookUrl: string | null;
  /** Targets in the slash form; a key without one is not among them. */
  targets: Partial<Record<CampaignKey, string>>;
  /** How often the menu is said again after a wrong key or none. */
  digitRetries: number;
  digitTimeoutSeconds: number;
  isCommercial: boolean;
  recipientType: "BIREYSEL" | "TACIR" | null;
  brandCode: number | null;
  recordingEnabled: boolean;
  /** Whether an answering machine is recognised and hung up on. */
  detectsMachines: boolean;
  /** The greatest share of answered calls that may find no agent, 0 to 1. */
  abandonCap: number;
  /** Switched on; whether it dials now is a matter of its dates and hours. */
  isOn: boolean;
  createdMs: number;
};

/** How far a campaign is. `queued` calls came to a queue; of those, `abandoned` ones found no agent. */
export type CampaignCounts = {
  numbers: number;
  finished: number;
  attempts: number;
  answered: number;
  queued: number;
  abandoned: number;
};

export type CountedCampaign = Campaign & { counts: CampaignCounts };

export type CampaignNumberState =
  /** Never dialled, or to be dialled again. */
  | "waiting"
  /** Claimed: its call may be under way. */
  | "dialling"
  /** Will not be dialled again. */
  | "finished";

export type CampaignNumber = {
  /** The interface's ivr_lead_id. */
  id: number;
  /** 90… or 00…, as the interface stores numbers. */
  number: string;
  /** Said to this person instead of the welcome sound. */
  phrase: string | null;
  language: Language;
  attempts: number;
  state: CampaignNumberState;
};

const COLUMNS = sql`c.id, c.exchange_id as "exchangeId", c.name, c.call_type as "callType", c.queue_number as "queueNumber",
  c.thread_multiplier as "threadMultiplier", c.max_thread_count as "maxThreadCount", c.date_begin as "dateBegin",
  c.date_end as "dateEnd", to_char(c.time_begin, 'HH24:MI') as "timeBegin", to_char(c.time_end, 'HH24:MI') as "timeEnd",
  c.active_days as "activeDays", c.ring_seconds as "ringSeconds", c.cli,
  c.welcome_announcement_id as "welcomeAnnouncementId", c.call_retries as "callRetries", c.webhook_url as "webhookUrl",
  c.targets, c.digit_retries as "digitRetries", c.digit_timeout_seconds as "digitTimeoutSeconds",
  c.is_commercial as "isCommercial", c.recipient_type as "recipientType", c.brand_code as "brandCode",
  c.recording_enabled as "recordingEnabled", c.detects_machines as "detectsMachines", c.abandon_cap as "abandonCap",
  c.is_on as "isOn", (extract(epoch from c.created_at) * 1000)::double precision as "createdMs",
  json_build_object('numbers', k.numbers, 'finished', k.finished, 'attempts', k.attempts, 'answered', k.answered,
    'queued', k.queued, 'abandoned', k.abandoned) as counts`;
const FROM = sql`from call_campaigns c join campaign_counts k on k.campaign_id = c.id`;

export type NewCampaign = Omit<Campaign, "id" | "isOn">;

/** Numbers are written into it in the same transaction. */
export async function createCampaign(db: Db, campaign: NewCampaign): Promise<number> {
  const { exchangeId, targets, createdMs, ...rest } = campaign;
  const [row] = await db.query<{ id: number }>(
    sql`insert into call_campaigns (exchange_id, targets, created_at, name, call_type, queue_number, thread_multiplier,
       max_thread_count, date_begin, date_end, time_begin, time_end, active_days, ring_seconds, cli,
       welcome_announcement_id, call_retries, webhook_url, digit_retries, digit_timeout_seconds, is_commercial,
       recipient_type, brand_code, recording_enabled, detects_machines, abandon_cap)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
       $24, $25, $26) returning id`,
    [
      ...[exchangeId, JSON.stringify(targets), new Date(createdMs)],
      ...[rest.name, rest.callType, rest.queueNumber, rest.threadMultiplier, rest.maxThreadCount],
      ...[rest.dateBegin, rest.dateEnd, rest.timeBegin, rest.timeEnd, rest.activeDays, rest.ringSeconds, rest.cli],
      ...[rest.welcomeAnnouncementId, rest.callRetries, rest.webhookUrl, rest.digitRetries],
      ...[rest.digitTimeoutSeconds, rest.isCommercial, rest.recipientType, rest.brandCode, rest.recordingEnabled],
      ...[rest.detectsMachines, rest.abandonCap],
    ],
  );
  await db.query(sql`insert into campaign_counts (campaign_id) values ($1)`, [row!.id]);
  return row!.id; // an insert without a condition returns its row
}

export async function findCampaign(db: Db, exchangeId: number, id: number): Promise<CountedCampaign | undefined> {
  const [row] = await db.query<CountedCampaign>(
    sql`select ${COLUMNS} ${FROM} where c.exchange_id = $1 and c.id = $2 and c.deleted_at is null`,
    [exchangeId, id],
  );
  return row;
}

/** Even one that is deleted and waits for its last calls to end. */
export async function findAnyCampaign(db: Db, id: number): Promise<CountedCampaign | undefined> {
  const [row] = await db.query<CountedCampaign>(sql`select ${COLUMNS} ${FROM} where c.id = $1`, [id]);
  return row;
}

/** The newest first. */
export async function listCampaigns(db: Db, exchangeId: number, page: Page): Promise<Paged<CountedCampaign>> {
  const [rows, [count]] = await Promise.all([
    db.query<CountedCampaign>(
      sql`select ${COLUMNS} ${FROM} where c.exchange_id = $1 and c.deleted_at is null order by c.id desc limit $2 offset $3`,
      [exchangeId, page.limit, offsetOf(page)],
    ),
    db.query<{ total: number }>(
      sql`select count(*) as total from call_campaigns where exchange_id = $1 and deleted_at is null`,
      [exchangeId],
    ),
  ]);
  return { rows, total: count!.total }; // an aggregate always has its one row
}

/** Those that are switched on and have numbers left: what there is to dial. */
export function campaignsToDial(db: Db, exchangeId: number): Promise<CountedCampaign[]> {
  return db.query<CountedCampaign>(
    sql`select ${COLUMNS} ${FROM}
     where c.exchange_id = $1 and c.is_on and c.deleted_at is null and k.finished < k.numbers order by c.id`,
    [exchangeId],
  );
}

export async function exchangesWithCampaigns(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select distinct c.exchange_id as id ${FROM}
     where c.deleted_at is not null or (c.is_on and k.finished < k.numbers)`,
  );
  return rows.map(({ id }) => id);
}

/** Calls take a moment to leave; whoever must not wait for ever, should the exchange be dead, waits so long. */
const LEAVING_TAKES_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** After a campaign was stopped or deleted: once this is kept, the numbers claimed before that are rung or put back. */
export async function untilNobodyIsDialled(db: Db, clock: Clock, id: number): Promise<void> {
  for (const end = within(clock, LEAVING_TAKES_MS); clock.ticks() < end; await pause(clock, LOOK_EVERY_MS)) {
    const leaving = await db.query(sql`select 1 from campaign_counts where campaign_id = $1 and leaving > 0`, [id]);
    if (leaving.length === 0) return;
  }
}

/** False when it is stopped or deleted, or never was. */
export async function isCampaignOn(db: Db, id: number): Promise<boolean> {
  const rows = await db.query(sql`select 1 from call_campaigns where id = $1 and is_on and deleted_at is null`, [id]);
  return rows.length > 0;
}

/** False when there is no such campaign. Once this is committed no number of a stopped one is claimed any more. */
export async function switchCampaign(
  db: Db,
  { exchangeId, id, on }: { exchangeId: number; id: number; on: boolean },
): Promise<boolean> {
  const rows = await db.query(
    sql`update call_campaigns set is_on = $3 where exchange_id = $1 and id = $2 and deleted_at is null returning id`,
    [exchangeId, id, on],
  );
  return rows.length > 0;
}

/** From now on it is nobody's; its rows go once the calls that are up have ended. */
export async function deleteCampaign(db: Db, exchangeId: number, id: number): Promise<boolean> {
  const rows = await db.query(
    sql`update call_campaigns set deleted_at = now(), is_on = false
     where exchange_id = $1 and id = $2 and deleted_at is null returning id`,
    [exchangeId, id],
  );
  return rows.length > 0;
}

export async function sweepDeletedCampaigns(db: Db, exchangeId: number): Promise<number> {
  const gone = await db.query(
    sql`delete from call_campaigns c where exchange_id = $1 and deleted_at is not null
       and not exists (select from campaign_attempts a where a.campaign_id = c.id and a.ended_at is null) returning id`,
    [exchangeId],
  );
  return gone.length;
}
