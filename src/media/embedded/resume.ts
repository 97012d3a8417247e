// Goes on with a stream of a process that is no more: the same port, the same source, numbers that only go forward.

import { adoptDtls } from "./dtls-stream.ts";
import type { KeptCounters, KeptPlace, KeptStream } from "./kept-stream.ts";
import { enter } from "./lifecycle.ts";
import { replan } from "./plan.ts";
import { Session, type SessionState } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { portsOf, type Thread } from "./thread.ts";
import { type Address, type Ip, makeAddress, parseIp } from "./wire.ts";

/** No codec of ours sends more often. */
const SHORTEST_PACKET_MS = 10;
/** Bursts, and what was lost on the way to us and left out by us too. */
const MARGIN = 256;
/** The other side still knows where in the count we are: half of it, and some less (RFC 3711 section 3.3.1). */
const FURTHEST = 0x7000;
const REPORTS_MARGIN = 64;
const SHORTEST_REPORT_MS = 1_000;

/** False when its port is not held here. */
export function resume(thread: Thread, { facts, counters }: KeptStream, at: number): boolean {
  const pair = portsOf(thread, { at }).takeHeld(facts.port);
  if (!pair) return false;
  const { nowMs, zeroMs } = thread;
  const passedMs = nowMs + zeroMs - counters.stampMs;
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

/** Further on than anything that was sent since it was kept: no number is used twice. */
export function sequenceAfter(kept: number, passedMs: number): number {
  return (kept + stepsAfter(passedMs)) & 0xffff;
}

const stepsAfter = (passedMs: number): number =>
  Math.min(FURTHEST, MARGIN + Math.ceil(Math.max(0, passedMs) / SHORTEST_PACKET_MS));

const reportsOn = (sent: number, passedMs: number): number =>
  sent + REPORTS_MARGIN + Math.ceil(Math.max(0, passedMs) / SHORTEST_REPORT_MS);

type SessionKeys = SessionState["keys"];

function sessionAfter(keys: SessionKeys, counters: KeptCounters, passedMs: number): SessionState {
  const { rollover, lastSent, rtcpSent, rtcpHighest, senders } = counters;
  return {
    keys,
    senders: senders.map(({ ssrc, ...sender }) => [ssrc, Session.senderAfter(sender)]),
    counters: [rollover, lastSent, reportsOn(rtcpSent, passedMs), rtcpHighest],
  };
}

function reportsAfter(
  keys: SessionKeys,
  { reportsSent, reportsHighest }: KeptCounters,
  passedMs: number,
): SessionState {
  return { keys, senders: [], counters: [0, -1, reportsOn(reportsSent, passedMs), reportsHighest] };
}

const ipOf = (text: string): Ip => parseIp(text) ?? 0;

const placeOf = (place: KeptPlace | undefined): Address | undefined =>
  place && makeAddress(ipOf(place.address), place.port);
