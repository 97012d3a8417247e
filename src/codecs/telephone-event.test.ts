// Keys as packets, over networks that lose, repeat and shuffle them.

import { expect, test } from "vitest";
import { EventReader, eventOf, KEYS, LONGEST_SEGMENT, writeEvent } from "./telephone-event.ts";

type Packet = { timestamp: number; payload: Uint8Array };

function press(key: string, timestamp: number, units = 800): Packet[] {
  const packet = (durationUnits: number, isEnd: boolean): Packet => {
    const payload = new Uint8Array(4);
    writeEvent(payload, 0, { event: eventOf(key), durationUnits, isEnd });
    return { timestamp, payload };
  };
  const going = Array.from({ length: units / 160 - 1 }, (_, i) => packet(160 * (i + 1), false));
  return [...going, packet(units, true), packet(units, true), packet(units, true)];
}

function heardIn(packets: Packet[]): { began: string; ended: string } {
  const reader = new EventReader();
  const got = { began: "", ended: "" };
  for (const { timestamp, payload } of packets) {
    const heard = reader.read(timestamp, payload, 0);
    if (heard.is === "began") got.began += heard.key;
    if (heard.is === "ended") got.ended += heard.key;
    if (heard.is === "ended-and-began") {
      got.ended += heard.key;
      got.began += heard.nextKey;
    }
  }
  const last = reader.giveUp();
  if (last.is === "ended") got.ended += last.key;
  return got;
}

function seeded(start: number): () => number {
  let seed = start;
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 0x1_0000_0000;
  };
}

test.each([0, 0.05, 0.1, 0.3, 0.5])("of 2,000 keys each is heard exactly once at a loss of %d", (loss) => {
  const random = seeded(5);
  const keys = Array.from({ length: 2000 }, (_, i) => KEYS[i % 16]!);
  // Timestamps wrap on the way.
  const arrived = keys.map((key, i) => press(key, (0xffff_0000 + i * 1600) >>> 0).filter(() => random() >= loss));
  // Only a key all of whose packets are lost cannot be heard.
  const expected = keys.filter((_, i) => arrived[i]!.length > 0).join("");
  expect(heardIn(arrived.flat()).ended).toBe(expected);
  if (loss <= 0.1) expect(expected).toHaveLength(2000);
});

test("repeated and shuffled packets change nothing", () => {
  const random = seeded(9);
  const keys = "159*0#ABCD";
  const packets = [...keys].flatMap((key, i) => press(key, 1000 + i * 1600)).flatMap((packet) => [packet, packet]);
  const shuffled = packets.map((packet, i) => ({ packet, at: i + random() * 5 })).sort((a, b) => a.at - b.at);
  expect(heardIn(shuffled.map(({ packet }) => packet)).ended).toBe(keys);
});

test("a key held for twenty seconds is one key", () => {
  const segment = (timestamp: number, units: number, isEnd: boolean): Packet => {
    const payload = new Uint8Array(4);
    writeEvent(payload, 0, { event: 5, durationUnits: units, isEnd });
    return { timestamp, payload };
  };
  const packets = [
    segment(1000, 30_000, false),
    segment(1000, LONGEST_SEGMENT, false),
    segment(1000 + LONGEST_SEGMENT, 160, false),
    segment(1000 + LONGEST_SEGMENT, 30_000, true),
  ];
  expect(heardIn(packets)).toEqual({ began: "5", ended: "5" });
});

test("events that are no keys are not keys", () => {
  expect(heardIn([{ timestamp: 1, payload: Uint8Array.of(32, 10, 0, 160) }])).toEqual({ began: "", ended: "" });
});
