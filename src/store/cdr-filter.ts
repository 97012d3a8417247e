// Which call records somebody means: a condition for each thing that one may ask for.

import type { Outcome } from "../nouns/outcome.ts";
import { type CameTo, cameTo, everyThatCameTo } from "./came-to.ts";
import { OUTCOME, WAITED } from "./outcomes.ts";
import type { Within } from "./scope.ts";
import { type Bounds, isSeen, newestSeen, withinAt } from "./seen-calls.ts";
import { CALL_IN_WORDS, type Sought, WRITTEN, type Written } from "./sought-calls.ts";
import { joined, literal, PLANNED_ANEW, place, type Sql, sql } from "./sql.ts";

export type Direction = "inbound" | "outbound" | "internal";
export type Recorded = "none" | "present" | "deleted";

export type CdrFilter = Sought &
  CameTo & {
    from?: Date | undefined;
    /** Calls that began before this moment. */
    before?: Date | undefined;
    direction?: Direction | undefined;
    /** As the interface has it: without any answer, outgoing calls too. */
    missed?: boolean | undefined;
    /** What became of it, as people are told: one of these. */
    outcomes?: readonly Outcome[] | undefined;
    recording?: Recorded[] | undefined;
    /** Every way in which the number may have been written. */
    callerNumbers?: string[] | undefined;
    destinationNumbers?: string[] | undefined;
    /** As the interface has it: the last queue or ring group. */
    lastQueues?: string[] | undefined;
    /** Seconds until a person took it, or until it ended when nobody did: more than the one, at most the other. */
    waitedOver?: number | undefined;
    waitedUpTo?: number | undefined;
    /** The hour of the day, at the exchange, in which it began. */
    hour?: number | undefined;
    /** The day of the week there; Monday is 1. */
    weekday?: number | undefined;
    /** There was talk. */
    talked?: boolean | undefined;
    /** It came to some queue or ring group. */
    queued?: boolean | undefined;
    /** What each means: `call_parts` of the migrations, by which it is counted. */
    madeBy?: string | undefined;
    takenBy?: string | undefined;
    unansweredBy?: string | undefined;
    /** Made or taken by it, and there was talk. */
    talkedBy?: string | undefined;
    offeredTo?: string | undefined;
    answeredBy?: string | undefined;
    letPassBy?: string | undefined;
    /** Its caller gave this agent a score. */
    surveyOf?: string | undefined;
    campaign?: number | undefined;
    /** Who took it, or who rang last when nobody did. */
    extension?: string | undefined;
    /** Somebody who listened to another call. */
    listening?: boolean | undefined;
    /** Numbers of ours: the one that was called from outside, or that the outside saw. */
    ownNumbers?: string[] | undefined;
    /** Only what somebody sees who does not see everything. */
    within?: Within | undefined;
  };

const ANSWERED = sql`leg.answer_stamp is not null`;
const LET_PASS = sql`leg.hangup_cause not in ('LOSE_RACE', 'PICKED_OFF', 'ORIGINATOR_CANCEL')`;

/** A queue rang this extension; its first leg is the caller's. */
const rang = (extension: Sql, how: Sql = sql`true`) =>
  sql`exists (select from cdr_legs leg where leg.call_uuid = cdrs.call_uuid and leg.position > 0
    and leg.destination_number = ${extension} and ${how})`;

const made = (extension: Sql) => sql`(direction <> 'inbound' and caller_id_number = ${extension})`;
const took = (extension: Sql) => sql`(direction <> 'outbound' and connected_user = ${extension})`;

/** By some agent. */
const written = (how: Sql) =>
  sql`cdrs.call_uuid in (select call_uuid from call_notes where call_notes.exchange_id = $1 and ${how})`;

const conditions: { [Name in Exclude<keyof CdrFilter, keyof CameTo | "within">]-?: (value: Sql) => Sql } = {
  direction: (value) => sql`direction = ${value}`,
  missed: (value) => sql`missed = ${value}`,
  outcomes: (value) => sql`${OUTCOME} = any(${value})`,
  listening: (value) => sql`listening = ${value}`,
  from: (value) => sql`cdrs.start_stamp >= ${value}`,
  before: (value) => sql`cdrs.start_stamp < ${value}`,
  recording: (value) => sql`recording = any(${value})`,
  callerNumbers: (value) => sql`caller_id_number = any(${value})`,
  destinationNumbers: (value) => sql`destination_number = any(${value})`,
  lastQueues: (value) => sql`cdrs.queue = any(${value})`,
  waitedOver: (value) => sql`${WAITED} > ${value}::int`,
  waitedUpTo: (value) => sql`${WAITED} <= ${value}::int`,
  hour: (value) =>
    sql`date_part('hour', cdrs.start_stamp at time zone (select time_zone from exchanges where id = $1)) = ${value}::int`,
  weekday: (value) =>
    sql`date_part('isodow', cdrs.start_stamp at time zone (select time_zone from exchanges where id = $1)) = ${value}::int`,
  queued: (value) => sql`(cdrs.queue is not null) = ${value}`,
  talked: (value) => sql`(cdrs.talk_seconds > 0) = ${value}`,
  madeBy: made,
  takenBy: took,
  talkedBy: (value) => sql`(cdrs.talk_seconds > 0 and (${made(value)} or ${took(value)}))`,
  unansweredBy: (value) => sql`(missed and dialed_user = ${value})`,
  offeredTo: (value) => sql`(cdrs.queue is not null and ${rang(value)})`,
  answeredBy: (value) => sql`(cdrs.queue is not null and ${rang(value, ANSWERED)})`,
  letPassBy: (value) => sql`(cdrs.queue is not null and not ${rang(value, ANSWERED)} and ${rang(value, LET_PASS)})`,
  surveyOf: (value) =>
    sql`cdrs.call_uuid in (select s.call_uuid from survey_answers s where s.exchange_id = $1 and s.extension = ${value})`,
  campaign: (value) =>
    sql`(origin = 'campaign' and exists (select from campaign_attempts a
      where a.call_uuid = cdrs.call_uuid and a.campaign_id = ${value}::bigint))`,
  extension: (value) => sql`case when answer_stamp is null then dialed_user else connected_user end = ${value}`,
  about: (value) =>
    sql`cdrs.id in (select matching_calls($1, (${value}::text[])[1], (${value}::text[])[2]::timestamptz,
      (${value}::text[])[3]::timestamptz, null))`,
  among: (value) => sql`cdrs.id = any(${value}::bigint[])`,
  amongCalls: (value) => sql`cdrs.call_uuid = any(${value}::uuid[])`,
  commonPart: (value) => sql`${CALL_IN_WORDS} like search_pattern(${value})`,
  ownNumbers: (value) =>
    sql`case direction when 'inbound' then destination_number else outbound_caller_id_number end = any(${value})`,
  disposition: (value) => written(sql`disposition = ${value}`),
  tag: (value) => written(sql`${value} = any(tags)`),
  note: (value) => written(sql`search_form(note) like search_pattern(${value})`),
};

/** What has an index of its own and leaves few of them: then each is looked at by itself whether it is seen. */
const narrow = [
  ...(["callerNumbers", "destinationNumbers", "madeBy", "takenBy", "talkedBy", "unansweredBy", "campaign"] as const),
  ...(["extension", "about", "among", "amongCalls", "disposition", "tag", "note", "surveyOf"] as const),
];
const isNarrow = (filter: CdrFilter) => narrow.some((name) => filter[name] !== undefined);

type Asked = { where: Sql; values: unknown[] };
/** To select `id` and `start_stamp` from. */
type Found = { source: Sql; values: unknown[] };
type Older = { at: string; id: number };

/** Whose calls lists are looked through by, where one may see all of them. */
export function queuesThrough({ queues, within, ...filter }: CdrFilter): string[] | undefined {
  if (isNarrow(filter) || rungBy(filter) !== undefined) return undefined;
  return within === undefined || seesAllOf({ queues, within }) ? queues : undefined;
}

/** Whatever came to these queues. */
const seesAllOf = ({ queues, within }: CdrFilter) =>
  queues?.every((queue) => within?.calledAt.includes(queue)) ?? false;

const rungBy = ({ offeredTo, answeredBy, letPassBy }: CdrFilter) => offeredTo ?? answeredBy ?? letPassBy;

/**
 * Which records a filter means, with the exchange as the first value. Only the conditions asked for are in the
 * statement, so that each mixture gets the index that fits it.
 */
export function cdrsWhere(exchangeId: number, filter: CdrFilter): Asked & Bounds {
  const { where, values, ...bounds } = askedOf(exchangeId, filter);
  if (filter.within === undefined || seesAllOf(filter)) return { where, values, ...bounds };
  return { where: sql`${where} and ${isSeen(withinAt(values, filter.within))}`, values, ...bounds };
}

/**
 * Whose calls are to be looked through by their own indexes: what one extension was rung for, or what somebody sees, can be
 * so little among so much that no order of all calls leads to it.
 */
export function lookedThrough(filter: CdrFilter): Within | undefined {
  const rung = rungBy(filter);
  if (rung !== undefined) return { extensions: [rung], queues: [], calledAt: [] };
  const queues = queuesThrough(filter);
  if (queues) return { extensions: [], queues: [], calledAt: queues };
  return isNarrow(filter) ? undefined : filter.within;
}

/** What was written about so many of them that these are gone through from the newest on. */
export function writtenAlike(filter: CdrFilter): Written | undefined {
  return lookedThrough(filter) ? undefined : WRITTEN.find((of) => filter[of] !== undefined);
}

/** All of them, as a source that goes by the records' own name. */
export function everyCdr(exchangeId: number, filter: CdrFilter): { source: Sql; values: unknown[] } {
  const { where, values, ...bounds } = cdrsWhere(exchangeId, filter);
  const queues = queuesThrough(filter);
  if (!queues) return { source: sql`cdrs where ${where}`, values };
  return { source: everyThatCameTo(place(values.push(queues)), { where, ...bounds }), values };
}

/**
 * Where the newest of them are found, `most` at least: to select `id` from, newest first. `older`: than this one alone.
 */
export function newestCdrs(
  exchangeId: number,
  filter: CdrFilter,
  { most, older }: { most: number; older?: Older },
): Found {
  const whose = lookedThrough(filter);
  const written = writtenAlike(filter);
  if (written) return newestNoted(exchangeId, filter, { of: written, most, ...(older ? { older } : {}) });
  const { where, values, ...bounds } =
    whose === filter.within ? askedOf(exchangeId, filter) : cdrsWhere(exchangeId, filter);
  const put = (value: unknown) => place(values.push(value));
  const all = older ? sql`${where} and ${isOlder(older, put)}` : where;
  if (!whose) return { source: sql`from cdrs where ${all}`, values };
  const within = withinAt(values, whose);
  return { source: sql`from ${newestSeen(within, { where: all, most: put(most), ...bounds })} as seen`, values };
}

function newestNoted(
  exchangeId: number,
  filter: CdrFilter,
  { of, most, older }: { of: Written; most: number; older?: Older },
): Found {
  const { where, values } = cdrsWhere(exchangeId, { ...filter, [of]: undefined });
  const put = (value: unknown) => place(values.push(value));
  const noted = sql`noted_calls($1, ${literal(of)}, ${put(filter[of])}, ${put(filter.from)}, ${put(filter.before)}, null)`;
  const all = older ? sql`${where} and ${isOlder(older, put)}` : where;
  // In the order of the calls' beginnings, and no further than is wanted.
  const source = sql`from (select ${PLANNED_ANEW} cdrs.id, cdrs.start_stamp
    from (select * from ${noted} as noted order by noted.began desc) as noted
    join cdrs on cdrs.exchange_id = $1 and cdrs.call_uuid = noted.call_uuid
    where ${all} order by noted.began desc, cdrs.id desc limit ${put(most)}) as cdrs`;
  return { source, values };
}

const isOlder = ({ at, id }: Older, put: (value: unknown) => Sql) =>
  sql`(cdrs.start_stamp, cdrs.id) < (${put(at)}::timestamptz, ${put(id)})`;

function askedOf(exchangeId: number, filter: CdrFilter): Asked & Bounds {
  const values: unknown[] = [exchangeId];
  const where = [sql`cdrs.exchange_id = $1`];
  const bounds: Bounds = {};
  const queued = cameTo(filter, (value) => place(values.push(value)));
  if (queued) where.push(queued);
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof CdrFilter];
    if (value === undefined) continue;
    values.push(value);
    where.push(condition(place(values.length)));
    if (name === "from" || name === "before") bounds[name] = place(values.length);
  }
  return { where: joined(where, " and "), values, ...bounds };
}
