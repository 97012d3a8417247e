// Watches over the turns of the first thread, which answers telephones: one that takes long keeps everybody waiting. It is
// told, at most once a second, with how much of that time the thread computed and how much it only waited for the machine.

import { Counter, Gauge, type Registry } from "prom-client";
import { type Cancel, type Clock, since, type Ticks } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Closable } from "./parts.ts";
import { closelyMeasured, type TurnMeasures } from "./turn-measures.ts";

export type TurnWatchNeeds = { registry: Registry; clock: Clock; log: Log; measures?: TurnMeasures };

/** What the doctor is told by a running server, of its last hour. */
export type TurnView = { long: number; longestMs: number; at?: string };

export type TurnWatch = Closable & { view(): TurnView };

const LONG_MS = 100;
const LOOK_MS = 1_000;
/** What is read and compiled at a start takes its time, and keeps nobody from a call. */
const START_MS = 10_000;
/** A thread that did less in a second than this is at rest, and is left so: looking closely wakes it a hundred times. */
const AT_REST_MS = 50;
const CALM_LOOKS = 30;
const HOUR_MS = 3_600_000;
const MOST_REMEMBERED = 1_000;

type LongTurn = { ms: number; ticks: Ticks; at: string };

export function openTurnWatch(needs: TurnWatchNeeds): TurnWatch {
  const watch = new Watch(needs);
  return { view: () => watch.view(), close: async () => watch.close() };
}

class Watch {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #measures: TurnMeasures;
  readonly #counter: Counter;
  /** The oldest first. */
  #long: LongTurn[] = [];
  #longestMs = 0;
  #activeMs: number;
  #spentMs: number;
  #calmLooks = 0;
  #cancel: Cancel;

  constructor({ registry, clock, log, measures = closelyMeasured() }: TurnWatchNeeds) {
    this.#clock = clock;
    this.#log = log;
    this.#measures = measures;
    this.#activeMs = measures.activeMs();
    this.#spentMs = measures.spentMs();
    this.#counter = new Counter({
      name: "santral_long_turns_total",
      help: "Turns of the first thread that took more than a tenth of a second, since the start",
      registers: [registry],
    });
    this.#tellMetrics(registry);
    this.#cancel = clock.after(START_MS, () => this.#begin());
  }

  view(): TurnView {
    this.#forgetOld();
    const last = this.#long.at(-1);
    const longestMs = Math.max(0, ...this.#long.map(({ ms }) => ms));
    return { long: this.#long.length, longestMs, ...(last && { at: last.at }) };
  }

  close(): void {
    this.#cancel();
    this.#measures.lookClosely(false);
  }

  #begin(): void {
    this.#activeMs = this.#measures.activeMs();
    this.#spentMs = this.#measures.spentMs();
    this.#again();
  }

  #again(): void {
    const asked = this.#clock.ticks();
    this.#cancel = this.#clock.after(LOOK_MS, () => {
      this.#look(since(this.#clock, asked) - LOOK_MS);
      this.#again();
    });
  }

  /** `lateMs`: how long this look itself had to wait. */
  #look(lateMs: number): void {
    const computedMs = this.#spentSinceBefore();
    this.#lookCloselyWhileBusy();
    const longestMs = Math.round(Math.max(lateMs, this.#measures.longestMs()));
    this.#longestMs = Math.max(this.#longestMs, longestMs);
    if (longestMs <= LONG_MS) return;
    this.#counter.inc();
    const at = new Date(this.#clock.wall()).toISOString();
    if (this.#long.push({ ms: longestMs, ticks: this.#clock.ticks(), at }) > MOST_REMEMBERED) this.#long.shift();
    this.#log.warn(
      { turnMs: longestMs, computedMs },
      "the first thread was busy for longer than a tenth of a second: whoever called meanwhile had to wait",
    );
  }

  #spentSinceBefore(): number {
    const before = this.#spentMs;
    this.#spentMs = this.#measures.spentMs();
    return Math.round(this.#spentMs - before);
  }

  #lookCloselyWhileBusy(): void {
    const before = this.#activeMs;
    this.#activeMs = this.#measures.activeMs();
    const isBusy = this.#activeMs - before > AT_REST_MS;
    this.#calmLooks = isBusy ? 0 : this.#calmLooks + 1;
    if (isBusy) this.#measures.lookClosely(true);
    else if (this.#calmLooks >= CALM_LOOKS) this.#measures.lookClosely(false);
  }

  #forgetOld(): void {
    this.#long = this.#long.filter(({ ticks }) => since(this.#clock, ticks) < HOUR_MS);
  }

  #tellMetrics(registry: Registry): void {
    const [measures, longest] = [this.#measures, () => this.#longestMs];
    const anew = () => {
      this.#longestMs = 0;
    };
    new Gauge({
      name: "santral_turn_longest_seconds",
      help: "The longest turn of the first thread since this was asked before",
      registers: [registry],
      collect() {
        this.set(longest() / 1_000);
        anew();
      },
    });
    new Gauge({
      name: "santral_turn_p99_seconds",
      help: "How long all but one in a hundred had to wait for the first thread since this was asked before, while it was busy",
      registers: [registry],
      collect() {
        this.set(measures.p99Ms() / 1_000);
      },
    });
  }
}
