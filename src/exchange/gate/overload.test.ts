import { expect, test } from "vitest";
import { testClock } from "../../../test/ground/test-clock.ts";
import { openCallGate } from "./overload.ts";

function gateWith(signs: (() => Promise<void>)[], isFull = () => false) {
  const clock = testClock();
  const said: string[] = [];
  const log = { warn: (details: object, text: string) => void said.push(`${text} ${JSON.stringify(details)}`) };
  // The gate says nothing at any other level.
  const gate = openCallGate({ clock, log: log as Parameters<typeof openCallGate>[0]["log"], signs, isFull });
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
  expect(gate.isShut()).toBe(false);
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

/** Calls come at one pace and the machine carries them at another, in steps of its rounds; what became of each. */
async function office(asked: { perSecond: number; carriesPerSecond: number; forMs: number; stallMs?: number }) {
  const machine = busyPart();
  const town = gateWith([machine.sign]);
  const roundMs = Math.round(16_000 / asked.carriesPerSecond);
  const calls: { ms: number; waitedMs?: number; refused?: true }[] = [];
  const run = async ({ perSecond, forMs, stallMs = 0 }: Omit<typeof asked, "carriesPerSecond">) => {
    const startMs = town.clock.wall();
    let made = 0;
    for (let ms = 0; ms < forMs; ms += 2) {
      await town.pass(2);
      while (made < (perSecond * ms) / 1_000) {
        made += 1;
        const call: (typeof calls)[number] = { ms: town.clock.wall() - startMs };
        const fromMs = town.clock.wall();
        calls.push(call);
        town.gate.queue((mayBegin) => {
          if (mayBegin) call.waitedMs = town.clock.wall() - fromMs;
          else call.refused = true;
        });
      }
      if (ms >= stallMs && ms % roundMs < 2) await machine.answers();
    }
  };
  await run(asked);
  return { ...town, run, calls, refused: () => calls.filter((call) => call.refused).length };
}

test("a burst at an idle exchange waits a moment and nobody is refused", async () => {
  const { gate, clock, pass, said } = gateWith([async () => undefined]);
  const begun: number[] = [];
  const startMs = clock.wall();
  for (let calls = 0; calls < 400; calls++)
    gate.queue((mayBegin) => void begun.push(mayBegin ? clock.wall() - startMs : Number.NaN));
  expect(begun).toHaveLength(100);
  expect(gate.state()).toMatchObject({ waiting: 300, refusing: false });
  expect(gate.isShut()).toBe(false);
  for (let rounds = 0; rounds < 30; rounds++) await pass(10);
  expect(begun).toHaveLength(400);
  expect(Math.max(...begun)).toBeLessThan(250);
  expect(gate.state()).toMatchObject({ entered: 400, refused: 0, waiting: 0 });
  expect(said).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test("a machine that stops for a second and then goes on loses none of its calls", async () => {
  const { calls, refused, gate, said } = await office({
    perSecond: 440,
    carriesPerSecond: 470,
    forMs: 10_000,
    stallMs: 1_000,
  });
  expect(refused()).toBe(0);
  expect(Math.max(...calls.map(({ waitedMs = 0 }) => waitedMs))).toBeLessThan(2_000);
  expect(gate.state()).toMatchObject({ refusing: false, refused: 0 });
  expect(said).toEqual([]);
  gate.close();
});

test.each([2, 4])(
  "with %i times too many calls as many are carried as can be, and these without delay",
  async (times) => {
    const carriesPerSecond = 400;
    const { calls, refused, gate, run } = await office({
      perSecond: times * carriesPerSecond,
      carriesPerSecond,
      forMs: 5_000,
    });
    expect(gate.state().refusing).toBe(true);
    expect(calls.filter(({ ms, refused }) => refused && ms < 500)).toEqual([]);
    const [before, refusedBefore] = [calls.length, refused()];
    const enteredBefore = gate.state().entered;
    await run({ perSecond: times * carriesPerSecond, forMs: 10_000 });
    const perSecond = (gate.state().entered - enteredBefore) / 10;
    expect(perSecond).toBeGreaterThan(0.9 * carriesPerSecond);
    expect(perSecond).toBeLessThan(1.1 * carriesPerSecond);
    expect(refused() - refusedBefore).toBeGreaterThan(0.8 * (times - 1) * carriesPerSecond * 10);
    expect(Math.max(...calls.slice(before).map(({ waitedMs = 0 }) => waitedMs))).toBe(0);
    gate.close();
  },
);

test("when the overload is over a burst is forgiven again", async () => {
  const { calls, refused, gate, run } = await office({ perSecond: 1_600, carriesPerSecond: 400, forMs: 5_000 });
  await run({ perSecond: 50, forMs: 1_000 });
  const before = refused();
  for (let call = 0; call < 300; call++) {
    const entry: (typeof calls)[number] = { ms: 0 };
    calls.push(entry);
    gate.queue((mayBegin) => {
      if (!mayBegin) entry.refused = true;
    });
  }
  await run({ perSecond: 50, forMs: 2_000 });
  expect(refused()).toBe(before);
  expect(gate.state().waiting).toBe(0);
  gate.close();
});

test("a line holds a thousand, and behind it the door is shut", () => {
  const { gate } = gateWith([() => new Promise(() => undefined)]);
  const told: boolean[] = [];
  for (let calls = 0; calls < 1_099; calls++) gate.queue((mayBegin) => void told.push(mayBegin));
  expect(gate.isShut()).toBe(false);
  gate.queue((mayBegin) => void told.push(mayBegin));
  expect(gate.isShut()).toBe(true);
  gate.queue((mayBegin) => void told.push(mayBegin));
  expect(told).toEqual([...Array.from({ length: 100 }, () => true), false]);
  expect(gate.state()).toMatchObject({ entered: 100, waiting: 1_000, refused: 1 });
  gate.close();
  expect(told.slice(101)).toEqual(Array.from({ length: 1_000 }, () => false));
});

test("who leaves the line takes nobody's turn, and a campaign does not push in", async () => {
  const { gate, comeIn, pass } = gateWith([async () => undefined]);
  comeIn(100);
  const told: string[] = [];
  const leave = gate.queue(() => void told.push("gone"));
  for (let calls = 0; calls < 16; calls++) gate.queue(() => void told.push("served"));
  leave();
  leave();
  expect(comeIn(1)).toBe(0);
  await pass(10);
  expect(told).toEqual(Array.from({ length: 16 }, () => "served"));
  expect(comeIn(1)).toBe(0);
  gate.close();
});

test("while nothing more can be kept of calls none begins, however idle the machine is, and the first after it does", async () => {
  let isFull = true;
  const { gate, comeIn, pass } = gateWith([async () => undefined], () => isFull);
  const told: boolean[] = [];
  expect(comeIn(5)).toBe(0);
  gate.queue((mayBegin) => void told.push(mayBegin));
  expect(gate.isShut()).toBe(true);
  await pass(10_000);
  expect(comeIn(1)).toBe(0);
  isFull = false;
  expect(gate.isShut()).toBe(false);
  gate.queue((mayBegin) => void told.push(mayBegin));
  expect(told).toEqual([false, true]);
  gate.close();
});
