// What counts as a sign of life, on a clock that is wound by hand.

import { expect, test } from "vitest";
import type { StreamSettings } from "../engine.ts";
import { handlers } from "./obey.ts";
import { receiveRtcp, receiveRtp } from "./receive.ts";
import { Stream } from "./stream.ts";
import { SLOW_ROUNDS, type Thread } from "./thread.ts";
import { slowTick } from "./tick.ts";
import { parseIp } from "./wire.ts";

const PHONE = { address: "198.51.100.7", port: 4000 };
const LIMIT_MS = 30_000;

function quietLine({
  mediaTimeoutMs = LIMIT_MS,
  settings = {},
}: {
  mediaTimeoutMs?: number;
  settings?: Partial<StreamSettings>;
} = {}) {
  const stream = new Stream({
    id: "one",
    rtp: 1,
    rtcp: 2,
    port: 20_000,
    at: 0,
    told: "",
    hintIp: 0,
    random: () => 1,
    nowMs: 0,
  });
  const told: string[] = [];
  const packet = Buffer.alloc(2048);
  const wire = {
    packet,
    fromIp: parseIp(PHONE.address) ?? 0,
    fromPort: PHONE.port,
    send() {},
    drain: () => 0,
    setPatient() {},
    collect() {},
    stampMs: 0,
  };
  const thread = {
    wire,
    mediaTimeoutMs,
    nowMs: 0,
    rounds: Array.from({ length: SLOW_ROUNDS }, () => new Set([stream])),
    streams: new Map([["one", stream]]),
    openEvents: new Set(),
    paced: new Set(),
    decoded: new Set(),
    tell: ({ is }: { is: string }) => told.push(is),
  } as unknown as Thread; // as much of one as packets and silence need
  const settle = (direction: StreamSettings["direction"]) => {
    const agreed: StreamSettings = { codec: "PCMA", payloadType: 8, remote: PHONE, direction, ...settings };
    handlers.settle(thread, { do: "settle", stream: "one", settings: agreed }, () => {});
  };
  settle("sendrecv");
  const hear = (octets: number[], port = PHONE.port) => {
    packet.set(octets);
    wire.fromPort = port;
    if (port === PHONE.port) receiveRtp(thread, stream, octets.length);
    else receiveRtcp(thread, stream, octets.length);
  };
  let sequence = 0;
  return {
    told,
    settle,
    voice: (type = 8) => hear([0x80, type, 0, ++sequence, 0, 0, 0, 0, 9, 9, 9, 9, ...new Array(160).fill(0xd5)]),
    noise: () => hear([0x80, 13, 0, ++sequence, 0, 0, 0, 0, 9, 9, 9, 9, 60]),
    report: () => hear([0x80, 201, 0, 1, 9, 9, 9, 9], PHONE.port + 1),
    garbage: () => hear([0x80, 200, 0, 0], PHONE.port + 1),
    pass(ms: number) {
      thread.nowMs += ms;
      slowTick(thread, 0);
    },
  };
}

test("without any sign the line is told silent once, when its time has passed", () => {
  const line = quietLine();
  line.voice();
  line.pass(LIMIT_MS - 1);
  expect(line.told).toEqual([]);
  line.pass(2);
  line.pass(LIMIT_MS);
  expect(line.told).toEqual(["silent"]);
  line.voice();
  line.pass(LIMIT_MS + 1);
  expect(line.told).toEqual(["silent", "silent"]);
});

test.each(["voice", "noise", "report"] as const)("%s alone keeps a line alive", (sign) => {
  const line = quietLine();
  line.voice();
  for (let minutes = 0; minutes < 10; minutes++) {
    line.pass(LIMIT_MS - 1_000);
    line[sign]();
  }
  line.pass(LIMIT_MS - 1_000);
  expect(line.told).toEqual([]);
});

test("noise from somebody who was never heard, and what is no report, are no signs", () => {
  const line = quietLine();
  line.noise();
  line.pass(LIMIT_MS - 1_000);
  line.noise();
  line.garbage();
  line.pass(2_000);
  expect(line.told).toEqual(["silent"]);
});

test.each(["sendonly", "recvonly", "inactive"] as const)(
  "a call on hold (%s) lives on, and has its full time afterwards",
  (direction) => {
    const line = quietLine();
    line.voice();
    line.settle(direction);
    line.pass(LIMIT_MS * 100);
    expect(line.told).toEqual([]);
    line.settle("sendrecv");
    line.pass(LIMIT_MS - 1);
    expect(line.told).toEqual([]);
    line.pass(2);
    expect(line.told).toEqual(["silent"]);
  },
);

test("a limit of nothing is none", () => {
  const line = quietLine({ mediaTimeoutMs: 0 });
  line.pass(LIMIT_MS * 1000);
  expect(line.told).toEqual([]);
});

test("a browser that has not found its way yet is told to be missing again and again, and not to be silent", () => {
  const ice = { localUfrag: "ours", localPassword: "a password of some length", remoteUfrag: "theirs" };
  const line = quietLine({ settings: { ice, rtcpMux: true } });
  for (const _ of [1, 2]) line.pass(LIMIT_MS);
  line.pass(LIMIT_MS - 1);
  expect(line.told).toEqual(["unreachable", "unreachable"]);
});
