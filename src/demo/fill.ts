// Fills an exchange with a year of calls, a day at a time: what an earlier run of the same seed has done is left alone.

import { type Copier, copyLine, withCopier } from "../store/copy.ts";
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
    await copier.query("set synchronous_commit = off");
    // Legs go in right after their calls, so nobody has to look each one up again. Only the embedded server lets us:
    // where it is refused, each one is looked up, which is slower and just as right.
    await copier.query("set session_replication_role = replica").catch(() => undefined);
    const filled: Filled = { calls: 0, legs: 0, recordings: 0, skippedDays: 0 };
    let passed = 0;
    for (const day of daysOfYear({ nowMs, timeZone: exchange.timeZone, total: calls })) {
      if (day.calls > 0) await fillDay(copier, day, { filling, filled });
      passed += day.calls;
      filling.progress(passed);
    }
    await copier.query("vacuum (analyze) cdrs");
    await copier.query("vacuum (analyze) cdr_legs");
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
  const done = await copier.query("select 1 from cdrs where call_uuid = $1", [calls[0]?.uuid]);
  if (done.length > 0) {
    filled.skippedDays++;
    return;
  }
  const recorded = await recordingsOf(calls, filling);
  await copier.query("begin");
  try {
    const keys = new Map(recorded.map(({ call, key }) => [call.uuid, key]));
    await copier.copy("cdrs", CDR_COLUMNS, calls.map((call) => cdrLine(call, filling, keys.has(call.uuid))).join(""));
    await copier.copy("cdr_legs", LEG_COLUMNS, calls.map(legLines).join(""));
    if (recorded.length > 0)
      await copier.copy("recordings", RECORDING_COLUMNS, recorded.map((it) => recordingLine(it, exchange.id)).join(""));
    await copier.query("commit");
  } catch (error) {
    await copier.query("rollback");
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
  "exchange_id",
  "call_uuid",
  "direction",
  "origin",
  "start_stamp",
  "answer_stamp",
  "end_stamp",
  "caller_id_number",
  "caller_id_name",
  "outbound_caller_id_number",
  "destination_number",
  "destination_name",
  "dialed_user",
  "connected_user",
  "duration_seconds",
  "talk_seconds",
  "queue",
  "queue_wait_seconds",
  "missed",
  "return_uuid",
  "recording",
  "sip_hangup_disposition",
  "hangup_cause",
  "failure_status",
  "failure_phrase",
  "peer",
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
    ...[call.queue, call.queueWaitSeconds, missed, call.returnUuid, recording, call.endedBy, call.cause],
    ...[status, phrase, call.peer],
  ]);
}

const LEG_COLUMNS = [
  "call_uuid",
  "position",
  "destination_number",
  "start_stamp",
  "answer_stamp",
  "end_stamp",
  "ip_address",
  "sip_user_agent",
  "write_codec",
  "read_codec",
  "hangup_cause",
];

function legLines({ uuid, legs }: DemoCall): string {
  return legs
    .map(({ to, startMs, answerMs, endMs, cause }, position) => {
      const device =
        to.length > 8 ? ["203.0.113.10", "Carrier"] : [`192.0.2.${10 + (Number(to) % 200)}`, "Deskphone/2.4"];
      const codec = answerMs === null ? "" : "PCMA";
      const when = [stamp(startMs), answerMs && stamp(answerMs), stamp(endMs)];
      return copyLine([uuid, position, to, ...when, ...device, codec, codec, cause]);
    })
    .join("");
}

const RECORDING_COLUMNS = ["call_uuid", "exchange_id", "object_key", "media_type", "duration_ms", "created_at"];

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
