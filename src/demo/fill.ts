// Fills an exchange with a year of calls, a day at a time: what an earlier run of the same seed has done is left alone.

import { codecNames } from "../codecs/codec.ts";
import { type Copier, copyLine, withCopier } from "../store/copy.ts";
import { sql } from "../store/sql.ts";
import { type Day, daysOfYear } from "./calendar.ts";
import { callsOfDay, type DemoCall, type Town } from "./calls.ts";
import { chanceOf } from "./random.ts";

export type Filling = {
  connection: string;
  exchange: { id: number; timeZone: string };
  town: Town;
  seed: string;
  calls: number;
  nowMs: number;
  /** Keys of recordings to hear: a call of the last days gets one by its uuid. */
  keepRecording(uuid: string): Promise<string>;
  progress(done: number): void;
};

export type Filled = { calls: number; legs: number; recordings: number; skippedDays: number };

const DAY_MS = 86_400_000;
/** Younger recordings can be heard; those of older calls are marked as deleted. */
const RECORDINGS_MS = 7 * DAY_MS;

export function fillWithCalls(filling: Filling): Promise<Filled> {
  const { connection, exchange, calls, nowMs } = filling;
  return withCopier(connection, async (copier) => {
    // A crash may cost the last day, which the next run makes again: no need to wait for the disk after each.
    await copier.query(sql`set synchronous_commit = off`);
    // Legs go in right before their calls, so nobody has to look each one up again. Only the embedded server lets us:
    // where it is refused, each one is looked up, which is slower and just as right.
    await copier.query(sql`set session_replication_role = replica`).catch(() => undefined);
    const filled: Filled = { calls: 0, legs: 0, recordings: 0, skippedDays: 0 };
    let passed = 0;
    for (const day of daysOfYear({ nowMs, timeZone: exchange.timeZone, total: calls })) {
      if (day.calls > 0) await fillDay(copier, day, { filling, filled });
      passed += day.calls;
      filling.progress(passed);
    }
    await copier.query(sql`vacuum (analyze) cdrs`);
    await copier.query(sql`vacuum (analyze) cdr_legs`);
    return filled;
  });
}

async function fillDay(
  copier: Copier,
  day: Day,
  { filling, filled }: { filling: Filling; filled: Filled },
): Promise<void> {
  const { exchange, town, seed } = filling;
  const calls = callsOfDay(day, town, chanceOf(`${seed} ${exchange.id} ${day.date} ${day.calls}`));
  const done = await copier.query(sql`select 1 from cdrs where call_uuid = $1`, [calls[0]?.uuid]);
  if (done.length > 0) {
    filled.skippedDays++;
    return;
  }
  const recorded = await recordingsOf(calls, filling);
  await copier.query(sql`begin`);
  try {
    const keys = new Map(recorded.map(({ call, key }) => [call.uuid, key]));
    // Before their calls, which are counted by them.
    await copier.copy(sql`cdr_legs`, LEG_COLUMNS, calls.map(legLines).join(""));
    await copier.copy(
      sql`cdrs`,
      CDR_COLUMNS,
      calls.map((call) => cdrLine(call, filling, keys.has(call.uuid))).join(""),
    );
    if (recorded.length > 0)
      await copier.copy(
        sql`recordings`,
        RECORDING_COLUMNS,
        recorded.map((it) => recordingLine(it, exchange.id)).join(""),
      );
    await copier.query(sql`commit`);
  } catch (error) {
    await copier.query(sql`rollback`);
    throw error;
  }
  filled.calls += calls.length;
  filled.legs += calls.reduce((sum, { legs }) => sum + legs.length, 0);
  filled.recordings += recorded.length;
}

type Recorded = { call: DemoCall; key: string };

async function recordingsOf(calls: DemoCall[], { nowMs, keepRecording }: Filling): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const call of calls)
    if (isRecorded(call) && nowMs - call.startMs < RECORDINGS_MS)
      recorded.push({ call, key: await keepRecording(call.uuid) });
  return recorded;
}

function isRecorded({ direction, answerMs }: DemoCall): boolean {
  return direction !== "internal" && answerMs !== null;
}

const CDR_COLUMNS = [
  sql`exchange_id`,
  sql`call_uuid`,
  sql`direction`,
  sql`origin`,
  sql`start_stamp`,
  sql`answer_stamp`,
  sql`end_stamp`,
  sql`caller_id_number`,
  sql`caller_id_name`,
  sql`outbound_caller_id_number`,
  sql`destination_number`,
  sql`destination_name`,
  sql`dialed_user`,
  sql`connected_user`,
  sql`duration_seconds`,
  sql`talk_seconds`,
  sql`queue`,
  sql`queue_wait_seconds`,
  sql`missed`,
  sql`return_uuid`,
  sql`recording`,
  sql`sip_hangup_disposition`,
  sql`hangup_cause`,
  sql`ended_by`,
  sql`failure_status`,
  sql`failure_phrase`,
  sql`peer`,
];

/** What the far end said, for the causes it says something about. */
const failures: Partial<Record<string, readonly [status: number, phrase: string]>> = {
  USER_BUSY: [486, "Busy Here"],
  NO_ANSWER: [480, "Temporarily Unavailable"],
  NO_USER_RESPONSE: [408, "Request Timeout"],
  CALL_REJECTED: [603, "Decline"],
  UNALLOCATED_NUMBER: [404, "Not Found"],
};

function cdrLine(call: DemoCall, { exchange }: Filling, hasRecording: boolean): string {
  const { startMs, answerMs, endMs } = call;
  const [status, phrase] = failures[call.cause] ?? [null, null];
  const recording = hasRecording ? "present" : isRecorded(call) ? "deleted" : "none";
  const who = [call.caller, call.callerName, call.outboundCallerId, call.destination, call.destinationName];
  const missed = call.direction !== "outbound" && answerMs === null;
  return copyLine([
    ...[exchange.id, call.uuid, call.direction, call.origin, stamp(startMs), answerMs && stamp(answerMs), stamp(endMs)],
    ...[...who, call.dialedUser, call.connectedUser, seconds(startMs, endMs), answerMs ? seconds(answerMs, endMs) : 0],
    ...[call.queue, call.queueWaitSeconds, missed, call.returnUuid, recording, call.endedBy, call.cause, call.endedBy],
    ...[status, phrase, call.peer],
  ]);
}

const LEG_COLUMNS = [
  sql`call_uuid`,
  sql`position`,
  sql`destination_number`,
  sql`start_stamp`,
  sql`answer_stamp`,
  sql`end_stamp`,
  sql`ip_address`,
  sql`sip_user_agent`,
  sql`write_codec`,
  sql`read_codec`,
  sql`hangup_cause`,
];

function legLines({ uuid, legs }: DemoCall): string {
  return legs
    .map(({ to, startMs, answerMs, endMs, cause }, position) => {
      const device =
        to.length > 8 ? ["203.0.113.10", "Carrier"] : [`192.0.2.${10 + (Number(to) % 200)}`, "Deskphone/2.4"];
      const codec = answerMs === null ? "" : codecNames[0]!;
      const when = [stamp(startMs), answerMs && stamp(answerMs), stamp(endMs)];
      return copyLine([uuid, position, to, ...when, ...device, codec, codec, cause]);
    })
    .join("");
}

const RECORDING_COLUMNS = [
  sql`call_uuid`,
  sql`exchange_id`,
  sql`object_key`,
  sql`media_type`,
  sql`duration_ms`,
  sql`created_at`,
];

function recordingLine({ call, key }: Recorded, exchangeId: number): string {
  const talkMs = call.endMs - (call.answerMs ?? call.endMs);
  return copyLine([call.uuid, exchangeId, key, "audio/wav", talkMs, stamp(call.endMs)]);
}

function stamp(ms: number): string {
  return new Date(ms).toISOString();
}

function seconds(fromMs: number, toMs: number): number {
  return Math.round((toMs - fromMs) / 1_000);
}
