// Two streams of a media thread without its sockets: the packets of one are handed in as if they had come, and what goes out
// to the other is counted.

import { codecs } from "../../src/codecs/codec.ts";
import { makeCertificate } from "../../src/media/embedded/certificate.ts";
import { closeStream, enter } from "../../src/media/embedded/lifecycle.ts";
import { handlers } from "../../src/media/embedded/obey.ts";
import { receiveRtcp, receiveRtp } from "../../src/media/embedded/receive.ts";
import { Stream } from "../../src/media/embedded/stream.ts";
import { SLOW_ROUNDS, type Thread } from "../../src/media/embedded/thread.ts";
import { slowTick, tick } from "../../src/media/embedded/tick.ts";
import { PACKET_BYTES, parseIp } from "../../src/media/embedded/wire.ts";
import type { CodecName, StreamSettings } from "../../src/media/engine.ts";

const REMOTE = { one: "198.51.100.7", other: "198.51.100.8" };
const PORT = 4_000;
const TICK_MS = 20;

export type MediaLine = {
  one: Stream;
  /** Datagrams that went out since it was asked before, each with its length. */
  sent(): Buffer[];
  told: string[];
  hear(packet: Uint8Array, port?: "rtp" | "rtcp"): void;
  /** A beat of the thread passes. */
  tick(): void;
  close(): void;
};

export type LineOptions = {
  settings?: Partial<StreamSettings>;
  otherSettings?: Partial<StreamSettings>;
  /** Passed on as they are, or decoded and mixed. */
  how?: "joined" | "mixed";
};

export function mediaLine({ settings = {}, otherSettings = {}, how = "joined" }: LineOptions = {}): MediaLine {
  const out: Buffer[] = [];
  const told: string[] = [];
  const packet = Buffer.alloc(PACKET_BYTES);
  const from = parseIp(REMOTE.one)!; // it is one
  const wire = {
    packet,
    fromIp: from,
    fromPort: PORT,
    stampMs: 0,
    send: (_socket: number, octets: Uint8Array, length: number) =>
      void out.push(Buffer.from(octets.subarray(0, length))),
    drain: () => 0,
    setPatient() {},
    collect() {},
    close() {},
  };
  const thread = {
    wire,
    pools: [{ ports: { giveBack() {} } }],
    certificate: makeCertificate(),
    mediaTimeoutMs: 30_000,
    nowMs: 0,
    rtpSockets: [],
    rtcpSockets: [],
    rounds: Array.from({ length: SLOW_ROUNDS }, () => new Set()),
    streams: new Map(),
    rooms: new Map(),
    recordings: new Map(),
    openEvents: new Set(),
    paced: new Set(),
    pressing: new Set(),
    decoded: new Set(),
    tell: ({ is }: { is: string }) => void told.push(is),
  } as unknown as Thread; // as much of one as packets and beats need
  const one = streamIn(thread, "one", { rtp: 1, port: 20_000 });
  const other = streamIn(thread, "other", { rtp: 3, port: 20_002 });
  settle(thread, one, settings);
  settle(thread, other, otherSettings);
  if (how === "joined") handlers.join(thread, { do: "join", stream: "one", other: "other" }, () => {});
  else {
    const parties = [
      { stream: "one", hears: ["other"] },
      { stream: "other", hears: ["one"] },
    ];
    handlers.mix(thread, { do: "mix", room: "room", parties }, () => {});
  }
  let beats = 0;
  return {
    one,
    told,
    sent: () => out.splice(0),
    hear(octets, port = "rtp") {
      packet.set(octets);
      wire.fromPort = port === "rtp" ? PORT : PORT + 1;
      if (port === "rtp") receiveRtp(thread, one, octets.length);
      else receiveRtcp(thread, one, octets.length);
    },
    tick() {
      thread.nowMs += TICK_MS;
      tick(thread, (_stream, why) => {
        throw why;
      });
      slowTick(thread, ++beats);
    },
    close() {
      for (const stream of [one, other]) closeStream(thread, stream);
    },
  };
}

function streamIn(thread: Thread, id: "one" | "other", { rtp, port }: { rtp: number; port: number }): Stream {
  const stream = new Stream({
    ...{ id, rtp, rtcp: rtp + 1, port, at: 0, told: "", hintIp: 0, nowMs: 0 },
    random: () => 0x1234_5678,
  });
  enter(thread, stream);
  return stream;
}

function settle(thread: Thread, { id }: Stream, more: Partial<StreamSettings>): void {
  const remote = { address: REMOTE[id as "one"], port: PORT };
  const settings: StreamSettings = { codec: "PCMA", payloadType: 8, remote, direction: "sendrecv", ...more };
  handlers.settle(thread, { do: "settle", stream: id, settings }, () => {});
}

/** Packets of a tone, as a phone sends them; the first has everything that a header can have. */
export function voiceOf(name: CodecName, count: number, payloadType = codecs[name].payloadType): Buffer[] {
  const codec = codecs[name];
  const encode = codec.openEncoder();
  const frame = new Int16Array(codec.pcmRate / 50);
  const packets = Array.from({ length: count }, (_, sequence) => {
    for (let i = 0; i < frame.length; i++) frame[i] = 8_000 * Math.sin((sequence * frame.length + i) / 3);
    const packet = Buffer.alloc(1_500);
    rtpHeader(packet, { payloadType, sequence, timestamp: (sequence * codec.clockRate) / 50 });
    return packet.subarray(0, 12 + encode(frame, packet, 12));
  });
  encode.close?.();
  return packets;
}

export type HeaderOf = { payloadType: number; sequence: number; timestamp: number; ssrc?: number };

export function rtpHeader(packet: Buffer, { payloadType, sequence, timestamp, ssrc = 0x0909_0909 }: HeaderOf): void {
  packet[0] = 0x80;
  packet[1] = payloadType;
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
}
