// Counts what a sender sends: which packets came, which are missing, how evenly (RFC 3550 appendix A).

import { sequenceOf, ssrcOf } from "./rtp.ts";
import type { Stream } from "./stream.ts";

/** A jump further than this is a sender that started anew, not a loss (RFC 3550 appendix A.1). */
const LARGEST_GAP = 3000;
const LARGEST_REORDER = 100;

/** Hot: counts a packet in, sets `stream.extended`, and notices a sender that starts anew. */
export function countIn(stream: Stream, packet: Uint8Array): void {
  const sequence = sequenceOf(packet);
  const ssrc = ssrcOf(packet);
  stream.packetsIn += 1;
  const ahead = ((sequence - stream.highest) << 16) >> 16;
  if (ssrc !== stream.ssrcIn || ahead > LARGEST_GAP || ahead < -LARGEST_REORDER) {
    startAnew(stream, sequence, ssrc);
    return;
  }
  stream.extended = stream.highest + ahead;
  if (ahead > 0) stream.highest = stream.extended;
  stream.received += 1;
}

function startAnew(stream: Stream, sequence: number, ssrc: number): void {
  stream.lostBefore = lostSoFar(stream);
  stream.ssrcIn = ssrc;
  stream.epoch += 1;
  // Far from zero, so that packets older than the first have a number too.
  stream.extended = 65_536 + sequence;
  stream.highest = stream.extended;
  stream.firstExtended = stream.extended;
  stream.received = 1;
  stream.expectedBefore = 0;
  stream.receivedBefore = 0;
  stream.transit = 0;
  stream.events.reset();
}

export function expectedSoFar(stream: Stream): number {
  return stream.received === 0 ? 0 : stream.highest - stream.firstExtended + 1;
}

export function lostSoFar(stream: Stream): number {
  return stream.lostBefore + Math.max(0, expectedSoFar(stream) - stream.received);
}

/** RFC 3550 appendix A.8, in timestamp units. */
export function countJitter(stream: Stream, timestamp: number, nowMs: number): void {
  const transit = (nowMs * stream.codec.clockRate) / 1000 - timestamp;
  if (stream.transit !== 0) {
    const change = Math.abs(transit - stream.transit);
    // A change of more than a second is a pause or a wrapped timestamp.
    if (change < stream.codec.clockRate) stream.jitter += (change - stream.jitter) / 16;
  }
  stream.transit = transit;
}
