import { expect, test } from "vitest";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import { unexpected } from "../../../../test/ground/unexpected.ts";
import { type QueuesInMemory, queuesInMemory } from "../../../../test/town/queues-in-memory.ts";
import type { QueueSetup } from "../../../../test/town/town-setup.ts";
import type { Ticks } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import type { Call } from "../../calls/call.ts";
import type { Goal } from "../../calls/goal.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Floor } from "./floor.ts";
import type { Place, Rung } from "./place.ts";
import { type Hall, QueueDesk } from "./queue-desk.ts";

// A town of callers and agents who do anything at any moment, against the queue desk as it is. The model knows only who
// came and what was done to him; after every step it asks whether the desk still keeps its promises.

const EXCHANGE = 101;
const AGENTS = Array.from({ length: 8 }, (_, at) => String(1001 + at));
const STEPS = 10_000;
const MOST_WAITING = 20;

const queues: Record<string, QueueSetup> = {
  "200": { members: AGENTS.slice(0, 4), strategy: "sequential", wrapUpSeconds: 3 },
  "201": { members: AGENTS.slice(2, 6), strategy: "longest-idle", priority: 1 },
  "202": { members: AGENTS, strategy: "simultaneous", mostMisses: 2 },
  "203": { members: AGENTS.slice(4), strategy: "random" },
  "204": { members: AGENTS.slice(1, 7), strategy: "least-busy" },
};

type Ringing = { caller: string; agent: string; settle(rung: Rung): void };
type Talk = { caller: string; agent: string; end(): void };

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class World {
  readonly chance: () => number;
  readonly store: QueuesInMemory = queuesInMemory(EXCHANGE, queues);
  readonly unreachable = new Set<string>();
  readonly onOwnCalls = new Set<string>();
  ringing: Ringing[] = [];
  talks: Talk[] = [];
  /** On the line, by place id. */
  readonly waiting = new Map<string, Place>();
  readonly served = new Set<string>();
  readonly counts = { arrived: 0, served: 0, crashes: 0, calledBack: 0, decisions: 0 };
  clock: TestClock = testClock();
  hall!: Hall;
  #next = 0;

  constructor(seed: number) {
    this.chance = seeded(seed);
  }

  get floor(): Floor {
    return this.hall.floor;
  }

  async start(): Promise<void> {
    const desk = new QueueDesk({
      clock: this.clock,
      log: silentLog,
      unexpected,
      store: this.store,
      chance: this.chance,
      isReachable: (_, extension) => !this.unreachable.has(extension),
      isBusy: (_, extension) => this.onOwnCalls.has(extension) || this.talks.some(({ agent }) => agent === extension),
      whyNoCallback: async () => undefined,
      dial: async (_, callback, agent) => this.#dialBack(callback.id, agent),
    });
    this.hall = await desk.hall(EXCHANGE);
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.chance() * items.length)];
  }

  arrives(): void {
    const id = `c${++this.#next}`;
    const queue = this.pick(Object.keys(queues))!;
    this.counts.arrived += 1;
    const place = this.floor.join({
      id,
      queue,
      callUuid: id,
      caller: id,
      callerName: "",
      ring: (agent, signal) => this.#ring(id, agent, signal),
      greet: async () => this.chance() > 0.05,
      onDecision: ({ agents, caller }) => this.#judge(caller, agents),
    });
    this.waiting.set(id, place);
    void place.outcome.then((outcome) => {
      this.waiting.delete(id);
      if (!("served" in outcome)) return;
      expect(this.served.has(id), `${id} is connected twice`).toBe(false);
      this.served.add(id);
      this.counts.served += 1;
      this.#talk(id, outcome.agent, outcome.served);
    });
  }

  /** What the caller hears when he presses the key: his place goes on without him. */
  async wantsCallback(): Promise<void> {
    const id = this.pick([...this.waiting.keys()]);
    const place = id === undefined ? undefined : this.waiting.get(id);
    const entry = this.floor.waiting().find((it) => it.id === id);
    if (!place || !entry) return;
    const { queue, joinedMs, priority } = entry;
    const callback = {
      id: `${id}b`,
      queue,
      callUuid: entry.id,
      caller: entry.id,
      isInside: false,
      callerName: "",
      priority,
      joinedMs,
    };
    await this.hall.callbacks.keep({ ...callback, attempts: 0, nextTryMs: joinedMs }, place);
  }

  crash(): void {
    this.counts.crashes += 1;
    for (const id of this.waiting.keys()) this.served.add(id);
    this.waiting.clear();
    this.ringing = [];
    this.talks = [];
    this.clock = testClock(this.clock.wall());
  }

  /** Nobody in front of the chosen one was passed over who could have had one of these agents. */
  #judge(caller: string, agents: string[]): void {
    this.counts.decisions += 1;
    const line = this.floor.waiting();
    const chosen = line.find(({ id }) => id === caller)!;
    for (const other of line) {
      if (other.offered || !isAhead(other, chosen)) continue;
      const shared = agents.filter((agent) => queues[other.queue]!.members.includes(agent));
      expect(shared, `${caller} of ${chosen.queue} overtook ${other.id} of ${other.queue}`).toEqual([]);
    }
  }

  #ring(caller: string, agent: string, signal: AbortSignal): Promise<Rung> {
    return new Promise((resolve) => {
      const ringing: Ringing = {
        caller,
        agent,
        settle: (rung) => {
          this.ringing = this.ringing.filter((it) => it !== ringing);
          resolve(rung);
        },
      };
      this.ringing.push(ringing);
      // A phone takes a moment to stop, and by then much may have happened.
      signal.addEventListener("abort", async () => {
        for (let breath = 0; breath < 20; breath++) await undefined;
        ringing.settle({ failed: "ORIGINATOR_CANCEL" });
      });
    });
  }

  #talk(caller: string, agent: string, leg: Leg): void {
    const talk: Talk = {
      caller,
      agent,
      end: () => {
        this.talks = this.talks.filter((it) => it !== talk);
        leg.end("NORMAL_CLEARING");
      },
    };
    this.talks.push(talk);
  }

  /** The agent is rung, then the caller: sometimes he answers, sometimes not. */
  async #dialBack(id: string, agent: string): Promise<Call<Goal>> {
    const stop = new AbortController();
    const rung = this.#ring(id, agent, stop.signal);
    let legs: Leg[] = [];
    const facts: { answerMs?: number } = {};
    const fetched = rung.then((it) =>
      "answered" in it ? { answered: true as const } : { failed: { cause: it.failed } },
    );
    const over = rung.then(async (it) => {
      if (!("answered" in it)) return;
      legs = [it.answered];
      await this.hall.callbacks.begin(id);
      if (this.chance() < 0.5) return void it.answered.end("NORMAL_CLEARING");
      facts.answerMs = this.clock.wall();
      this.counts.calledBack += 1;
      this.#talk(id, agent, it.answered);
      await it.answered.over;
    });
    const call = { facts, fetched, over, legs: () => legs, tell() {}, note() {}, hangUp: () => stop.abort() };
    await Promise.resolve();
    // Only what a callback asks of its call.
    return call as unknown as Call<Goal>;
  }
}

function legOf(agent: string): Leg {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Only what the floor asks of a leg.
  return { party: { is: "extension", number: agent, name: "" }, over, end: () => end() } as unknown as Leg;
}

type InLine = { priority: number; joined: Ticks };

/** The written rule once more, in other words. */
function isAhead(one: InLine, other: InLine): boolean {
  return one.priority > other.priority || (one.priority === other.priority && one.joined < other.joined);
}

type Step = (world: World) => void | Promise<void>;

const steps: [weight: number, step: Step][] = [
  [20, (world) => (world.waiting.size < MOST_WAITING ? world.arrives() : undefined)],
  [
    14,
    (world) => {
      const rung = world.pick(world.ringing);
      if (rung) rung.settle({ answered: legOf(rung.agent) });
    },
  ],
  [5, (world) => world.pick(world.ringing)?.settle({ failed: "USER_BUSY" })],
  [4, (world) => world.pick([...world.waiting.values()])?.leave()],
  [12, (world) => world.pick(world.talks)?.end()],
  [3, (world) => world.wantsCallback()],
  [2, (world) => request(world, "pause")],
  [12, (world) => request(world, "resume")],
  [1, (world) => request(world, "logOut")],
  [9, (world) => request(world, "logIn")],
  [3, (world) => toggle(world, world.unreachable)],
  [4, (world) => toggle(world, world.onOwnCalls)],
  [
    2,
    (world) => {
      const queue = world.store.queues.get(world.pick(Object.keys(queues))!)!;
      queue.members = [...queue.members.slice(1), queue.members[0]!];
      world.store.changed();
    },
  ],
  [20, (world) => world.clock.pass(world.chance() * 8_000)],
  [
    0.3,
    async (world) => {
      world.crash();
      await world.start();
    },
  ],
];

async function request(world: World, what: "pause" | "resume" | "logIn" | "logOut"): Promise<void> {
  await world.store.request({
    exchangeId: EXCHANGE,
    extension: world.pick(AGENTS)!,
    request: what,
    by: { doer: "staff", who: "the model" },
  });
}

function toggle(world: World, set: Set<string>): void {
  const agent = (set.size > 2 ? world.pick([...set]) : world.pick(AGENTS))!;
  if (!set.delete(agent) && !world.talks.some((talk) => talk.agent === agent)) set.add(agent);
  world.floor.think();
}

function chooseStep(world: World): Step {
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);
  let left = world.chance() * total;
  for (const [weight, step] of steps) {
    if (left < weight) return step;
    left -= weight;
  }
  return steps[0]![1];
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function promisesKept(world: World): void {
  const { floor, ringing, talks } = world;
  const line = floor.waiting();
  for (const agent of AGENTS) {
    const rings = ringing.filter((it) => it.agent === agent).length;
    const talking = talks.filter((it) => it.agent === agent).length;
    promise(rings <= 1, `${agent} is offered two calls`);
    promise(talking <= 1, `${agent} talks twice`);
    promise(rings + talking <= 1, `${agent} is rung while he talks`);
  }
  const ids = new Set(line.map(({ id }) => id));
  const rungFor = new Set(ringing.map(({ caller }) => caller));
  promise(ids.size === line.length, "somebody stands in line twice");
  for (const id of world.waiting.keys()) promise(ids.has(id), `${id} is lost`);
  for (const { id, offered } of line) promise(offered === rungFor.has(id), `${id}: offered and rung for are one`);
  for (const caller of rungFor) promise(ids.has(caller), `${caller} rings and does not wait`);
  for (const agent of floor.roster.all()) {
    if (floor.roster.whyNotFree(agent) !== undefined) continue;
    const idle = line.find((it) => !it.offered && floor.queue(it.queue)?.members.includes(agent.number));
    promise(idle === undefined, `${agent.number} is free and ${idle?.id} is not offered to him`);
  }
  promise(
    line.every((it, at) => at === 0 || !isAhead(it, line[at - 1]!)),
    "the line is out of order",
  );
}

/** Asked so often that an `expect` each would be most of the test. */
function promise(kept: boolean, what: string): void {
  if (!kept) throw new Error(what);
}

test.each([1, 2026])("ten thousand random steps keep every promise (seed %i)", { timeout: 120_000 }, async (seed) => {
  const world = new World(seed);
  await world.start();
  for (let step = 0; step < STEPS; step++) {
    await chooseStep(world)(world);
    await settled();
    promisesKept(world);
  }
  // Everybody comes to work and answers: whoever waits or is owed a call gets it.
  for (const agent of AGENTS) {
    world.unreachable.delete(agent);
    world.onOwnCalls.delete(agent);
    for (const move of ["logIn", "resume"] as const)
      await world.store.request({
        exchangeId: EXCHANGE,
        extension: agent,
        request: move,
        by: { doer: "staff", who: "the model" },
      });
  }
  for (let round = 0; round < 20_000 && (world.floor.waiting().length > 0 || world.store.owed.size > 0); round++) {
    for (const rung of [...world.ringing]) rung.settle({ answered: legOf(rung.agent) });
    await settled();
    for (const talk of [...world.talks]) talk.end();
    await settled();
    world.clock.pass(10_000);
    await settled();
  }
  promisesKept(world);
  expect(world.waiting.size).toBe(0);
  expect(world.store.owed.size).toBe(0);
  expect(world.counts.crashes).toBeGreaterThan(10);
  expect(world.counts.served).toBeGreaterThan(300);
  expect(world.counts.calledBack).toBeGreaterThan(20);
});
