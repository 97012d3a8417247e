// Voice to an address that is only named in SDP: what goes there, and what opens it.

import { expect, test } from "vitest";
import type { StreamSettings } from "../engine.ts";
import type { AdvanceNews } from "./advance.ts";
import { closeStream, enter } from "./lifecycle.ts";
import { handlers } from "./obey.ts";
import { receiveRtcp, receiveRtp } from "./receive.ts";
import { Stream } from "./stream.ts";
import { SLOW_ROUNDS, type Thread } from "./thread.ts";
import { slowTick, tick } from "./tick.ts";
import { type Address, PACKET_BYTES, parseIp, printIp } from "./wire.ts";

const HOME = "192.0.2.10";
const VICTIM = "203.0.113.9";
const FRIEND = "198.51.100.8";
const PORT = 4_000;
const SOURCE = { is: "address", name: HOME, exchange: 1 } as const;
const STUN = "000100002112a442000102030405060708090a0b";

/** Somebody who signals from HOME and names an address, joined to a friend who speaks. */
function call(settings: Partial<StreamSettings> = {}) {
  const sent: { to: string }[] = [];
  const told: { is: string }[] = [];
  const news: AdvanceNews[] = [];
  const packet = Buffer.alloc(PACKET_BYTES);
  const wire = {
    ...{ packet, fromIp: parseIp(FRIEND)!, fromPort: PORT, stampMs: 0 }, // it is one
    send: (_socket: number, _octets: Uint8Array, _length: number, to: Address) =>
      void sent.push({ to: printIp(to.ip) }),
    drain: () => 0,
    setPatient() {},
    collect() {},
    close() {},
  };
  const thread = {
    wire,
    pools: [{ ports: { giveBack() {} } }],
    mediaTimeoutMs: 0,
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
    tell: (event: { is: string }) => void told.push(event),
    tellAdvance: (one: AdvanceNews) => void news.push(one),
  } as unknown as Thread; // as much of one as packets and beats need
  const open = (id: string, rtp: number, hint: string) => {
    const made = { id, rtp, rtcp: rtp + 1, port: 20_000 + 2 * rtp, at: 0, told: "", random: () => 7, nowMs: 0 };
    const stream = new Stream({ ...made, hintIp: parseIp(hint)! }); // it is one
    enter(thread, stream);
    return stream;
  };
  const settle = (id: string, more: Partial<StreamSettings>) => {
    const agreed: StreamSettings = {
      codec: "PCMA",
      payloadType: 8,
      remote: { address: HOME, port: PORT },
      direction: "sendrecv",
    };
    handlers.settle(thread, { do: "settle", stream: id, settings: { ...agreed, ...more } }, () => {});
  };
  const one = open("one", 1, HOME);
  const friend = open("friend", 3, FRIEND);
  const names = (address: string) => settle("one", { source: SOURCE, ...settings, remote: { address, port: PORT } });
  settle("friend", { remote: { address: FRIEND, port: PORT } });
  const hears = (stream: Stream, from: string, octets: Buffer, port = PORT) => {
    packet.fill(0);
    packet.set(octets);
    wire.fromIp = parseIp(from)!; // it is one
    wire.fromPort = port;
    if (port === PORT + 1) receiveRtcp(thread, stream, octets.length);
    else receiveRtp(thread, stream, octets.length);
  };
  let sequence = 0;
  const voice = () => {
    const octets = Buffer.alloc(172, 0xd5);
    octets.set([0x80, 8, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9]);
    octets.writeUInt16BE(++sequence & 0xffff, 2);
    octets.writeUInt32BE(sequence * 160, 4);
    return octets;
  };
  return {
    ...{ one, names, told, news },
    voice,
    /** Datagrams to each address since it was asked before. */
    sent() {
      const all: Record<string, number> = {};
      for (const { to } of sent.splice(0)) all[to] = (all[to] ?? 0) + 1;
      return all;
    },
    join: () => handlers.join(thread, { do: "join", stream: "one", other: "friend" }, () => {}),
    play() {
      const sounds = [{ is: "silence", ms: 600_000 }] as const;
      handlers.play(
        thread,
        { do: "play", stream: "one", sounds: [...sounds], times: 1, isInterruptible: false },
        () => {},
      );
    },
    grant: () => handlers.advance(thread, { do: "advance", stream: "one" }, () => {}),
    comes: (from: string, octets: Buffer, port?: number) => hears(one, from, octets, port),
    /** The friend speaks for so long, and whatever is asked for is given unless it is said. */
    pass(ms: number, { gives = true } = {}) {
      for (let passed = 0; passed < ms; passed += 20) {
        thread.nowMs += 20;
        hears(friend, FRIEND, voice());
        tick(thread, (_stream, why) => {
          throw why;
        });
        for (let round = 0; round < SLOW_ROUNDS; round++) slowTick(thread, round);
        if (gives && one.advance.at === "asked") this.grant();
      }
    },
    close: () => closeStream(thread, one),
  };
}

test.each(["passed on", "played"])(
  "voice that is %s goes to a third address for five seconds, reports included",
  (how) => {
    const line = call();
    line.names(VICTIM);
    if (how === "played") line.play();
    else line.join();
    line.pass(60_000);
    const { [VICTIM]: packets = 0 } = line.sent();
    expect(packets).toBeGreaterThan(200);
    expect(packets).toBeLessThanOrEqual(252);
    expect(line.told).toEqual([{ is: "held-back", stream: "one", address: VICTIM, why: "silent" }]);
    line.pass(60_000);
    line.close();
    expect(line.sent()[VICTIM]).toBeUndefined();
  },
);

test("without a place nothing goes there at all", () => {
  const line = call();
  line.names(VICTIM);
  line.join();
  line.pass(10_000, { gives: false });
  line.close();
  expect(line.sent()[VICTIM]).toBeUndefined();
  expect(line.told).toEqual([{ is: "held-back", stream: "one", address: VICTIM, why: "many" }]);
});

test("where it signals from, and where somebody vouches for, is spoken to at once", () => {
  for (const [address, settings] of [[HOME], [VICTIM, { isVouched: true }]] as const) {
    const line = call(settings);
    line.names(address);
    line.join();
    line.pass(20_000, { gives: false });
    expect(line.sent()[address]).toBeGreaterThan(950);
    expect([line.told, line.news]).toEqual([[], []]);
  }
});

test("of whoever settles it himself nothing is asked", () => {
  const line = call({ source: undefined as never });
  line.names(VICTIM);
  line.join();
  line.pass(20_000, { gives: false });
  expect(line.sent()[VICTIM]).toBeGreaterThan(950);
});

const signs: Record<string, (line: ReturnType<typeof call>) => [Buffer, number?]> = {
  voice: ({ voice }) => [voice()],
  "voice from another port": ({ voice }) => [voice(), 4_444],
  "comfort noise": ({ voice }) => [Buffer.concat([Buffer.from([0x80, 13]), voice().subarray(2, 13)])],
  "a report": () => [Buffer.from("80c9000109090909", "hex"), PORT + 1],
  "a check": () => [Buffer.from(STUN, "hex")],
};

test.each(Object.keys(signs))("%s from there opens it, late as it may be", (sign) => {
  const line = call();
  line.names(VICTIM);
  line.join();
  line.pass(20_000);
  line.sent();
  line.comes(VICTIM, ...signs[sign]!(line)); // one of its keys
  line.pass(20_000);
  expect(line.sent()[VICTIM]).toBeGreaterThan(950);
  expect(new Set(line.news.map(({ is }) => is))).toEqual(new Set(["asks", "proved"]));
});

test("what comes from elsewhere, or is nothing of the kind, opens nothing", () => {
  const line = call();
  line.names(VICTIM);
  line.join();
  line.pass(6_000);
  line.sent();
  line.comes(FRIEND, line.voice());
  line.comes(HOME, line.voice());
  line.comes(VICTIM, Buffer.from("hello, who is there?"));
  line.comes(VICTIM, Buffer.from("80c90001", "hex"), PORT + 1);
  line.comes(VICTIM, Buffer.from(STUN.replace("2112a442", "00000000"), "hex"));
  line.pass(2_000);
  expect(line.sent()[VICTIM]).toBeUndefined();
});

test("where voice is encrypted only what opens counts", () => {
  const keys = { suite: "AES_CM_128_HMAC_SHA1_80", localKey: "A".repeat(40), remoteKey: "B".repeat(40) } as const;
  const line = call({ srtp: keys });
  line.names(VICTIM);
  line.join();
  line.pass(6_000);
  line.sent();
  line.comes(VICTIM, line.voice());
  line.pass(1_000);
  expect(line.sent()[VICTIM]).toBeUndefined();
});

test("one address after the other gets five seconds between them", () => {
  const line = call();
  line.join();
  const all: Record<string, number> = {};
  for (let at = 1; at <= 20; at++) {
    line.names(`203.0.113.${at}`);
    line.pass(2_000);
    for (const [to, count] of Object.entries(line.sent())) if (to !== FRIEND) all[to] = count;
    line.names(HOME);
    line.pass(100);
    line.sent();
  }
  expect(Object.values(all).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(260);
  expect(Object.keys(all).length).toBeLessThanOrEqual(4);
});

test("an address that has shown itself stays good for the call when voice comes back to it", () => {
  const line = call();
  line.names(VICTIM);
  line.join();
  line.comes(VICTIM, line.voice());
  line.names(HOME);
  line.pass(100);
  line.names(VICTIM);
  line.sent();
  line.pass(20_000, { gives: false });
  expect(line.sent()[VICTIM]).toBeGreaterThan(950);
});

test("when it opens late, its numbers go on where they ended", () => {
  const line = call();
  line.names(VICTIM);
  line.join();
  line.pass(5_100);
  const before = line.one.nextSequence;
  line.pass(60_000);
  expect(line.one.nextSequence).toBe(before);
  line.comes(VICTIM, line.voice());
  line.pass(20);
  expect(line.one.nextSequence).toBe((before + 1) & 0xffff);
});
