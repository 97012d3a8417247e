// Numbered datagrams with copies of those before them: what is lost comes again, what is broken is not believed.

import { describe, expect, test } from "vitest";
import { UdptlReceiver, UdptlSender } from "./udptl.ts";

const WIDE = { maxDatagram: 400, redundancy: true };

describe("UDPTL", () => {
  test("carries a packet and the three before it", () => {
    const sender = new UdptlSender(WIDE);
    for (const octet of [1, 2, 3, 4]) sender.wrap(Uint8Array.of(octet));
    expect([...sender.wrap(Uint8Array.of(5, 6))]).toEqual([0, 4, 2, 5, 6, 0, 3, 1, 4, 1, 3, 1, 2]);
  });

  test("brings back three that were lost in a row, each once and in order", () => {
    const sender = new UdptlSender(WIDE);
    const datagrams = [1, 2, 3, 4, 5, 6].map((octet) => sender.wrap(Uint8Array.of(octet)));
    const receiver = new UdptlReceiver();
    const got = [0, 4, 4, 2, 5].flatMap((place) => receiver.unwrap(datagrams[place]!) ?? []);
    expect(got.map(({ sequence, octets }) => [sequence, ...octets])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(receiver).toMatchObject({ recovered: 3, lost: 0 });
  });

  test("counts what nobody brings back, and goes on past 65535", () => {
    const sender = new UdptlSender(WIDE);
    const receiver = new UdptlReceiver();
    let last = receiver.unwrap(sender.wrap(Uint8Array.of(0)));
    for (let n = 1; n < 65_540; n++) {
      const datagram = sender.wrap(Uint8Array.of(n & 255));
      if (n < 10 || n > 65_000) last = receiver.unwrap(datagram);
      else if (n === 40_000 || n === 20_000) receiver.unwrap(datagram);
    }
    expect(last?.map(({ sequence, octets }) => [sequence, ...octets])).toEqual([[3, 3]]);
    expect(receiver.lost).toBe(65_001 - 10 - 2 - 9);
  });

  test("leaves copies out that would not fit, and all of them where none are wanted", () => {
    const sender = new UdptlSender({ maxDatagram: 72, redundancy: true });
    const long = new Uint8Array(30);
    for (let n = 0; n < 5; n++) expect(sender.wrap(long).length).toBeLessThanOrEqual(72);
    const plain = new UdptlSender({ maxDatagram: 400, redundancy: false });
    plain.wrap(long);
    expect(plain.wrap(long).length).toBe(2 + 31 + 2);
  });

  test("takes the packet out of a datagram with parity behind it, and of long ones", () => {
    expect(new UdptlReceiver().unwrap(Uint8Array.of(0, 7, 2, 9, 9, 0x80, 1, 1, 5))).toEqual([
      { sequence: 7, octets: Uint8Array.of(9, 9) },
    ]);
    const long = new Uint8Array(300).fill(3);
    const [ifp] = new UdptlReceiver().unwrap(new UdptlSender(WIDE).wrap(long)) ?? [];
    expect(ifp?.octets).toEqual(long);
  });

  test("is not made of noise: whatever comes, nothing throws", () => {
    const receiver = new UdptlReceiver();
    let state = 1;
    const octet = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return state >> 16;
    };
    for (let n = 0; n < 20_000; n++) receiver.unwrap(Uint8Array.from({ length: octet() % 40 }, () => octet()));
    for (const broken of [[], [0], [0, 1], [0, 1, 5, 1], [0, 1, 0xff, 1], [0, 1, 1, 1, 0, 40]])
      expect(receiver.unwrap(Uint8Array.from(broken))).toBeUndefined();
  });
});
