// The queue under load: 500 agents and 2,000 waiting callers. How long a decision takes, and whether the panel keeps up.
//
//   node bench/run.mjs bench/queue.ts

import { performance } from "node:perf_hooks";
import { asTicks, realClock } from "../src/clock.ts";
import type { Leg } from "../src/exchange/calls/leg.ts";
import { LiveCalls } from "../src/exchange/calls/live-calls.ts";
import {
  type AgentView,
  assign,
  inLine,
  type QueueRule,
  type WaitingCaller,
} from "../src/exchange/features/queues/assign.ts";
import { Floor } from "../src/exchange/features/queues/floor.ts";
import type { QueueDesk } from "../src/exchange/features/queues/queue-desk.ts";
import { Panel } from "../src/exchange/panel.ts";
import type { FloorAgent, FloorQueue } from "../src/store/agents.ts";
import { figure } from "./figure.ts";

const AGENTS = 500;
const WAITING = 2_000;
const QUEUES = 20;
const strategies = ["simultaneous", "sequential", "random", "least-busy", "longest-idle"] as const;

const numbers = Array.from({ length: AGENTS }, (_, at) => String(1_000 + at));
const queueNumber = (at: number) => String(200 + (at % QUEUES));

/** A fifth of the agents in each queue, so that everybody stands in several. */
const membersOf = (at: number) => numbers.filter((_, agent) => (agent + at) % 5 === 0);

/** By agent: whoever wants to know that his phone rings. */
const ringing = new Map<string, () => void>();

console.log(`${AGENTS} agents, ${WAITING} waiting callers, ${QUEUES} queues\n`);
const baseline = sortBaseline();
console.log(`baseline: sorting ${WAITING} callers takes ${baseline.toFixed(3)} ms (median)\n`);
decisions();
await wholeFloor();
await panelStream();

function sortBaseline(): number {
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const callers = line().toReversed();
    const begin = performance.now();
    callers.sort(inLine);
    times.push(performance.now() - begin);
  }
  return percentile(times, 0.5);
}

function line(): WaitingCaller[] {
  return Array.from({ length: WAITING }, (_, at) => ({
    id: `c${at}`,
    queue: queueNumber(at),
    priority: at % 7 === 0 ? 1 : 0,
    joined: asTicks(at),
    offered: false,
    single: false,
    tried: new Map<string, number>(),
  })).sort(inLine);
}

/** What a busy exchange does all day: everybody is on the phone, one agent becomes free, and somebody is chosen. */
function decisions(): void {
  for (const strategy of strategies) {
    const queues = new Map<string, QueueRule>(
      Array.from({ length: QUEUES }, (_, at) => [
        queueNumber(at),
        { number: queueNumber(at), strategy, members: membersOf(at) },
      ]),
    );
    const callers = line();
    const [times, work]: [number[], number[]] = [[], []];
    for (let round = -500; round < 3_000; round++) {
      const agents = views((agent) => agent === (round + AGENTS) % AGENTS);
      const [begin, cpu] = [performance.now(), process.cpuUsage()];
      const decided = assign({ line: callers, queues, agents, chance: Math.random });
      const { user, system } = process.cpuUsage(cpu);
      // The first rounds warm up.
      if (round >= 0) times.push(performance.now() - begin);
      if (round >= 0) work.push((user + system) / 1_000);
      if (decided.length !== 1) throw new Error(`one agent is free, and ${decided.length} callers were offered`);
    }
    report(`one agent becomes free, ${strategy}`, times, work);
    figure({
      name: `queue-decision-${strategy}`,
      value: percentile(work, 0.5),
      unit: "ms",
      better: "less",
      yardstick: "sorting the callers",
      ratio: percentile(times, 0.5) / baseline,
      with: `${AGENTS} agents, ${WAITING} waiting, ${QUEUES} queues`,
    });
  }
}

function views(isFree: (agent: number) => boolean): Map<string, AgentView> {
  return new Map(
    numbers.map((number, at) => [
      number,
      { number, unfree: isFree(at) ? undefined : "on a call", idleSince: asTicks(at), calls: at % 11 },
    ]),
  );
}

/** The same with everything around it: the floor with its offers, from one hang-up to the next ring. */
async function wholeFloor(): Promise<void> {
  const { floor, talks } = floorUnderLoad();
  const times: number[] = [];
  while (talks.length < AGENTS) await settled();
  for (let round = 0; round < 1_000; round++) {
    const talk = talks.shift()!; // one for each agent
    const rung = new Promise<number>((resolve) => {
      talk.onRung = () => resolve(performance.now());
    });
    const begin = performance.now();
    talk.hangUp();
    times.push((await rung) - begin);
    while (talks.length < AGENTS) await settled();
    if (floor.waiting().length < WAITING) arrive(floor, round + WAITING * 2, talks);
  }
  report("from an agent's hang-up to his next ring", times);
  floor.close();
}

type Talk = { agent: string; hangUp(): void; onRung(): void };

function floorUnderLoad(): { floor: Floor; talks: Talk[] } {
  const floor = new Floor({
    clock: realClock,
    unexpected: console.error,
    chance: Math.random,
    isReachable: () => true,
    isBusy: () => false,
    giveBreak: () => undefined,
    onChange: () => undefined,
  });
  floor.read({ queues: Array.from({ length: QUEUES }, (_, at) => queue(at)), agents: numbers.map(agentRow) });
  const talks: Talk[] = [];
  for (let at = 0; at < WAITING + AGENTS; at++) arrive(floor, at, talks);
  return { floor, talks };
}

function arrive(floor: Floor, at: number, talks: Talk[]): void {
  const place = floor.join({
    id: `c${at}`,
    queue: queueNumber(at),
    callUuid: `c${at}`,
    caller: String(at),
    callerName: "",
    onDecision: () => undefined,
    greet: async () => true,
    ring: async (agent) => {
      ringing.get(agent)?.();
      return { answered: legOf(agent) };
    },
  });
  void place.outcome.then((outcome) => {
    if (!("served" in outcome)) return;
    const { agent, served } = outcome;
    const talk: Talk = { agent, onRung: () => undefined, hangUp: () => served.end("NORMAL_CLEARING") };
    ringing.set(agent, () => talk.onRung());
    talks.push(talk);
  });
}

function legOf(agent: string): Leg {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Only what the floor asks of a leg.
  return { party: { is: "extension", number: agent, name: "" }, over, end: () => end() } as unknown as Leg;
}

function queue(at: number): FloorQueue {
  return {
    number: queueNumber(at),
    name: `Queue ${at}`,
    strategy: "longest-idle",
    members: membersOf(at),
    priority: 0,
    ringSeconds: 20,
    wrapUpSeconds: 0,
    mostMisses: 3,
    maxWaitSeconds: 600,
    maxWaiting: 10_000,
    overflowTarget: null,
    musicSound: null,
    waitingSound: null,
    agentSound: null,
    announceSeconds: 0,
    language: "tr-TR",
    callbackKey: null,
    survey: false,
    followsForwards: false,
    dispositionRequired: false,
  };
}

function agentRow(number: string): FloorAgent {
  return { number, name: `Agent ${number}`, dnd: false, status: "AVAILABLE", description: null, owes: false };
}

/** Ten viewers of the whole floor, and two hundred changes a second for ten seconds. */
async function panelStream(): Promise<void> {
  const { floor } = floorUnderLoad();
  const watchers = new Set<(change: { exchangeId: number; agent: string }) => void>();
  const panel = new Panel({
    clock: realClock,
    live: new LiveCalls(),
    // Only what the panel asks of them.
    queues: {
      onChange: (hear: (change: { exchangeId: number; agent: string }) => void) => {
        watchers.add(hear);
        return () => undefined;
      },
      hall: async () => ({ floor }),
    } as unknown as QueueDesk,
    settings: { of: async () => undefined, close: async () => undefined },
    registrar: { isRegistered: () => true, onChange: () => () => undefined },
  });
  const viewers = Array.from({ length: 10 }, () => {
    const counts = { changes: 0, octets: 0, late: [] as number[] };
    const viewer = panel.watch(1, () => setTimeout(look, 50));
    const look = async () => {
      const changes = await viewer.take("everything", { listeners: true });
      counts.changes += changes.length;
      counts.octets += JSON.stringify(changes).length;
      for (const change of changes) {
        const madeAt = made.get(change.id);
        if (madeAt !== undefined) counts.late.push(performance.now() - madeAt);
      }
    };
    return { viewer, counts, look };
  });
  const made = new Map<string, number>();
  for (const { look } of viewers) await look();
  for (const { counts } of viewers) Object.assign(counts, { changes: 0, octets: 0, late: [] });
  const begin = process.cpuUsage();
  for (let change = 0; change < 2_000; change++) {
    const number = numbers[change % AGENTS]!;
    const agent = floor.roster.get(number)!; // every number is an agent's
    agent.name = `agent ${change}`;
    made.set(number, performance.now());
    for (const hear of watchers) hear({ exchangeId: 1, agent: number });
    if (change % 2 === 1) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { user, system } = process.cpuUsage(begin);
  const late = viewers.flatMap(({ counts }) => counts.late);
  const told = viewers.reduce((sum, { counts }) => sum + counts.changes, 0);
  console.log(`\npanel: 2,000 changes at 200/s to 10 viewers: ${told} told of 20,000`);
  console.log(`  seen after p50 ${percentile(late, 0.5).toFixed(1)} ms, p99 ${percentile(late, 0.99).toFixed(1)} ms`);
  const share = ((user + system) / 1e6 / 10) * 100;
  console.log(`  CPU ${share.toFixed(1)} % of a core`);
  figure({ name: "panel", value: share, unit: "%", better: "less", with: "200 changes/s to 10 viewers" });
  for (const { viewer } of viewers) viewer.stop();
  floor.close();
}

/** On a machine that does much else, the time a decision takes by the clock says more about the machine. */
function report(what: string, times: number[], work: number[] = []): void {
  const words = (list: number[]) =>
    `p50 ${percentile(list, 0.5).toFixed(3)} ms, p99 ${percentile(list, 0.99).toFixed(3)} ms`;
  const ratio = (percentile(times, 0.5) / baseline).toFixed(3);
  const cpu = work.length === 0 ? "" : `; of CPU ${words(work)}`;
  console.log(`${what}: ${words(times)} (median ${ratio} of the baseline)${cpu}`);
}

function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
