// Whether a stream may speak to where it would: freely once something has come from there, and before that in advance.

import { begin, end, isGiven, keepForLater, turnOf, usableMs } from "./advance.ts";
import type { Stream } from "./stream.ts";
import { looksLikeStun } from "./stun.ts";
import type { Thread } from "./thread.ts";
import { printIp } from "./wire.ts";

const STUN_MAGIC = 0x2112_a442;
const STUN_HEADER = 20;
const SHORTEST_RTP = 12;

/** Hot: asked for every packet before it takes a number. */
export function maySpeak(thread: Thread, stream: Stream): boolean {
  return stream.sends && stream.to !== undefined && (stream.isProved || isInAdvance(thread, stream));
}

/** Reports go where voice does: they ask for nothing of their own. */
export function mayReport({ nowMs }: Thread, { isProved, advance }: Stream): boolean {
  return isProved || isGiven(advance, nowMs);
}

/** After offer and answer, which may have named another address. */
export function settleAdvance(thread: Thread, stream: Stream, hasMoved: boolean): void {
  keepForLater(stream.advance, thread.nowMs, stream.settings?.isEarly === true);
  if (!hasMoved) return;
  if (stream.isProved) leavePlace(thread, stream, "word");
  else begin(stream.advance, thread.nowMs);
}

/** Its address is believed from now on: `lockTo` has said so, or what has just come. */
export function noteProved(thread: Thread, stream: Stream): void {
  leavePlace(thread, stream, "proof");
  thread.keeper?.note(stream);
}

/**
 * What came may show that somebody there takes part, from whatever port a translator of addresses gave it. Where voice is
 * encrypted only what opens does; a check (STUN) that no password covers says as much as one that we cannot read.
 */
export function noticeProof(thread: Thread, stream: Stream, length: number): void {
  const { packet, fromIp } = thread.wire;
  if (fromIp !== stream.to?.ip || !showsTakingPart(stream, packet, length)) return;
  prove(thread, stream);
}

/** A report of the other side's was read. */
export function noticeReport(thread: Thread, stream: Stream): void {
  if (!stream.isProved && thread.wire.fromIp === stream.to?.ip) prove(thread, stream);
}

function prove(thread: Thread, stream: Stream): void {
  stream.believeIn(thread.wire.fromIp);
  noteProved(thread, stream);
}

function leavePlace(thread: Thread, { advance, id }: Stream, by: "proof" | "word"): void {
  const is = end(advance, thread.nowMs, by);
  if (is) thread.tellAdvance({ is, stream: id });
}

function showsTakingPart({ settings }: Stream, packet: Buffer, length: number): boolean {
  if (looksLikeStun(packet)) return length >= STUN_HEADER && packet.readUInt32BE(4) === STUN_MAGIC;
  const isKeyed = settings?.srtp !== undefined || settings?.dtls !== undefined;
  return !isKeyed && length >= SHORTEST_RTP && (packet[0]! & 0xc0) === 0x80;
}

function isInAdvance(thread: Thread, stream: Stream): boolean {
  const turn = turnOf(stream.advance, thread.nowMs);
  if (turn === "send") return true;
  // Whatever is passed on when it may speak again has numbers that go on where they ended.
  stream.relayFrom = undefined;
  const source = stream.settings?.source;
  const forMs = usableMs(stream.advance);
  if (turn === "ask" && source) thread.tellAdvance({ is: "asks", stream: stream.id, source, forMs });
  if (turn === "tell") {
    const why = stream.advance.at === "over" ? "silent" : "many";
    thread.tell({ is: "held-back", stream: stream.id, address: printIp(stream.to?.ip ?? 0), why });
  }
  return false;
}
