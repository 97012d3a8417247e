import { describe, expect, test } from "vitest";
import { asTicks } from "../../../clock.ts";
import {
  type AgentView,
  assign,
  explained,
  inLine,
  type QueueRule,
  type Unfree,
  type WaitingCaller,
} from "./assign.ts";

const caller = (id: string, more: Partial<WaitingCaller> = {}): WaitingCaller => ({
  id,
  queue: "200",
  priority: 0,
  joined: asTicks(Number(id.slice(1))),
  offered: false,
  single: false,
  tried: new Map(),
  ...more,
});

const agent = (number: string, more: Partial<AgentView> = {}): AgentView => ({
  number,
  unfree: undefined,
  idleSince: asTicks(0),
  calls: 0,
  ...more,
});

function decide({
  callers,
  queues = [{ number: "200", strategy: "sequential", members: ["1001", "1002", "1003"] }],
  agents = [agent("1001"), agent("1002"), agent("1003")],
  chance = 0,
}: {
  callers: WaitingCaller[];
  queues?: QueueRule[];
  agents?: AgentView[];
  chance?: number;
}) {
  return assign({
    line: callers.toSorted(inLine),
    queues: new Map(queues.map((queue) => [queue.number, queue])),
    agents: new Map(agents.map((view) => [view.number, view])),
    chance: () => chance,
  }).map((decision) => `${decision.caller}: ${decision.agents.join("+")}`);
}

const members = ["1001", "1002", "1003"];
const of = (strategy: QueueRule["strategy"]): QueueRule[] => [{ number: "200", strategy, members }];

describe("the order of callers", () => {
  test("who came first is offered first, and each agent is offered one caller", () => {
    expect(decide({ callers: [caller("c2"), caller("c1"), caller("c3"), caller("c4")] })).toEqual([
      "c1: 1001",
      "c2: 1002",
      "c3: 1003",
    ]);
  });

  test("a higher priority goes before a longer wait", () => {
    const callers = [caller("c1"), caller("c2", { priority: 1 })];
    expect(decide({ callers, agents: [agent("1001")] })).toEqual(["c2: 1001"]);
  });

  test("an agent of several queues gets whoever waited longest in any of them", () => {
    const queues: QueueRule[] = [
      { number: "200", strategy: "sequential", members: ["1001"] },
      { number: "201", strategy: "sequential", members: ["1001"] },
    ];
    const callers = [caller("c5", { queue: "200" }), caller("c3", { queue: "201" })];
    expect(decide({ callers, queues, agents: [agent("1001")] })).toEqual(["c3: 1001"]);
  });

  test("whoever is being offered already is passed over, and so are callers of a queue that is gone", () => {
    const callers = [caller("c1", { offered: true }), caller("c2", { queue: "999" }), caller("c3")];
    expect(decide({ callers })).toEqual(["c3: 1001"]);
  });
});

describe("the choice of agents", () => {
  test.each([
    ["sequential", {}, "c1: 1001"],
    ["simultaneous", {}, "c1: 1001+1002+1003"],
    ["least-busy", {}, "c1: 1003"],
    ["longest-idle", {}, "c1: 1002"],
    ["random", { chance: 0.99 }, "c1: 1003"],
    ["random", { chance: 0.4 }, "c1: 1002"],
  ] as const)("%s", (strategy, more, expected) => {
    const agents = [
      agent("1001", { calls: 2, idleSince: asTicks(30) }),
      agent("1002", { calls: 1, idleSince: asTicks(10) }),
      agent("1003", { calls: 0, idleSince: asTicks(20) }),
    ];
    expect(decide({ callers: [caller("c1")], queues: of(strategy), agents, ...more })).toEqual([expected]);
  });

  test.each([
    "logged out",
    "on break",
    "ringing",
    "on a call",
    "wrapping up",
    "unreachable",
    "resting",
  ] satisfies Unfree[])("nobody who is %s", (unfree) => {
    const agents = [agent("1001", { unfree }), agent("1002")];
    expect(decide({ callers: [caller("c1"), caller("c2")], agents })).toEqual(["c1: 1002"]);
  });

  test("those whom this caller has not been offered to come before those who let him pass", () => {
    const tried = new Map([
      ["1001", 1],
      ["1002", 2],
    ]);
    expect(decide({ callers: [caller("c1", { tried })] })).toEqual(["c1: 1003"]);
    expect(decide({ callers: [caller("c1", { tried })], agents: [agent("1001"), agent("1002")] })).toEqual([
      "c1: 1001",
    ]);
  });

  test("somebody to be called back is offered to one agent, whatever the strategy", () => {
    expect(decide({ callers: [caller("c1", { single: true })], queues: of("simultaneous") })).toEqual(["c1: 1001"]);
  });
});

test("a decision names its candidates and why others were none", () => {
  const agents = [agent("1001", { unfree: "on a call" }), agent("1002"), agent("1003")];
  const [decision] = assign({
    line: [caller("c1")],
    queues: new Map([["200", { number: "200", strategy: "longest-idle", members }]]),
    agents: new Map(agents.map((view) => [view.number, view])),
    chance: () => 0,
  });
  expect(explained(decision!, { callback: false })).toEqual({
    is: "offered",
    agents: ["1002"],
    queue: "200",
    strategy: "longest-idle",
    callback: false,
    free: ["1002", "1003"],
    freeInAll: 2,
    unfree: [{ why: "on a call", agents: 1 }],
  });
});
