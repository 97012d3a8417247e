// Watches over clocks that somebody can set: this machine's and the database's, each against ticks. A step is told, and
// whatever waits for so long from now is moved along with it.

import { Counter, type Registry } from "prom-client";
import { asWall, between, type Cancel, type Clock, since, type Ticks } from "../clock.ts";
import type { Log } from "../log.ts";
import { databaseTimeMs, moveWaiting, noteStepInCalls } from "../store/clock-steps.ts";
import type { Database } from "../store/db.ts";
import { eachWithin } from "../store/limit.ts";
import { lastSignOfLife } from "../store/live-calls.ts";
import { type During, openStill } from "../store/still.ts";
import type { Closable } from "./parts.ts";

export type ClockWatchNeeds = { registry: Registry; db: Database; clock: Clock; log: Log; node: string };

type Whose = "server" | "database";

/** What the doctor is told by a running server. */
export type ClockView = { steps: number; last?: { whose: Whose; seconds: number; at: string } };

export type ClockWatch = Closable & {
  view(): ClockView;
  /** Its wall goes on by ticks until what waits was moved: no row is written by one time and read by another. */
  due: DueClock;
};

/** Nothing is moved while somebody asks or writes by its wall. */
export type DueClock = Clock & { during: During };

const LOOK_MS = 1_000;
/** So often the database is asked for its time; an answer that takes long says too little. */
const ASK_EVERY_LOOKS = 5;
const ANSWER_WITHIN_MS = 1_000;
/** Less is what time servers do to a clock that goes a little wrong. */
const SMALLEST_STEP_MS = 2_000;

type Reading = { wallMs: number; ticks: Ticks };

export async function openClockWatch(needs: ClockWatchNeeds): Promise<ClockWatch> {
  await catchUp(needs);
  const watch = new Watch(needs);
  return { due: watch.due, view: () => watch.seen, close: () => watch.close() };
}

/** Set back while no server ran: the last sign of life is still to come. One set forward cannot be told from a long pause. */
async function catchUp({ db, clock, log, node }: ClockWatchNeeds): Promise<void> {
  const signMs = await lastSignOfLife(db, node);
  const nowMs = clock.wall();
  const stepMs = nowMs - (signMs ?? nowMs);
  if (stepMs > -SMALLEST_STEP_MS) return;
  log.warn({ seconds: inSeconds(stepMs) }, "the clock was set back since the last stop; what waits is moved with it");
  await moveWaiting(db, { stepMs, fromMs: nowMs });
}

class Watch {
  readonly seen: ClockView = { steps: 0 };
  readonly due: DueClock;
  readonly #still = openStill();
  readonly #needs: ClockWatchNeeds;
  readonly #counter: Counter<"clock" | "direction">;
  /** By which rows are written and read. */
  #due: Reading;
  #last: Reading;
  #lastOfDatabase: Reading | undefined;
  /** Steps that the rows do not know of yet. */
  #owed: { stepMs: number; setAfterMs: number }[] = [];
  #looks = 0;
  #cancel: Cancel = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(needs: ClockWatchNeeds) {
    const { clock, registry } = needs;
    this.#needs = needs;
    this.#last = readingOf(clock);
    this.#due = this.#last;
    const wall = () => asWall(Math.round(this.#due.wallMs + since(clock, this.#due.ticks)));
    this.due = { ...clock, wall, during: this.#still.during };
    this.#counter = new Counter({
      name: "santral_clock_steps_total",
      help: "Times that a clock was set by more than two seconds since the start: this machine's, or the database's",
      labelNames: ["clock", "direction"],
      registers: [registry],
    });
    this.#again();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#looking;
  }

  #again(): void {
    if (this.#closed) return;
    this.#cancel = this.#needs.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().then(() => this.#again());
    });
  }

  async #look(): Promise<void> {
    const { log } = this.#needs;
    this.#compare();
    try {
      if (this.#owed.length > 0) await this.#still.moving(() => this.#move());
      if (this.#looks++ % ASK_EVERY_LOOKS === 0) await this.#askDatabase();
    } catch (error) {
      log.debug({ error: String(error) }, "the database could not be asked about its clock; trying again soon");
    }
  }

  #compare(): void {
    const now = readingOf(this.#needs.clock);
    const stepMs = stepBetween(this.#last, now);
    const setAfterMs = now.wallMs - between(this.#last.ticks, now.ticks);
    this.#last = now;
    if (Math.abs(stepMs) > SMALLEST_STEP_MS) {
      this.#tell("server", stepMs);
      this.#owed.push({ stepMs, setAfterMs });
    } else if (this.#owed.length === 0) this.#due = now;
  }

  async #move(): Promise<void> {
    const { db, clock, node, log } = this.#needs;
    const owed = [...this.#owed];
    const stepMs = owed.reduce((sum, step) => sum + step.stepMs, 0);
    await db.transaction(async (db) => {
      await moveWaiting(db, { stepMs, fromMs: Math.min(this.due.wall(), this.due.wall() + stepMs) });
      for (const step of owed) await noteStepInCalls(db, { node, nowMs: clock.wall(), ...step });
    });
    this.#owed = this.#owed.slice(owed.length);
    const ticks = clock.ticks();
    this.#due = { wallMs: this.#due.wallMs + between(this.#due.ticks, ticks) + stepMs, ticks };
    log.info({ seconds: inSeconds(stepMs) }, "what waits was moved with the clock");
  }

  async #askDatabase(): Promise<void> {
    const { db, clock } = this.#needs;
    const asked = clock.ticks();
    const wallMs = await databaseTimeMs(db.within(eachWithin(ANSWER_WITHIN_MS / 1_000)));
    const answered = clock.ticks();
    if (between(asked, answered) > ANSWER_WITHIN_MS) return;
    const now = { wallMs, ticks: answered };
    const stepMs = this.#lastOfDatabase ? stepBetween(this.#lastOfDatabase, now) : 0;
    if (Math.abs(stepMs) > SMALLEST_STEP_MS) this.#tell("database", stepMs);
    this.#lastOfDatabase = now;
  }

  #tell(whose: Whose, stepMs: number): void {
    const { clock, log } = this.#needs;
    const seconds = inSeconds(stepMs);
    this.seen.steps += 1;
    this.seen.last = { whose, seconds, at: new Date(clock.wall()).toISOString() };
    this.#counter.inc({ clock: whose, direction: stepMs < 0 ? "back" : "forward" });
    log.warn({ seconds }, `the clock of the ${whose === "server" ? "machine" : "database"} was set`);
  }
}

/** Both at one moment: a process that is stopped between the two readings reads again. */
function readingOf(clock: Clock): Reading {
  for (;;) {
    const before = clock.ticks();
    const wallMs = clock.wall();
    const ticks = clock.ticks();
    if (between(before, ticks) < SMALLEST_STEP_MS / 10) return { wallMs, ticks };
  }
}

function stepBetween(one: Reading, other: Reading): number {
  return other.wallMs - one.wallMs - between(one.ticks, other.ticks);
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}
