import { expect, test } from "vitest";
import { Waits } from "./waits.ts";

const call = (call: string, why: "browser" | "rings" = "browser") => ({ exchange: 101, call, why });

test("what is waited for is told when it changes: how many for which reason, and the first of them", () => {
  const waits = new Waits();
  expect(waits.news(undefined), "a node that keeps what it has says nothing").toBeUndefined();
  expect(waits.news([])).toEqual({ counts: {}, calls: [] });
  expect(waits.news([])).toBeUndefined();
  const many = Array.from({ length: 30 }, (_, n) => call(`call ${n}`));
  const told = waits.news([...many, call("last", "rings")]);
  expect(told?.counts).toEqual({ browser: 30, rings: 1 });
  expect(told?.calls).toEqual(many.slice(0, 20));
  expect(waits.news(undefined)).toBeNull();
  expect(waits.news(undefined)).toBeUndefined();
});
