// Packets in any order and at any moment become one even stream.

import { expect, test } from "vitest";
import { codecs } from "../../codecs/codec.ts";
import { Hearing } from "./hearing.ts";
import { JitterBuffer } from "./jitter.ts";

const packet = (mark: number) => Uint8Array.of(mark);

function takeAll(buffer: JitterBuffer, ticks: number): (number | "missing" | "empty")[] {
  return Array.from({ length: ticks }, () => {
    const taken = buffer.take();
    return taken.is === "packet" ? buffer.bytes[buffer.startOf(taken.slot)]! : taken.is;
  });
}

test("two packets are held, then they come out in order", () => {
  const buffer = new JitterBuffer();
  buffer.put(100, packet(1), 0, 1);
  expect(takeAll(buffer, 1)).toEqual(["empty"]);
  buffer.put(102, packet(3), 0, 1);
  buffer.put(101, packet(2), 0, 1);
  expect(takeAll(buffer, 3)).toEqual([1, 2, 3]);
});

test("a lost packet is missing in its place, and one that comes too late is not played", () => {
  const buffer = new JitterBuffer();
  for (const number of [1, 2, 4, 5]) buffer.put(number, packet(number), 0, 1);
  expect(takeAll(buffer, 3)).toEqual([1, 2, "missing"]);
  buffer.put(3, packet(3), 0, 1);
  expect(takeAll(buffer, 2)).toEqual([4, 5]);
  expect(buffer.late).toBe(1);
});

test("the same packet twice is one packet", () => {
  const buffer = new JitterBuffer();
  for (const number of [1, 1, 2, 2]) buffer.put(number, packet(number), 0, 1);
  expect(takeAll(buffer, 3)).toEqual([1, 2, "empty"]);
});

test("a slow network makes it hold more, a calm one less again", () => {
  const buffer = new JitterBuffer();
  let number = 0;
  const put = () => buffer.put(number, packet(number++ % 256), 0, 1);
  /** Packets that come one by one until the first is given out. */
  const heldBeforePlaying = () => {
    for (let held = 1; ; held++) {
      put();
      if (takeAll(buffer, 1)[0] !== "empty") return held;
    }
  };
  const runDry = () => takeAll(buffer, buffer.depth + 2);
  expect(heldBeforePlaying()).toBe(2);
  for (let late = 0; late < 4; late++) {
    runDry();
    heldBeforePlaying();
  }
  runDry();
  expect(heldBeforePlaying()).toBeGreaterThan(4);
  for (let i = 0; i < 5000; i++) {
    put();
    takeAll(buffer, 1);
  }
  expect(buffer.depth).toBeLessThanOrEqual(4);
});

test("a pause in which nothing is sent does not make it slow", () => {
  const buffer = new JitterBuffer();
  let number = 0;
  for (let pause = 0; pause < 20; pause++) {
    buffer.put(number++, packet(1), 0, 1);
    buffer.put(number++, packet(1), 0, 1);
    expect(takeAll(buffer, 2)).toEqual([1, 1]);
    takeAll(buffer, 50);
  }
});

test("a burst's delay does not stay for ever", () => {
  const buffer = new JitterBuffer();
  let number = 0;
  for (let i = 0; i < 20; i++) buffer.put(number++, packet(1), 0, 1);
  for (let i = 0; i < 2000; i++) {
    takeAll(buffer, 1);
    buffer.put(number++, packet(1), 0, 1);
  }
  expect(buffer.depth).toBeLessThan(6);
});

test("a packet too large or numbers that jump do no harm", () => {
  const buffer = new JitterBuffer(160);
  buffer.put(1, new Uint8Array(2000), 0, 2000);
  expect(buffer.depth).toBe(0);
  buffer.put(1, packet(1), 0, 1);
  buffer.put(1_000_000, packet(7), 0, 1);
  buffer.put(1_000_001, packet(8), 0, 1);
  expect(takeAll(buffer, 2)).toEqual([7, 8]);
});

test("a gap is filled with what was said before, fading, and then with silence", () => {
  const hearing = new Hearing(codecs.PCMA);
  const encode = codecs.PCMA.openEncoder();
  const bytes = new Uint8Array(160);
  const level = () => Math.max(...hearing.frameAt(8000).map(Math.abs));
  for (let number = 0; number < 10; number++) {
    encode(
      Int16Array.from({ length: 160 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 400 * (number * 160 + i)) / 8000)),
      bytes,
      0,
    );
    hearing.put(number, bytes, 0, 160);
  }
  for (let tick = 0; tick < 10; tick++) hearing.advance();
  const levels = Array.from({ length: 5 }, () => {
    hearing.advance();
    return level();
  });
  expect(levels[0]).toBeGreaterThan(5000);
  expect(levels[1]).toBeLessThan(levels[0]!);
  expect(levels.slice(3)).toEqual([0, 0]);
  expect(hearing.isSpeaking).toBe(false);
  expect(hearing.concealed).toBe(3);
});

test("packets of ten, thirty and sixty milliseconds come out as even frames", () => {
  for (const ms of [10, 30, 60]) {
    const hearing = new Hearing(codecs.PCMA);
    const bytes = new Uint8Array(ms * 8).fill(0xd5);
    const spoken: boolean[] = [];
    let number = 0;
    for (let now = 0; now < 1200; now += 10) {
      if (now % ms === 0) hearing.put(number++, bytes, 0, bytes.length);
      if (now % 20 !== 0) continue;
      hearing.advance();
      spoken.push(hearing.isSpeaking);
    }
    expect(spoken.slice(10).filter((one) => !one).length, `${ms} ms`).toBeLessThanOrEqual(1);
  }
});

test("a decoder is closed once, also when there is none to follow it", () => {
  let [opened, closed] = [0, 0];
  const openDecoder = () => {
    if (++opened > 1) throw new Error("no memory");
    return Object.assign(() => 0, { close: () => void closed++ });
  };
  const hearing = new Hearing({ ...codecs.PCMA, openDecoder });
  expect(() => hearing.useRate(16_000)).toThrow("no memory");
  hearing.close();
  expect(closed).toBe(1);
});
