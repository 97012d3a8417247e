// Whose packets are believed.

import { expect, test } from "vitest";
import type { Latching } from "../engine.ts";
import { expectFrom, isPrivate, lockTo, mayLearn } from "./learn.ts";
import { Stream } from "./stream.ts";
import { parseIp, printIp } from "./wire.ts";

const ip = (text: string) => parseIp(text)!;

function streamTo(address: string, hint?: string, latching?: Latching): Stream {
  const made = { id: "s", rtp: 1, rtcp: 2, port: 4000, at: 0, told: "", random: () => 1, nowMs: 0 };
  const stream = new Stream({ ...made, hintIp: hint === undefined ? 0 : ip(hint) });
  const remote = { address, port: 5000 };
  if (latching) stream.settings = { codec: "PCMA", payloadType: 8, direction: "sendrecv", remote, latching };
  expectFrom(stream, remote, 5001);
  return stream;
}

test.each([
  ["198.51.100.7", undefined, "198.51.100.7", true],
  ["198.51.100.7", undefined, "198.51.100.8", false],
  ["198.51.100.7", "203.0.113.9", "203.0.113.9", false],
  ["192.168.1.5", "203.0.113.9", "203.0.113.9", true],
  ["192.168.1.5", "203.0.113.9", "192.168.1.5", true],
  ["192.168.1.5", "203.0.113.9", "203.0.113.10", false],
  ["10.1.2.3", "192.168.1.1", "192.168.1.1", true],
  ["100.64.3.3", "203.0.113.9", "203.0.113.9", true],
  ["192.168.1.5", undefined, "203.0.113.9", false],
  ["2001:db8::7", undefined, "2001:DB8:0::7", true],
  ["2001:db8::7", undefined, "2001:db8::8", false],
  ["fd00::5", "2001:db8::9", "2001:db8::9", true],
  ["fe80::5", "2001:db8::9", "2001:db8::9", true],
  ["2001:db8::7", "2001:db8::9", "2001:db8::9", false],
  ["fd00::5", "203.0.113.9", "203.0.113.9", false],
  ["::ffff:198.51.100.7", undefined, "198.51.100.7", true],
])("signalled %s, signalling from %s: a packet from %s is believed: %s", (signalled, hint, from, believed) => {
  expect(mayLearn(streamTo(signalled, hint), ip(from), 7777)).toBe(believed);
});

test("once learned nobody else is, except the very place that was signalled", () => {
  const stream = streamTo("198.51.100.7");
  lockTo(stream, ip("198.51.100.7"), 7777);
  expect(mayLearn(stream, ip("198.51.100.7"), 7778)).toBe(false);
  expect(mayLearn(stream, ip("198.51.100.7"), 5000)).toBe(true);
  expect(stream.to).toMatchObject({ ip: ip("198.51.100.7"), port: 7777 });
  expect(stream.toRtcp).toMatchObject({ port: 7778 });
});

test("signalling the same place again changes nothing, another place starts learning anew without the old phone", () => {
  const stream = streamTo("198.51.100.7");
  lockTo(stream, ip("198.51.100.7"), 7777);
  expectFrom(stream, { address: "198.51.100.7", port: 5000 }, 5001);
  expect(stream.locked).toBe(true);
  expectFrom(stream, { address: "0.0.0.0", port: 5000 }, 5001);
  expect(stream.locked).toBe(true);
  expectFrom(stream, { address: "198.51.100.7", port: 6000 }, 6001);
  expect(stream.locked).toBe(false);
  expect(mayLearn(stream, ip("198.51.100.7"), 7777)).toBe(false);
  expect(mayLearn(stream, ip("198.51.100.7"), 6000)).toBe(true);
});

test("until something is heard, packets go to the signalled place, or where the signalling came from", () => {
  expect(streamTo("198.51.100.7", "203.0.113.9").to).toMatchObject({ ip: ip("198.51.100.7"), port: 5000 });
  expect(streamTo("192.168.1.5", "203.0.113.9").to).toMatchObject({ ip: ip("203.0.113.9"), port: 5000 });
});

test("a hold of the old kind moves nobody, in either family", () => {
  const stream = streamTo("2001:db8::7");
  expectFrom(stream, { address: "::", port: 5000 }, 5001);
  expect(stream.to).toMatchObject({ ip: ip("2001:db8::7"), port: 5000 });
});

test("addresses are read and printed, and names are no addresses", () => {
  expect(printIp(ip("203.0.113.255"))).toBe("203.0.113.255");
  expect(printIp(ip("2001:db8::ff:1"))).toBe("2001:db8::ff:1");
  expect(printIp(ip("::ffff:203.0.113.255"))).toBe("203.0.113.255");
  for (const wrong of ["", "1.2.3", "256.1.1.1", "a.b.c.d", "1.2.3.4.5", ":::"]) expect(parseIp(wrong)).toBeUndefined();
  expect(["172.15.0.1", "172.16.0.1", "169.254.1.1", "8.8.8.8"].map((text) => isPrivate(ip(text)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("a line may have only the signalled place believed, or whoever speaks first", () => {
  const strict = streamTo("192.168.1.5", "203.0.113.9", "never");
  expect(mayLearn(strict, ip("192.168.1.5"), 5000)).toBe(true);
  expect(mayLearn(strict, ip("192.168.1.5"), 7777)).toBe(false);
  expect(mayLearn(strict, ip("203.0.113.9"), 5000)).toBe(false);
  expect(strict.to).toMatchObject({ ip: ip("192.168.1.5"), port: 5000 });
  const proxied = streamTo("192.168.1.5", "192.168.1.9", "beside");
  expect(mayLearn(proxied, ip("192.168.1.5"), 7777)).toBe(true);
  expect(mayLearn(proxied, ip("192.168.1.9"), 5000)).toBe(false);
  expect(proxied.to).toMatchObject({ ip: ip("192.168.1.5"), port: 5000 });
  const open = streamTo("198.51.100.7", undefined, "any");
  expect(mayLearn(open, ip("203.0.113.77"), 7777)).toBe(true);
  lockTo(open, ip("203.0.113.77"), 7777);
  expect(open.to).toMatchObject({ ip: ip("203.0.113.77"), port: 7777 });
  expect(mayLearn(open, ip("203.0.113.78"), 7777)).toBe(false);
});
