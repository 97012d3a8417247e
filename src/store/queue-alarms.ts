// Alarms of queues: when one is to begin, which are on, and which were.

import type { LevelStretch } from "../nouns/choices.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { seenQueues, type Within } from "./scope.ts";
import { place, sql } from "./sql.ts";

/** Longest wait in seconds, callers waiting, service level in per cent. */
export type AlarmAbout = "longest-wait" | "waiting" | "service-level";

/** Of a queue that is to call for attention; nought: not for that reason. */
export type AlarmRule = {
  exchangeId: number;
  timeZone: string;
  queue: string;
  name: string;
  waitSeconds: number;
  waiting: number;
  levelPercent: number;
  levelOver: LevelStretch;
};

export type Alarm = {
  id: number;
  exchangeId: number;
  queue: string;
  queueName: string;
  about: AlarmAbout;
  threshold: number;
  /** When it began. */
  value: number;
  beganAt: Date;
};

/** Of every exchange that lives here. */
export function alarmRules(db: Db): Promise<AlarmRule[]> {
  return db.query<AlarmRule>(
    sql`select q.exchange_id as "exchangeId", x.time_zone as "timeZone", q.number as queue, q.name,
       q.alarm_wait_seconds as "waitSeconds", q.alarm_waiting as waiting, q.alarm_level_percent as "levelPercent",
       q.alarm_level_over as "levelOver"
     from queues q join exchanges x on x.id = q.exchange_id
     where q.alarm_wait_seconds > 0 or q.alarm_waiting > 0 or q.alarm_level_percent > 0`,
  );
}

const columns = sql`id, exchange_id as "exchangeId", queue, queue_name as "queueName", about, threshold, value,
  began_at as "beganAt"`;

/** Of every exchange that lives here. */
export function alarmsOn(db: Db): Promise<Alarm[]> {
  return db.query<Alarm>(sql`select ${columns} from queue_alarms where ended_at is null order by id`);
}

export function alarmsOnIn(db: Db, exchangeId: number): Promise<Alarm[]> {
  return db.query<Alarm>(
    sql`select ${columns} from queue_alarms where exchange_id = $1 and ended_at is null order by id`,
    [exchangeId],
  );
}

const KEPT_MS = 400 * 86_400_000;

/** Undefined where it is on already: somebody else has noticed, and told. Each new one clears away a few that are old. */
export async function beginAlarm(
  db: Db,
  { told, ...alarm }: Omit<Alarm, "id"> & { told: readonly string[] },
): Promise<Alarm | undefined> {
  const { exchangeId, queue, queueName, about, threshold, value, beganAt } = alarm;
  const [row] = await db.query<Alarm>(
    sql`with old as (delete from queue_alarms where id in (select id from queue_alarms
         where exchange_id = $1 and began_at < $8 and ended_at is not null order by began_at limit 10))
     insert into queue_alarms (exchange_id, queue, queue_name, about, threshold, value, worst, began_at, told)
     values ($1, $2, $3, $4, $5, $6, $6, $7, $9)
     on conflict (exchange_id, queue, about) where ended_at is null do nothing returning ${columns}`,
    [exchangeId, queue, queueName, about, threshold, value, beganAt, new Date(beganAt.getTime() - KEPT_MS), told],
  );
  return row;
}

/** Who was written to when it began; undefined where it had ended already. */
export async function endAlarm(
  db: Db,
  { exchangeId, id, worst, endedAt }: { exchangeId: number; id: number; worst: number; endedAt: Date },
): Promise<string[] | undefined> {
  const [ended] = await db.query<{ told: string[] }>(
    sql`update queue_alarms set ended_at = greatest($4::timestamptz, began_at),
       worst = case about when 'service-level' then least(worst, $3) else greatest(worst, $3) end
     where exchange_id = $1 and id = $2 and ended_at is null returning told`,
    [exchangeId, id, worst, endedAt],
  );
  return ended?.told;
}

export type AlarmReaders = {
  timeZone: string;
  /** Who is written to. */
  addresses: string[];
  /** Whether the receiver of call events is told as well. */
  event: boolean;
};

export async function alarmReaders(db: Db, exchangeId: number, queue: string): Promise<AlarmReaders> {
  const [row] = await db.query<AlarmReaders>(
    sql`select time_zone as "timeZone", crm_queue_alarm and coalesce(crm_url, '') <> '' as event,
       coalesce((select alarm_addresses from queues where exchange_id = $1 and number = $2), '{}') as addresses
     from exchanges where id = $1`,
    [exchangeId, queue],
  );
  return row ?? { timeZone: "UTC", addresses: [], event: false };
}

export type PastAlarm = Alarm & { worst: number; endedAt: Date | null };

/** The newest first; `within`: only of queues that somebody sees. */
export async function listAlarms(
  db: Db,
  exchangeId: number,
  { within, queue, ...page }: Page & { within: Within | undefined; queue: string | undefined },
): Promise<Paged<PastAlarm>> {
  const values = [exchangeId, queue ?? null, ...(within ? [JSON.stringify(within)] : [])];
  const seen = within ? sql`and ${seenQueues(sql`queue`, place(3))}` : sql``;
  const source = sql`from queue_alarms where exchange_id = $1 and ($2::text is null or queue = $2) ${seen}`;
  const at = values.length;
  const rows = await db.query<PastAlarm>(
    sql`select ${columns}, worst, ended_at as "endedAt" ${source} order by began_at desc, id desc
     limit ${place(at + 1)} offset ${place(at + 2)}`,
    [...values, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows, total: count!.total }; // a count always has a row
}
