import { expect, test } from "vitest";
import { asTicks, type Ticks } from "../../../clock.ts";
import type { AgentView, QueueRule, WaitingCaller } from "./assign.ts";
import { type Roused, whomToRouse } from "./rouse.ts";

const caller = (id: string, more: Partial<WaitingCaller> = {}): WaitingCaller => ({
  id,
  queue: "200",
  priority: 0,
  joined: asTicks(0),
  offered: false,
  single: false,
  tried: new Map(),
  ...more,
});

const members = ["1001", "1002", "1003"];
const sleeper = (number: string, idleSince = 0): AgentView => ({
  number,
  unfree: "unreachable",
  idleSince: asTicks(idleSince),
  calls: 0,
});

function roused(
  strategy: QueueRule["strategy"],
  line: WaitingCaller[],
  {
    told = {},
    asleep = members.map((number) => sleeper(number)),
  }: { told?: Record<string, Record<string, number>>; asleep?: AgentView[] } = {},
): string[] {
  const those = Object.entries(told).map(([id, by]): [string, Map<string, Ticks>] => [
    id,
    new Map(Object.entries(by).map(([agent, until]) => [agent, asTicks(until)])),
  ]);
  return whomToRouse({
    line,
    queues: new Map([["200", { number: "200", strategy, members }]]),
    asleep: new Map(asleep.map((view) => [view.number, view])),
    told: new Map(those),
    now: asTicks(100),
    chance: () => 0.99,
  }).map(({ caller, agents }: Roused) => `${caller}: ${agents.join(" ")}`);
}

test("one at a time in the queue's order, each caller somebody else, and the next when the first has not come", () => {
  expect(roused("sequential", [caller("a"), caller("b")])).toEqual(["a: 1001", "b: 1002"]);
  expect(roused("sequential", [caller("a")], { told: { a: { "1001": 101 } } })).toEqual([]);
  expect(roused("sequential", [caller("a")], { told: { a: { "1001": 100 } } })).toEqual(["a: 1002"]);
  expect(roused("random", [caller("a")])).toEqual(["a: 1003"]);
  const asleep = [sleeper("1001", 50), sleeper("1002", 20)];
  expect(roused("longest-idle", [caller("a")], { asleep })).toEqual(["a: 1002"]);
});

test("nobody is told of a caller for whom phones ring; all at once means all, but of one who is to be called back", () => {
  expect(roused("sequential", [caller("a", { offered: true })])).toEqual([]);
  expect(roused("simultaneous", [caller("a", { single: true })])).toEqual(["a: 1001"]);
  expect(roused("simultaneous", [caller("a", { offered: true }), caller("b")])).toEqual(["a: 1001 1002 1003"]);
});

test("of one caller at a time, and of each once", () => {
  const told = { a: { "1001": 101, "1002": 50 }, b: { "1003": 50 } };
  expect(roused("simultaneous", [caller("a"), caller("b")], { told })).toEqual(["a: 1003", "b: 1002"]);
  expect(roused("sequential", [caller("a")], { told: { a: { "1001": 1, "1002": 2, "1003": 3 } } })).toEqual([]);
});
