import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { realClock } from "../clock.ts";
import { isRefusedAt, type Missed, Refusals } from "./refusals.ts";

const GONE_AFTER_MS = 2_000;
const one = { name: "one", life: 7, isRefused: true };

function watch() {
  const clock = testClock();
  const refusals = new Refusals(clock);
  const look = (...missed: Missed[]) => refusals.look(missed).map(({ name }) => name);
  return { clock, refusals, look };
}

test("a process is gone once it was refused at every look for long enough, and never at the first", () => {
  const { clock, refusals, look } = watch();
  clock.pass(60_000);
  expect(look(one)).toEqual([]);
  expect(refusals.isAnyDoubted()).toBe(true);
  clock.pass(GONE_AFTER_MS / 2);
  expect(look(one)).toEqual([]);
  clock.pass(GONE_AFTER_MS / 2 - 1);
  expect(look(one)).toEqual([]);
  clock.pass(1);
  expect(look(one)).toEqual(["one"]);
});

test("who comes back in time, or answers once, is watched from the beginning", () => {
  for (const well of [[], [{ ...one, isRefused: false }]]) {
    const { clock, refusals, look } = watch();
    look(one);
    clock.pass(GONE_AFTER_MS / 2);
    expect(look(...well)).toEqual([]);
    expect(refusals.isAnyDoubted()).toBe(false);
    for (let looks = 0; looks < 2; looks++) {
      expect(look(one)).toEqual([]);
      clock.pass(GONE_AFTER_MS / 2);
    }
    expect(look(one)).toEqual(["one"]);
  }
});

test("who slept between two looks has seen nothing", () => {
  const { clock, look } = watch();
  look(one);
  clock.pass(20_000);
  expect(look(one)).toEqual([]);
});

test("each life counts for itself: the next process of a name has its own time", () => {
  const { clock, look } = watch();
  look(one);
  clock.pass(GONE_AFTER_MS / 2);
  look(one, { ...one, life: 8 });
  clock.pass(GONE_AFTER_MS / 2);
  expect(look({ ...one, life: 8 })).toEqual([]);
});

test("only a refusal is one: not a door that is open, nor a name that nobody knows", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await isRefusedAt(`http://127.0.0.1:${port}`, realClock)).toBe(false);
  server.close();
  await once(server, "close");
  expect(await isRefusedAt(`http://127.0.0.1:${port}`, realClock)).toBe(true);
  expect(await isRefusedAt("http://nobody.invalid:9", realClock)).toBe(false);
});
