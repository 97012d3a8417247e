// Everything that leaves a stream: its own numbers, its own clock, encrypted if agreed.

import type { PcmRate } from "../../codecs/shape.ts";
import { writeEvent } from "../../codecs/telephone-event.ts";
import { maySpeak } from "./advance-stream.ts";
import type { Press } from "./event-sender.ts";
import { RTP_HEADER, writeSequence, writeUint32 } from "./rtp.ts";
import type { Stream } from "./stream.ts";
import { outgoing, type Thread } from "./thread.ts";

/** After a longer pause the timestamp moves by the time that passed. */
const PAUSE_MS = 100;

/** One frame of our own making, at one of its codec's rates. */
export function sendFrame(thread: Thread, stream: Stream, pcm: Int16Array, rate: PcmRate): void {
  if (!maySpeak(thread, stream)) return;
  if (stream.encodeCodec !== stream.codec || stream.encodeRate !== rate) openEncoder(stream, rate);
  const timestamp = nextTimestamp(stream, thread.nowMs);
  const encode = stream.encode!; // opened above
  const asked = encode.heed && stream.hearing?.asks();
  if (asked !== undefined) encode.heed?.(asked);
  const bytes = encode(pcm, outgoing, RTP_HEADER);
  if (bytes === 0) return;
  sendOwn(thread, stream, { payloadType: stream.payloadOut, timestamp, bytes });
  stream.lastTimestamp = timestamp;
}

function openEncoder(stream: Stream, rate: PcmRate): void {
  const encode = stream.codec.openEncoder(undefined, rate); // first: it may fail, and what is closed is closed once
  stream.encode?.close?.();
  stream.encode = encode;
  stream.encodeCodec = stream.codec;
  stream.encodeRate = rate;
}

/** A packet whose payload lies in `outgoing` behind the header. */
function sendOwn(
  thread: Thread,
  stream: Stream,
  { payloadType, timestamp, bytes }: { payloadType: number; timestamp: number; bytes: number },
): void {
  outgoing[0] = 0x80;
  outgoing[1] = payloadType | (stream.wantsMarker ? 0x80 : 0);
  writeSequence(outgoing, stream.nextSequence);
  writeUint32(outgoing, 4, timestamp);
  writeUint32(outgoing, 8, stream.ssrcOut);
  stream.nextSequence = (stream.nextSequence + 1) & 0xffff;
  stream.wantsMarker = false;
  // What is being relayed moves up by one, and nothing older may come after it.
  if (stream.relayFrom) {
    stream.sequenceShift += 1;
    stream.relayFirst = stream.relayFrom.highest + 1;
  }
  transmit(thread, stream, outgoing, RTP_HEADER + bytes);
}

/** One packet of a key that is pressed. */
export function sendPress(thread: Thread, stream: Stream, { event, units, timestamp, isEnd }: Press): void {
  if (stream.eventOut < 0 || !maySpeak(thread, stream)) return;
  const bytes = writeEvent(outgoing, RTP_HEADER, { event, durationUnits: units, isEnd });
  sendOwn(thread, stream, { payloadType: stream.eventOut, timestamp, bytes });
  stream.lastTimestamp = (timestamp + units) >>> 0;
}

export function nextTimestamp(stream: Stream, nowMs: number): number {
  const frame = stream.codec.clockRate / 50;
  const passedMs = nowMs - stream.sentAtMs;
  if (passedMs <= PAUSE_MS) return (stream.lastTimestamp + frame) >>> 0;
  stream.wantsMarker = true;
  return (stream.lastTimestamp + frame * Math.round(passedMs / 20)) >>> 0;
}

/** Hot: the last step of every packet. */
export function transmit(thread: Thread, stream: Stream, packet: Buffer, length: number): void {
  if (stream.awaitsKeys) return;
  let size = length;
  stream.packetsOut += 1;
  stream.octetsOut += length - RTP_HEADER;
  stream.sentAtMs = thread.nowMs;
  if (stream.srtp) size = stream.srtp.protect(packet, length);
  thread.wire.send(stream.out, packet, size, stream.to!); // callers send only where an address is known
}
