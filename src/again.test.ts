import { expect, test } from "vitest";
import { runAgain, runAgainAtOnce } from "./again.ts";

/** Work that ends when it is told to. */
function slowly() {
  const runs: { asked: string[]; end(error?: Error): void }[] = [];
  const again = runAgain(
    (asked: ReadonlySet<string>) =>
      new Promise<void>((resolve, reject) => {
        runs.push({ asked: [...asked], end: (error) => (error ? reject(error) : resolve()) });
      }),
  );
  return { again, runs };
}

const breath = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked for in one turn, and what is asked for during a run, is each done in one", async () => {
  const { again, runs } = slowly();
  const first = again.ask("a");
  expect(again.ask("b")).toBe(first);
  await breath();
  const second = again.ask("c");
  expect(again.ask("d")).toBe(second);
  await breath();
  expect(runs.map(({ asked }) => asked)).toEqual([["a", "b"]]);
  runs[0]!.end();
  await first;
  await breath();
  expect(runs.map(({ asked }) => asked)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  runs[1]!.end();
  await second;
  expect(again.isBusy()).toBe(false);
  expect(runs).toHaveLength(2);
});

test("a run that breaks is told to those who asked for it, and the next one runs all the same", async () => {
  const { again, runs } = slowly();
  const first = again.ask("a");
  await breath();
  const second = again.ask("b");
  runs[0]!.end(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await breath();
  runs[1]!.end();
  await second;
});

test("it has settled only when what was asked for meanwhile is done as well", async () => {
  const { again, runs } = slowly();
  void again.ask("a");
  await breath();
  void again.ask("b");
  let settled = false;
  void again.settled().then(() => {
    settled = true;
  });
  runs[0]!.end();
  await breath();
  expect([settled, again.isBusy()]).toEqual([false, true]);
  runs[1]!.end();
  await breath();
  expect([settled, again.isBusy()]).toEqual([true, false]);
  await again.settled();
});

test("work that never waits goes round while it is asked for, and never inside itself", () => {
  const seen: string[] = [];
  let rounds = 0;
  const again = runAgainAtOnce(() => {
    seen.push("begin");
    rounds += 1;
    if (rounds < 3) again.ask();
    seen.push("end");
  });
  again.ask();
  expect(seen).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
});

test("what happens first is whole before the work begins, and a mistake in it leaves nothing stuck", () => {
  const seen: string[] = [];
  const again = runAgainAtOnce(() => void seen.push("work"));
  again.after(() => {
    again.ask();
    again.after(() => void seen.push("inner"));
    seen.push("outer");
  });
  expect(seen).toEqual(["inner", "outer", "work"]);
  const broken = () => {
    throw new Error("broken");
  };
  expect(() => again.after(broken)).toThrow("broken");
  again.ask();
  expect(seen.at(-1)).toBe("work");
});
