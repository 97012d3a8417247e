// Goes on with a stream of a process that is no more: the same port, the same source, numbers that only go forward.

import { reportsAfter, sequenceAfter, sessionAfter } from "./after-absence.ts";
import { adoptDtls } from "./dtls-stream.ts";
import { adoptIce, awaitAgain } from "./ice.ts";
import { type KeptCounters, type KeptStream, LONGEST_AWAY_MS } from "./kept-stream.ts";
import { enter } from "./lifecycle.ts";
import { replan } from "./plan.ts";
import { Session } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { portsOf, type Thread } from "./thread.ts";
import { makeAddress } from "./wire.ts";

/** False when its port is not held here, or nobody asked for it in time. */
export function resume(thread: Thread, { facts, counters }: KeptStream, at: number): boolean {
  const { nowMs, zeroMs } = thread;
  const passedMs = nowMs + zeroMs - counters.stampMs;
  const pair = passedMs > LONGEST_AWAY_MS ? undefined : portsOf(thread, { at }).takeHeld(facts.port);
  if (!pair) return false;
  const { id, told, hintIp, fields, to, toRtcp, keys, reportKeys } = facts;
  const stream = new Stream({ ...pair, id, at, told, hintIp, random: thread.random, nowMs });
  stream.useSettings(facts.settings);
  // Whoever was spoken to by a version that asked for no proof is spoken to still.
  Object.assign(stream, { isProved: true }, fields);
  stream.to = to && makeAddress(to.ip, to.port);
  stream.toRtcp = toRtcp && makeAddress(toRtcp.ip, toRtcp.port);
  countOn(stream, counters, passedMs);
  stream.sentAtMs = counters.sentAtMs - zeroMs;
  stream.srtp = keys && Session.from(sessionAfter(keys, counters, passedMs), cryptoLibrary());
  stream.srtcp = reportKeys && Session.from(reportsAfter(reportKeys, counters, passedMs), cryptoLibrary());
  enter(thread, stream);
  adoptIce(thread, stream);
  awaitAgain(stream);
  adoptDtls(thread, stream);
  replan(thread, stream);
  thread.keeper?.note(stream);
  return true;
}

/** What was counted stays; the sender's numbers begin where it is now, so that nothing is missed of the time between. */
function countOn(stream: Stream, counters: KeptCounters, passedMs: number): void {
  stream.nextSequence = sequenceAfter(counters.nextSequence, passedMs);
  stream.lastTimestamp = counters.lastTimestamp;
  stream.wantsMarker = true;
  stream.packetsOut = counters.packetsOut;
  stream.octetsOut = counters.octetsOut;
  stream.packetsIn = counters.packetsIn;
  stream.lostBefore = counters.lost;
  stream.jitter = counters.jitter;
  stream.refused = counters.refused;
  stream.concealedBefore = counters.concealed;
  stream.roundTripMs = counters.roundTripMs;
}
