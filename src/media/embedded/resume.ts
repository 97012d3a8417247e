// Goes on with a stream of a process that is no more: the same port, the same source, numbers that only go forward.

import { reportsAfter, sequenceAfter, sessionAfter } from "./after-absence.ts";
import { adoptDtls } from "./dtls-stream.ts";
import { type KeptCounters, type KeptPlace, type KeptStream, LONGEST_AWAY_MS } from "./kept-stream.ts";
import { enter } from "./lifecycle.ts";
import { replan } from "./plan.ts";
import { Session } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { portsOf, type Thread } from "./thread.ts";
import { type Address, type Ip, makeAddress, parseIp } from "./wire.ts";

/** False when its port is not held here, or nobody asked for it in time. */
export function resume(thread: Thread, { facts, counters }: KeptStream, at: number): boolean {
  const { nowMs, zeroMs } = thread;
  const passedMs = nowMs + zeroMs - counters.stampMs;
  const pair = passedMs > LONGEST_AWAY_MS ? undefined : portsOf(thread, { at }).takeHeld(facts.port);
  if (!pair) return false;
  const { id, told, settings, saysMuted, hearsMuted, faxTones } = facts;
  const stream = new Stream({ ...pair, id, at, told, hintIp: ipOf(facts.hint), random: thread.random, nowMs });
  stream.useSettings(settings);
  Object.assign(stream, { saysMuted, hearsMuted, faxTones, locked: facts.locked, natIp: ipOf(facts.nat) });
  [stream.signalledIp, stream.signalledPort] = [ipOf(facts.signalled.address), facts.signalled.port];
  [stream.sourceIp, stream.sourcePort] = [ipOf(facts.source.address), facts.source.port];
  [stream.formerIp, stream.formerPort] = [ipOf(facts.former.address), facts.former.port];
  stream.to = placeOf(facts.to);
  stream.toRtcp = placeOf(facts.toRtcp);
  countOn(stream, counters, passedMs);
  stream.ssrcOut = facts.ssrc;
  stream.sentAtMs = counters.sentAtMs - zeroMs;
  stream.srtp = facts.keys && Session.from(sessionAfter(facts.keys, counters, passedMs), cryptoLibrary());
  stream.srtcp = facts.reportKeys && Session.from(reportsAfter(facts.reportKeys, counters, passedMs), cryptoLibrary());
  enter(thread, stream);
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

const ipOf = (text: string): Ip => parseIp(text) ?? 0;

const placeOf = (place: KeptPlace | undefined): Address | undefined =>
  place && makeAddress(ipOf(place.address), place.port);
