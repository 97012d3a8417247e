// Every datagram passes here: is it ours, is it sound, and where does it go?

import { EVENT_BYTES } from "../../codecs/telephone-event.ts";
import { noteProved, noticeProof, noticeReport } from "./advance-stream.ts";
import { countIn, countJitter } from "./counting.ts";
import { looksLikeDtls, takeDtls } from "./dtls-stream.ts";
import type { Hearing } from "./hearing.ts";
import { isVouched, takeCheck } from "./ice.ts";
import { takeHeard } from "./keys.ts";
import { lockTo, mayLearn } from "./learn.ts";
import { beginHearing } from "./plan.ts";
import { type Relayed, relay } from "./relay.ts";
import { readRtcp, reportSession } from "./rtcp.ts";
import { headerLength, looksLikeRtcp, payloadEnd, timestampOf } from "./rtp.ts";
import type { Stream } from "./stream.ts";
import { looksLikeStun } from "./stun.ts";
import type { Thread } from "./thread.ts";
import { type Ip, PACKET_BYTES } from "./wire.ts";

/** RFC 3389. Some send it without having named it. */
const COMFORT_NOISE = 13;

/** When it is passed on it must have room for the longest tag. */
const LONGEST_PACKET = PACKET_BYTES - 32;

/** One packet at a time is looked at, so one description is enough. */
const at: Relayed = { header: 0, end: 0, timestamp: 0, isEvent: false };

/** Hot. */
export function receiveRtp(thread: Thread, stream: Stream, length: number): void {
  const { packet, fromIp, fromPort } = thread.wire;
  if (stream.ice && looksLikeStun(packet)) return takeCheck(thread, stream, length);
  if (!stream.isProved) noticeProof(thread, stream, length);
  const isKnown = stream.locked && fromIp === stream.sourceIp && fromPort === stream.sourcePort;
  if (!stream.settings || (!isKnown && !mayBelieve(stream, fromIp, fromPort)) || length < 12) {
    stream.refused += 1;
    return;
  }
  if (stream.dtls && looksLikeDtls(packet)) return takeDtls(thread, stream, "rtp", length);
  if (stream.awaitsKeys || length > LONGEST_PACKET) {
    stream.refused += 1;
    return;
  }
  if (stream.settings.rtcpMux && looksLikeRtcp(packet)) {
    receiveRtcp(thread, stream, length);
    return;
  }
  const whole = stream.srtp ? stream.srtp.unprotect(packet, length) : length;
  at.header = whole < 0 ? -1 : headerLength(packet, whole);
  at.end = at.header < 0 ? -1 : payloadEnd(packet, at.header, whole);
  const payloadType = packet[1]! & 0x7f;
  at.isEvent = payloadType === stream.eventIn;
  // Comfort noise and codecs nobody agreed on are no reason to believe a source; from one that is believed they are a
  // sign of life all the same.
  if (at.end < 0 || (!at.isEvent && payloadType !== stream.payloadIn)) {
    if (at.end >= 0 && isKnown) noteAlive(stream, thread.nowMs);
    if (payloadType !== COMFORT_NOISE || at.end < 0) stream.refused += 1;
    return;
  }
  if (!isKnown && !stream.ice) {
    lockTo(stream, fromIp, fromPort);
    noteProved(thread, stream);
  }
  take(thread, stream, packet);
}

/** Asked only for packets that do not come from where it was learned to be. */
function mayBelieve(stream: Stream, ip: Ip, port: number): boolean {
  return stream.ice ? isVouched(stream.ice, ip, port) : mayLearn(stream, ip, port);
}

export function receiveRtcp(thread: Thread, stream: Stream, length: number): void {
  const { packet, fromIp } = thread.wire;
  // Reports come from another port; the address is what can be checked.
  const isExpected = stream.locked
    ? fromIp === stream.sourceIp
    : fromIp === stream.signalledIp || (fromIp === stream.natIp && fromIp !== 0);
  if (isExpected && stream.dtls && looksLikeDtls(packet)) return takeDtls(thread, stream, "rtcp", length);
  const whole = isExpected ? openedReport(stream, packet, length) : -1;
  if (whole < 0) stream.refused += 1;
  else if (readRtcp(stream, packet, whole, thread.nowMs)) {
    noticeReport(thread, stream);
    noteAlive(stream, thread.nowMs);
  }
}

function openedReport(stream: Stream, packet: Buffer, length: number): number {
  const session = reportSession(stream);
  if (session) return session.unprotectRtcp(packet, length);
  return stream.dtls ? -1 : length;
}

function take(thread: Thread, stream: Stream, packet: Buffer): void {
  const epoch = stream.epoch;
  at.timestamp = timestampOf(packet);
  countIn(stream, packet);
  noteAlive(stream, thread.nowMs);
  if (epoch !== stream.epoch) stream.hearing?.restart();
  if (!stream.receives) return;
  if (at.isEvent) takeEvent(thread, stream, packet);
  else takeAudio(thread, stream, packet);
}

function takeAudio(thread: Thread, stream: Stream, packet: Buffer): void {
  countJitter(stream, at.timestamp, thread.wire.stampMs || thread.nowMs);
  if (stream.isHeard) hearingOf(thread, stream).put(stream.extended, packet, at.header, at.end);
  // Last, because passing it on rewrites it.
  if (stream.relayTo) relay(thread, stream, stream.relayTo, at);
}

function takeEvent(thread: Thread, stream: Stream, packet: Buffer): void {
  if (at.end - at.header < EVENT_BYTES) return;
  stream.eventAtMs = thread.nowMs;
  if (stream.isHeard) hearingOf(thread, stream).put(stream.extended, packet, at.header, at.header);
  const heard = stream.events.read(at.timestamp, packet, at.header);
  const relayTo = stream.relayTo;
  if (heard.is !== "nothing") takeHeard(thread, stream, heard);
  if (relayTo && relayTo === stream.relayTo && relayTo.eventOut >= 0) relay(thread, stream, relayTo, at);
}

function hearingOf(thread: Thread, stream: Stream): Hearing {
  return stream.hearing ?? beginHearing(thread, stream);
}

function noteAlive(stream: Stream, nowMs: number): void {
  stream.heardAtMs = nowMs;
  stream.saidSilent = false;
}
