// Where numbers go on after a time in which nobody counted: further than anything that may have been sent in it.

import type { KeptCounters } from "./kept-stream.ts";
import { Session, type SessionState } from "./srtp.ts";

/** No codec of ours sends more often. */
const SHORTEST_PACKET_MS = 10;
/** Bursts, and what was lost on the way to us and left out by us too. */
const MARGIN = 256;
const REPORTS_MARGIN = 64;
const SHORTEST_REPORT_MS = 1_000;

/** Further on than anything that was sent since it was kept: no number is used twice. */
export function sequenceAfter(kept: number, passedMs: number): number {
  return (kept + stepsAfter(passedMs)) & 0xffff;
}

/** At most less than half of the count, so that the other side knows where in it we are (RFC 3711 section 3.3.1). */
const stepsAfter = (passedMs: number): number => MARGIN + Math.ceil(Math.max(0, passedMs) / SHORTEST_PACKET_MS);

const reportsOn = (sent: number, passedMs: number): number =>
  sent + REPORTS_MARGIN + Math.ceil(Math.max(0, passedMs) / SHORTEST_REPORT_MS);

type SessionKeys = SessionState["keys"];

export function sessionAfter(keys: SessionKeys, counters: KeptCounters, passedMs: number): SessionState {
  const { rollover, lastSent, rtcpSent, rtcpHighest, senders } = counters;
  return {
    keys,
    senders: senders.map(({ ssrc, ...sender }) => [ssrc, Session.senderAfter(sender)]),
    counters: [rollover, lastSent, reportsOn(rtcpSent, passedMs), rtcpHighest],
  };
}

export function reportsAfter(
  keys: SessionKeys,
  { reportsSent, reportsHighest }: KeptCounters,
  passedMs: number,
): SessionState {
  return { keys, senders: [], counters: [0, -1, reportsOn(reportsSent, passedMs), reportsHighest] };
}
