// Moves a stream from one media thread to another: sockets belong to the process, so only what is known about them travels.
// What is being played or recorded stays behind and ends; who moves is chosen so that this is nobody, if possible.

import type { StreamId } from "../engine.ts";
import { type Advance, carried } from "./advance.ts";
import { adoptDtls } from "./dtls-stream.ts";
import { adoptIce } from "./ice.ts";
import { closeStream, enter } from "./lifecycle.ts";
import { replan } from "./plan.ts";
import { Session, type SessionState } from "./srtp.ts";
import { cryptoLibrary } from "./srtp-crypto.ts";
import { Stream } from "./stream.ts";
import { portsOf, type Thread } from "./thread.ts";
import { type Ip, makeAddress } from "./wire.ts";

const carriedFields = [
  "settings",
  "payloadIn",
  "eventIn",
  "payloadOut",
  "eventOut",
  "keysAside",
  "sends",
  "receives",
  "signalledIp",
  "signalledPort",
  "natIp",
  "sourceIp",
  "sourcePort",
  "locked",
  "formerIp",
  "formerPort",
  "isProved",
  "provedIps",
  "greetings",
  "ssrcIn",
  "epoch",
  "extended",
  "highest",
  "firstExtended",
  "received",
  "packetsIn",
  "lostBefore",
  "jitter",
  "refused",
  "ssrcOut",
  "nextSequence",
  "lastTimestamp",
  "packetsOut",
  "octetsOut",
  "expectedBefore",
  "receivedBefore",
  "roundTripMs",
  "concealedBefore",
  "awaitsKeys",
  "saysMuted",
  "hearsMuted",
  "faxTones",
  "saidAway",
] as const satisfies (keyof Stream)[];

export type Luggage = {
  id: StreamId;
  rtp: number;
  rtcp: number;
  port: number;
  at: number;
  told: string;
  hintIp: Ip;
  fields: Pick<Stream, (typeof carriedFields)[number]>;
  to: { ip: Ip; port: number } | undefined;
  toRtcp: { ip: Ip; port: number } | undefined;
  srtp: SessionState | undefined;
  srtcp: SessionState | undefined;
  /** Milliseconds ago, since every thread counts time from its own beginning. */
  sentAgoMs: number;
  heardAgoMs: number;
  advance: Advance;
};

export function release(thread: Thread, stream: Stream): Luggage {
  const fields = Object.fromEntries(carriedFields.map((name) => [name, stream[name]]));
  const luggage: Luggage = {
    id: stream.id,
    rtp: stream.rtp,
    rtcp: stream.rtcp,
    port: stream.port,
    at: stream.at,
    told: stream.told,
    hintIp: stream.hintIp,
    fields: fields as Luggage["fields"], // made of exactly these names
    to: stream.to && { ip: stream.to.ip, port: stream.to.port },
    toRtcp: stream.toRtcp && { ip: stream.toRtcp.ip, port: stream.toRtcp.port },
    srtp: stream.srtp?.state(),
    srtcp: stream.srtcp?.state(),
    sentAgoMs: thread.nowMs - stream.sentAtMs,
    heardAgoMs: thread.nowMs - stream.heardAtMs,
    advance: carried(stream.advance, -thread.nowMs),
  };
  closeStream(thread, stream, "moves");
  return luggage;
}

export function adopt(
  thread: Thread,
  { fields, to, toRtcp, srtp, srtcp, sentAgoMs, heardAgoMs, advance, ...made }: Luggage,
): void {
  const stream = new Stream({ ...made, random: thread.random, nowMs: thread.nowMs });
  Object.assign(stream, fields);
  stream.useCodec(fields.settings?.codec, fields.settings?.form);
  stream.to = to && makeAddress(to.ip, to.port);
  stream.toRtcp = toRtcp && makeAddress(toRtcp.ip, toRtcp.port);
  stream.srtp = srtp && Session.from(srtp, cryptoLibrary());
  stream.srtcp = srtcp && Session.from(srtcp, cryptoLibrary());
  stream.sentAtMs = thread.nowMs - sentAgoMs;
  stream.heardAtMs = thread.nowMs - heardAgoMs;
  stream.advance = carried(advance, thread.nowMs);
  thread.wire.adopt(stream.rtp);
  thread.wire.adopt(stream.rtcp);
  portsOf(thread, stream).adopt(stream);
  enter(thread, stream);
  adoptIce(thread, stream);
  adoptDtls(thread, stream);
  replan(thread, stream);
  thread.keeper?.note(stream);
}
