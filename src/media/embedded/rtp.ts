// The RTP header (RFC 3550 section 5.1) and the bookkeeping about what a sender sends.

import type { Stream } from "./stream.ts";

export const RTP_HEADER = 12;
/** A jump further than this is a sender that started anew, not a loss (RFC 3550 appendix A.1). */
const LARGEST_GAP = 3000;
const LARGEST_REORDER = 100;

/** Length of the header with its extras, or -1 when this is not RTP. */
export function headerLength(packet: Uint8Array, length: number): number {
  const first = packet[0]!;
  if (length < RTP_HEADER || (first & 0xc0) !== 0x80) return -1;
  let header = RTP_HEADER + 4 * (first & 0x0f);
  if (first & 0x10) {
    if (header + 4 > length) return -1;
    header += 4 + 4 * ((packet[header + 2]! << 8) | packet[header + 3]!);
  }
  return header <= length ? header : -1;
}

/** Where the payload ends once padding is taken away, or -1 when the padding cannot be. */
export function payloadEnd(packet: Uint8Array, header: number, length: number): number {
  if ((packet[0]! & 0x20) === 0) return length;
  const padding = packet[length - 1]!;
  return padding > 0 && header + padding <= length ? length - padding : -1;
}

/** RTCP shares the port when both sides agreed (RFC 5761 section 4). */
export function looksLikeRtcp(packet: Uint8Array): boolean {
  const type = packet[1]!;
  return type >= 192 && type <= 223;
}

export function timestampOf(packet: Uint8Array): number {
  return ((packet[4]! << 24) | (packet[5]! << 16) | (packet[6]! << 8) | packet[7]!) >>> 0;
}

export function ssrcOf(packet: Uint8Array): number {
  return ((packet[8]! << 24) | (packet[9]! << 16) | (packet[10]! << 8) | packet[11]!) >>> 0;
}

export function sequenceOf(packet: Uint8Array): number {
  return (packet[2]! << 8) | packet[3]!;
}

export function writeSequence(packet: Uint8Array, sequence: number): void {
  packet[2] = (sequence >> 8) & 255;
  packet[3] = sequence & 255;
}

export function writeUint32(packet: Uint8Array, at: number, value: number): void {
  packet[at] = value >>> 24;
  packet[at + 1] = (value >> 16) & 255;
  packet[at + 2] = (value >> 8) & 255;
  packet[at + 3] = value & 255;
}

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
