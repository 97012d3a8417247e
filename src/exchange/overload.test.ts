import { expect, test } from "vitest";
import { testClock } from "../../test/test-clock.ts";
import { openCallGate } from "./overload.ts";

function gateWith(signs: (() => Promise<void>)[]) {
  const clock = testClock();
  const said: string[] = [];
  const log = { warn: (details: object, text: string) => void said.push(`${text} ${JSON.stringify(details)}`) };
  // The gate says nothing at any other level.
  const gate = openCallGate({ clock, log: log as Parameters<typeof openCallGate>[0]["log"], signs });
  const comeIn = (calls: number) => Array.from({ length: calls }, () => gate.enter()).filter(Boolean).length;
  const pass = async (ms: number) => {
    clock.pass(ms);
    await settled();
  };
  return { clock, gate, said, comeIn, pass };
}

/** Whatever hangs on promises that are kept already has happened. */
const settled = async () => {
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
};

/** A part that is as busy as it is told. */
function busyPart() {
  const waiting: (() => void)[] = [];
  return {
    sign: () => new Promise<void>((resolve) => waiting.push(resolve)),
    answers: async () => {
      for (const resolve of waiting.splice(0)) resolve();
      await settled();
    },
  };
}

test("a hundred calls at once are no overload, and when they are in the gate rests", async () => {
  const { gate, comeIn, pass, clock, said } = gateWith([async () => undefined]);
  expect(clock.waiting()).toBe(0);
  expect(comeIn(100)).toBe(100);
  expect(gate.isShut()).toBe(true);
  for (let rounds = 0; rounds < 7; rounds++) await pass(10);
  expect(clock.waiting()).toBe(0);
  expect(comeIn(100)).toBe(100);
  expect(gate.state()).toMatchObject({ refusing: false, entered: 200, refused: 0 });
  expect(said).toEqual([]);
  gate.close();
  expect(clock.waiting()).toBe(0);
});

test("a machine that answers at once lets in more than it is ever asked for", async () => {
  const { comeIn, pass, gate } = gateWith([async () => undefined]);
  let inside = comeIn(100);
  for (let ms = 0; ms < 1_000; ms += 10) {
    await pass(10);
    inside += comeIn(1_000);
  }
  expect(inside).toBeGreaterThan(1_500);
  gate.close();
});

test("as many calls begin as the busiest part carries, whatever is asked for", async () => {
  const media = busyPart();
  const { comeIn, pass, gate } = gateWith([async () => undefined, media.sign]);
  comeIn(100);
  let inside = 0;
  for (let ms = 0; ms < 1_000; ms += 100) {
    await pass(100);
    expect(comeIn(50)).toBe(0);
    await media.answers();
    inside += comeIn(500);
  }
  expect(inside).toBe(160);
  expect(gate.state()).toMatchObject({ refusing: true, delayMs: 90 });
  gate.close();
});

test("a part that never answers slows calls down and does not stop them", async () => {
  const { comeIn, pass, gate } = gateWith([
    () => new Promise(() => undefined),
    () => Promise.reject(new Error("away")),
  ]);
  comeIn(100);
  expect(comeIn(1)).toBe(0);
  await pass(1_010);
  expect(comeIn(100)).toBe(16);
  gate.close();
});

test("after the trouble it is open again within a second, and the log has two lines about it", async () => {
  const media = busyPart();
  const { comeIn, pass, gate, said, clock } = gateWith([media.sign]);
  comeIn(100);
  for (let seconds = 0; seconds < 3; seconds++) {
    comeIn(200);
    await pass(900);
  }
  for (let rounds = 0; rounds < 10; rounds++) {
    await media.answers();
    await pass(10);
  }
  expect(comeIn(100)).toBe(100);
  for (let rounds = 0; rounds < 10; rounds++) {
    await pass(10);
    await media.answers();
  }
  await pass(10_000);
  expect(said).toEqual([
    'more calls are asked for than this machine carries: the others are refused {"delayMs":0}',
    expect.stringMatching(/^calls are no longer refused \{"refused":\d+,"seconds":2\}$/),
  ]);
  expect(gate.state().refusing).toBe(false);
  expect(clock.waiting()).toBe(0);
});
