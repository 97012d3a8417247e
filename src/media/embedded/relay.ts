// Passing a packet on undecoded: another payload type, and numbers that go on where the listener's last ones ended.

import { maySpeak } from "./advance-stream.ts";
import { RTP_HEADER, writeSequence, writeUint32 } from "./rtp.ts";
import { nextTimestamp, transmit } from "./send.ts";
import type { Stream } from "./stream.ts";
import type { Thread } from "./thread.ts";

export type Relayed = { header: number; end: number; timestamp: number; isEvent: boolean };

/** Hot. The packet lies in `thread.wire.packet`, already decrypted. */
export function relay(thread: Thread, from: Stream, to: Stream, { header, end, timestamp, isEvent }: Relayed): void {
  if (!maySpeak(thread, to)) return;
  const packet = thread.wire.packet;
  if (to.relayFrom !== from || to.relayEpoch !== from.epoch) takeOver(thread, from, to, timestamp);
  // Older than the first we passed on: its number already belongs to somebody else.
  if (from.extended < to.relayFirst) return;
  if (!isEvent && to.eventSender?.isBusy) return;
  const sequence = from.extended + to.sequenceShift;
  const marker = to.wantsMarker ? 0x80 : packet[1]! & 0x80;
  const bytes = end - header;
  if (header !== RTP_HEADER) packet.copyWithin(RTP_HEADER, header, end);
  if (to.relayTable && !isEvent) recode(packet, RTP_HEADER + bytes, to.relayTable);
  packet[0] = 0x80;
  packet[1] = (isEvent ? to.eventOut : to.payloadOut) | marker;
  writeSequence(packet, sequence);
  const shifted = (timestamp + to.timestampShift) >>> 0;
  writeUint32(packet, 4, shifted);
  writeUint32(packet, 8, to.ssrcOut);
  to.wantsMarker = false;
  if (from.extended === from.highest) {
    to.nextSequence = (sequence + 1) & 0xffff;
    to.lastTimestamp = shifted;
  }
  transmit(thread, to, packet, RTP_HEADER + bytes);
}

/** The listener's numbers go on without a step: nothing tells it that somebody else speaks now. */
function takeOver(thread: Thread, from: Stream, to: Stream, timestamp: number): void {
  to.wantsMarker = true;
  to.relayFrom = from;
  to.relayEpoch = from.epoch;
  to.relayFirst = from.extended;
  to.sequenceShift = to.nextSequence - from.extended;
  to.timestampShift = (nextTimestamp(to, thread.nowMs) - timestamp) >>> 0;
}

function recode(packet: Uint8Array, end: number, table: Uint8Array): void {
  for (let i = RTP_HEADER; i < end; i++) packet[i] = table[packet[i]!]!;
}
