import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { openFairTurns } from "./fair-turns.ts";
import { countTurns } from "./server/fair-metrics.ts";

/** Work that says when it begins and ends when it is told to. */
function workshop(options: Parameters<typeof openFairTurns>[0]) {
  const turns = openFairTurns(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const bring = (whose: number, name: string, bytes?: number) =>
    turns.take({ whose, ...(bytes === undefined ? {} : { bytes }) }, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
      return name;
    });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    begun,
    bring,
    settle,
    async end(name: string) {
      ends.get(name)!();
      await settle();
    },
  };
}

const [a, b, c] = [1, 2, 3];

test("exchanges take turns, however much one of them brings", async () => {
  const { begun, bring, end } = workshop({ atOnce: 1 });
  for (const name of ["a1", "a2", "a3", "a4"]) void bring(a, name);
  for (const name of ["b1", "b2"]) void bring(b, name);
  void bring(c, "c1");
  for (let done = 0; done < 7; done++) await end(begun[done]!);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("a place that one exchange may not take is kept for the others", async () => {
  const { begun, bring, end, settle } = workshop({ atOnce: 2, ofOne: 1 });
  for (const name of ["a1", "a2"]) void bring(a, name);
  void bring(b, "b1");
  void bring(b, "b2");
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "b1", "b2"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "b2", "a2"]);
});

test("who brings more than may wait is refused, and nobody else is", async () => {
  const { begun, bring, end, settle } = workshop({ atOnce: 1, waitingOfOne: 2 });
  void bring(a, "a1");
  void bring(a, "a2");
  void bring(a, "a3");
  expect(await bring(a, "a4")).toEqual({ refused: "no-turn" });
  void bring(b, "b1");
  await settle();
  await end("a1");
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("what waits is counted in bytes as well, but one piece may always wait", async () => {
  const { bring, end, begun } = workshop({ atOnce: 1, bytesOfOne: 100 });
  void bring(a, "a1", 90);
  void bring(a, "a2", 900);
  expect(await bring(a, "a3", 1)).toEqual({ refused: "no-turn" });
  await end("a1");
  void bring(a, "a4", 60);
  void bring(a, "a5", 40);
  expect(await bring(a, "a6", 1)).toEqual({ refused: "no-turn" });
  for (const name of ["a2", "a4", "a5"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "a4", "a5"]);
});

test("work that fails gives its place on, and its failure to whoever brought it", async () => {
  const turns = openFairTurns({ atOnce: 1 });
  const failed = turns.take({ whose: a }, () => Promise.reject(new Error("broken")));
  const next = turns.take({ whose: b }, async () => "done");
  await expect(failed).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("what runs, waits and was refused is counted, for the metrics as well", async () => {
  const registry = new Registry();
  const turns = countTurns(registry)("documents", { atOnce: 1, waitingOfOne: 1 });
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((end) => void ends.push(end));
  const [first, second] = [turns.take({ whose: a }, work), turns.take({ whose: a }, work)];
  expect(await turns.take({ whose: a }, work)).toEqual({ refused: "no-turn" });
  expect(turns.counts()).toEqual({ running: 1, waiting: 1, refused: 1 });
  const metrics = await registry.metrics();
  for (const what of ["running", "waiting", "refused"])
    expect(metrics).toContain(`santral_fair_turns{work="documents",what="${what}"} 1`);
  ends[0]!();
  await first;
  ends[1]!();
  await second;
  expect(turns.counts()).toEqual({ running: 0, waiting: 0, refused: 1 });
});
