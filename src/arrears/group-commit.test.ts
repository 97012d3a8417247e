import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { silentLog } from "../log.ts";
import type { Db } from "../store/db.ts";
import { openGroupCommit } from "./group-commit.ts";

const aFewTurns = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

function office() {
  const clock = testClock();
  const written: string[][] = [];
  const db: Db = {
    query: async () => [],
    transaction: (work) => work(db),
  };
  const commits = openGroupCommit<string>({
    db,
    clock,
    log: silentLog,
    merge: (_, newer) => newer,
    write: async (_, entries) => void written.push(entries),
    onWritten: () => undefined,
    onPoisoned: () => undefined,
  });
  return { clock, written, commits, put: (key: string, withinMs?: number) => commits.put(key, key, withinMs) };
}

test("who comes alone is written at once, and those who come in a rush share the next transaction", async () => {
  const { clock, written, put } = office();
  put("first");
  await aFewTurns();
  expect(written).toEqual([["first"]]);
  put("second");
  clock.pass(10);
  put("third");
  await aFewTurns();
  expect(written).toHaveLength(1);
  clock.pass(10);
  await aFewTurns();
  expect(written.slice(1)).toEqual([["second", "third"]]);
  clock.pass(1_000);
  put("fourth");
  await aFewTurns();
  expect(written.at(-1)).toEqual(["fourth"]);
  expect(clock.waiting()).toBe(0);
});

test("what may be late waits its time, unless something urgent takes it along", async () => {
  const { clock, written, put } = office();
  put("patient", 1_000);
  clock.pass(999);
  await aFewTurns();
  expect(written).toEqual([]);
  clock.pass(1);
  await aFewTurns();
  expect(written).toEqual([["patient"]]);
  put("patient", 1_000);
  put("urgent");
  clock.pass(20);
  await aFewTurns();
  expect(written.at(-1)).toEqual(["patient", "urgent"]);
});

test("who asks for everything to be on disk does not wait for others", async () => {
  const { clock, written, commits, put } = office();
  put("first");
  await aFewTurns();
  for (let n = 0; n < 450; n++) put(`call ${n}`, 1_000);
  await commits.settled();
  expect(written.map((batch) => batch.length)).toEqual([1, 200, 200, 50]);
  expect(clock.waiting()).toBe(0);
});

test.each([-3_600_000, -30_000, 3_600_000])(
  "the wall's clock set by %i ms neither stops what is to be written nor hurries it",
  async (stepMs) => {
    const { clock, written, commits, put } = office();
    put("before");
    await aFewTurns();
    put("waits", 1_000);
    clock.setWall(clock.wall() + stepMs);
    put("urgent");
    clock.pass(20);
    await aFewTurns();
    expect(written).toEqual([["before"], ["waits", "urgent"]]);
    clock.pass(1_000);
    put("patient", 1_000);
    clock.setWall(clock.wall() + stepMs);
    clock.pass(999);
    await aFewTurns();
    expect(written).toHaveLength(2);
    clock.pass(1);
    await aFewTurns();
    expect(written).toHaveLength(3);
    await commits.settled();
    expect(clock.waiting()).toBe(0);
  },
);
