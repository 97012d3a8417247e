// RTCP: a report every five seconds, a goodbye at the end, and what the other side's reports tell.

import { mayReport } from "./advance-stream.ts";
import { expectedSoFar, lostSoFar } from "./counting.ts";
import { writeUint32 } from "./rtp.ts";
import type { Session } from "./srtp.ts";
import type { Stream } from "./stream.ts";
import type { Thread } from "./thread.ts";

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const DESCRIPTION = 202;
const GOODBYE = 203;
const EVERY_MS = 5000;
/** Seconds between 1900, where NTP begins, and 1970. */
const NTP_EPOCH = 2_208_988_800;

const report = Buffer.alloc(256);

export function sendReportIfDue(thread: Thread, stream: Stream): void {
  if (!stream.toRtcp || !stream.settings || thread.nowMs < stream.rtcpAtMs) return;
  // RFC 3550 section 6.2: spread, so that streams opened together do not report together.
  stream.rtcpAtMs = thread.nowMs + EVERY_MS * (0.5 + Math.random());
  if ((stream.packetsOut === 0 && stream.packetsIn === 0) || !mayReport(thread, stream)) return;
  sendRtcp(thread, stream, writeReport(stream, thread.nowMs));
}

export function sendGoodbye(thread: Thread, stream: Stream): void {
  if (!stream.toRtcp || stream.packetsOut === 0 || !mayReport(thread, stream)) return;
  const at = writeReport(stream, thread.nowMs);
  writeHead(at, GOODBYE, 1, 1);
  writeUint32(report, at + 4, stream.ssrcOut);
  sendRtcp(thread, stream, at + 8);
}

/** With handshakes of their own, RTP and RTCP have keys of their own. */
export function reportSession({ srtp, srtcp, dtls, settings }: Stream): Session | undefined {
  return dtls && !settings?.rtcpMux ? srtcp : srtp;
}

/** True when it was a report from the other side, which is then known to be alive. */
export function readRtcp(stream: Stream, packet: Uint8Array, length: number, nowMs: number): boolean {
  const view = new DataView(packet.buffer, packet.byteOffset, length);
  let isReport = false;
  for (let at = 0; at + 8 <= length; ) {
    const count = packet[at]! & 0x1f;
    const type = packet[at + 1]!;
    const end = at + 4 * (view.getUint16(at + 2) + 1);
    if ((packet[at]! & 0xc0) !== 0x80 || end > length) return isReport;
    if (type === SENDER_REPORT && end >= at + 28) {
      stream.lastReportNtp = view.getUint32(at + 10);
      stream.lastReportAtMs = nowMs;
    }
    const blocks = at + (type === SENDER_REPORT ? 28 : 8);
    if (type === SENDER_REPORT || type === RECEIVER_REPORT) {
      isReport = true;
      for (let i = 0; i < count && blocks + 24 * (i + 1) <= end; i++)
        readBlock(stream, view, { at: blocks + 24 * i, nowMs });
    }
    at = end;
  }
  return isReport;
}

/** What they say about what we sent: only the round trip is of use to us. */
function readBlock(stream: Stream, view: DataView, { at, nowMs }: { at: number; nowMs: number }): void {
  if (view.getUint32(at) !== stream.ssrcOut) return;
  const lastReport = view.getUint32(at + 16);
  if (lastReport === 0) return;
  const units = (middleNtp(stampMs(nowMs)) - lastReport - view.getUint32(at + 20)) >>> 0;
  // A report may be made up; a negative trip shows as an enormous one.
  if (units < 65_536 * 10) stream.roundTripMs = (units * 1000) / 65_536;
}

function writeReport(stream: Stream, nowMs: number): number {
  const hasSent = stream.packetsOut > 0;
  const blocks = stream.received > 0 ? 1 : 0;
  const body = hasSent ? 28 : 8;
  writeHead(0, hasSent ? SENDER_REPORT : RECEIVER_REPORT, blocks, (body + 24 * blocks) / 4 - 1);
  writeUint32(report, 4, stream.ssrcOut);
  if (hasSent) writeSender(stream, nowMs);
  if (blocks) writeBlock(stream, body, nowMs);
  return writeDescription(stream, body + 24 * blocks);
}

/** What the wall said at our start, gone on by ticks: were it set meanwhile, a round trip would come out wrong. */
function stampMs(nowMs: number): number {
  return performance.timeOrigin + nowMs;
}

function writeSender(stream: Stream, nowMs: number): void {
  const wallMs = stampMs(nowMs);
  writeUint32(report, 8, Math.floor(wallMs / 1000) + NTP_EPOCH);
  writeUint32(report, 12, Math.floor(((wallMs % 1000) / 1000) * 0x1_0000_0000));
  const since = Math.round(((nowMs - stream.sentAtMs) * stream.codec.clockRate) / 1000);
  writeUint32(report, 16, (stream.lastTimestamp + since) >>> 0);
  writeUint32(report, 20, stream.packetsOut);
  writeUint32(report, 24, stream.octetsOut);
}

function writeBlock(stream: Stream, at: number, nowMs: number): void {
  const expected = expectedSoFar(stream);
  const expectedNow = expected - stream.expectedBefore;
  const lostNow = expectedNow - (stream.received - stream.receivedBefore);
  stream.expectedBefore = expected;
  stream.receivedBefore = stream.received;
  const fraction = expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0;
  writeUint32(report, at, stream.ssrcIn);
  writeUint32(report, at + 4, Math.min(lostSoFar(stream), 0x7f_ffff));
  report[at + 4] = fraction;
  writeUint32(report, at + 8, stream.highest);
  writeUint32(report, at + 12, Math.round(stream.jitter));
  writeUint32(report, at + 16, stream.lastReportNtp);
  const delay = stream.lastReportNtp === 0 ? 0 : Math.round(((nowMs - stream.lastReportAtMs) * 65_536) / 1000);
  writeUint32(report, at + 20, delay);
}

/** A canonical name that says nothing: random, as RFC 7022 recommends. */
function writeDescription(stream: Stream, at: number): number {
  const name = stream.ssrcOut.toString(16).padStart(8, "0");
  writeHead(at, DESCRIPTION, 1, 5);
  writeUint32(report, at + 4, stream.ssrcOut);
  report[at + 8] = 1;
  report[at + 9] = name.length;
  report.write(name, at + 10, "latin1");
  report.fill(0, at + 18, at + 24);
  return at + 24;
}

function writeHead(at: number, type: number, count: number, words: number): void {
  report[at] = 0x80 | count;
  report[at + 1] = type;
  report[at + 2] = words >> 8;
  report[at + 3] = words & 255;
}

function sendRtcp(thread: Thread, stream: Stream, length: number): void {
  const session = reportSession(stream);
  if (!session && stream.dtls) return;
  const size = session ? session.protectRtcp(report, length) : length;
  const socket = stream.settings?.rtcpMux ? stream.out : stream.rtcp;
  thread.wire.send(socket, report, size, stream.toRtcp!); // callers checked that it is known
}

/** The middle 32 of NTP's 64 bits. */
function middleNtp(wallMs: number): number {
  const seconds = (Math.floor(wallMs / 1000) + NTP_EPOCH) & 0xffff;
  return seconds * 65_536 + Math.floor(((wallMs % 1000) / 1000) * 65_536);
}
