// Whether each call of a drill has its recording, with what was said before its node was struck and what was said after it.

import { execFileSync } from "node:child_process";
import { pause, realClock, within } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import type { Talk } from "../phones/crowd.ts";
import { loudestTone } from "../phones/tone-level.ts";
import { CLEAR, channelOf, stereo } from "../town/real-town.ts";
import type { Called, Wrong } from "./callers.ts";
import type { Cluster } from "./cluster.ts";

/** A call as far as its recording tells of it. */
export type Recorded = Pick<Talk, "caller" | "callee" | "says" | "sinceMs">;

/**
 * Times by `performance.now()`: when it was struck, when somebody wanted to hang up, and when both had.
 * `gapMs`: for how long nobody carried a voice, at most.
 */
export type Spoken = { talk: Recorded; struckMs: number; overMs: number; goneMs: number; gapMs: number };

const KEPT_WITHIN_MS = 60_000;
/** Half a second is what a crash may cost; less than what anybody had said before it. */
const LOST_MS = 1_500;
/** Everybody has talked for longer before: whatever is in it twice adds more. */
const TWICE_MS = 2_500;
/** Who talked, and, at the end, who was outside, on hold or had a phone that is not ours. */
const listenedTo = (spoken: readonly Spoken[]) => [...new Set([...spoken.slice(0, 2), ...spoken.slice(-3)])];

type Found = Called & { uuid: string; recordedMs: number | null };

/** Each call has one; of those that `spoken` tells about it is as long as both parts together, and some are listened to. */
export async function recordingsOf(
  cluster: Cluster,
  { calls, spoken, after }: { calls: readonly Called[]; spoken: readonly Spoken[]; after: number },
): Promise<Wrong> {
  let found: Found[] = [];
  let wrong: Wrong = [];
  for (const end = within(realClock, KEPT_WITHIN_MS); realClock.ticks() < end; await pause(realClock, 500)) {
    found = await cluster.db.query<Found>(
      sql`select call_uuid as uuid, caller_id_number as caller, destination_number as callee,
         recordings.duration_ms as "recordedMs"
       from cdrs left join recordings using (call_uuid) where cdrs.exchange_id = $1 and cdrs.id > $2`,
      [cluster.firstRun.exchange.id, after],
    );
    wrong = [...calls.flatMap((call) => missing(found, call)), ...spoken.flatMap((it) => wrongLength(found, it))];
    if (wrong.length === 0) break;
  }
  for (const one of listenedTo(spoken)) wrong.push(...(await unheard(cluster, found, one)));
  return wrong;
}

const of = (found: readonly Found[], { caller, callee }: Called) =>
  found.filter((it) => it.caller === caller && it.callee === callee);

function missing(found: readonly Found[], call: Called): Wrong {
  const recorded = of(found, call).filter(({ recordedMs }) => recordedMs !== null).length;
  return recorded === 1 ? [] : [`${call.caller} to ${call.callee}: ${recorded} recordings`];
}

/** Nobody is recorded while nobody carries his voice, and nothing is recorded twice. */
function wrongLength(found: readonly Found[], { talk, overMs, goneMs, gapMs }: Spoken): Wrong {
  const [{ recordedMs } = { recordedMs: null }] = of(found, talk);
  const least = Math.round(overMs - talk.sinceMs - gapMs - LOST_MS);
  const most = Math.round(goneMs - talk.sinceMs + TWICE_MS);
  if (recordedMs === null || (recordedMs >= least && recordedMs <= most)) return [];
  return [`${talk.caller} to ${talk.callee}: its recording has ${recordedMs} ms, not ${least} to ${most}`];
}

async function unheard(cluster: Cluster, found: readonly Found[], spoken: Spoken): Promise<Wrong> {
  const { talk, struckMs, overMs, gapMs } = spoken;
  const [{ uuid } = { uuid: "" }] = of(found, talk);
  const recording = await recordingOf(cluster, uuid).catch(() => undefined);
  if (!recording) return [`${talk.caller} to ${talk.callee}: its recording cannot be fetched`];
  const { rate } = stereo(recording);
  const samples = (ms: number) => Math.max(0, Math.round((ms / 1_000) * rate));
  const sides = [
    ["left", talk.says.caller],
    ["right", talk.says.callee],
  ] as const;
  return sides.flatMap(([side, hz]) => {
    const whole = channelOf(recording, side);
    const parts = {
      before: whole.subarray(0, samples(struckMs - talk.sinceMs - LOST_MS)),
      after: whole.subarray(whole.length - samples(Math.min(overMs - struckMs - gapMs, LOST_MS) / 2)),
    };
    return Object.entries(parts).flatMap(([when, part]) =>
      loudestTone(part, hz, rate) > CLEAR
        ? []
        : [`${talk.caller} to ${talk.callee}: its recording lacks the ${side} tone ${when} it was struck`],
    );
  });
}

/** As a customer fetches it, from any node. */
async function recordingOf({ nodes, firstRun }: Cluster, uuid: string): Promise<Buffer> {
  const body = new URLSearchParams({ key: firstRun.exchange.key, call_uuid: uuid });
  const url = await (await fetch(`${nodes[0]!.http}/recording_url`, { method: "POST", body })).text(); // there are three
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const words = ["-v", "error", "-i", "-", "-f", "wav", "-c:a", "pcm_s16le", "-bitexact", "-"];
  return execFileSync("ffmpeg", words, { input: bytes, maxBuffer: 2 ** 28 });
}
