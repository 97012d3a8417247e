// Rings several phones at once until one picks up, all have refused, or the time is over.

import { type Cancel, type Clock, earliest, since, type Ticks } from "../../clock.ts";
import type { Moved } from "../../sip/headers/moved.ts";
import type { Ending } from "./call-machine.ts";
import type { HangupCause as Cause } from "./causes.ts";
import type { Leg, LegEvent } from "./leg.ts";

export type Rung = { answered: Leg } | { failed: Ending };

export type RingOptions = {
  clock: Clock;
  seconds: number;
  /** The caller gave up, or somebody else took the call: `reason` is the cause. */
  signal: AbortSignal;
  onRinging?(leg: Leg): void;
  onEarlyMedia?(leg: Leg): void;
  /** Those that have not answered lately: they are rung, and not waited for. */
  silent?: ReadonlySet<Leg>;
  /** How long all of them may do nothing but try. */
  progressMs?: number | undefined;
  /** One that forwards by itself (3xx) ends the ringing of all. */
  forwardDecides?: boolean;
  onForward?(moved: readonly Moved[]): void;
  /** Phones that may still come: they are rung too, and until one does nobody need be there. */
  latecomers?: Latecomers | undefined;
};

/** Call what is returned to stop looking. */
export type Latecomers = (waiting: {
  join(leg: Leg): void;
  nobodyComes(): void;
  /** It rings no more, and has not said so. */
  gone(leg: Leg): void;
}) => Cancel;

// When nobody answers, the caller is told the news that says most about the person he called.
const telling: Cause[] = [
  "USER_BUSY",
  "CALL_REJECTED",
  "NO_ANSWER",
  "UNALLOCATED_NUMBER",
  "INVALID_NUMBER_FORMAT",
  "INCOMPATIBLE_DESTINATION",
  "REDIRECTION_TO_NEW_DESTINATION",
  "NO_USER_RESPONSE",
];

/** A refusal by a person, or by the key he pressed before he left: whoever is silent is not there to say otherwise. */
const REFUSALS: readonly Cause[] = ["USER_BUSY", "CALL_REJECTED", "REDIRECTION_TO_NEW_DESTINATION"];

/** Phones that are there answer within this. */
const LIFE_MS = 2_000;
/** Those that were silent before are given so long, and the others what SIP gives them. */
const SILENT_MS = 3_000;
/** Whoever comes late rings for so long at least. */
const LATE_MS = 15_000;

export function ringPhones(legs: Leg[], options: RingOptions): Promise<Rung> {
  return new Promise((settle) => new Ringing(legs, options, settle));
}

class Ringing {
  readonly #ringing: Set<Leg>;
  readonly #options: RingOptions;
  readonly #settle: (rung: Rung) => void;
  readonly #endings: Ending[] = [];
  readonly #began: Ticks;
  #timers: Cancel[] = [];
  #isOver = false;
  /** Somebody has been told who may still come. */
  #awaits = false;
  #giveUp: Cancel = () => undefined;
  #stopWaiting: Cancel = () => undefined;

  constructor(legs: Leg[], options: RingOptions, settle: (rung: Rung) => void) {
    const { clock, signal } = options;
    this.#ringing = new Set(legs);
    this.#options = options;
    this.#settle = settle;
    // Those whom an earlier process had begun to ring have rung for a while.
    this.#began = legs.map(({ began }) => began).reduce(earliest, clock.ticks());
    signal.addEventListener("abort", this.#abandoned);
    if (signal.aborted) this.#abandoned();
    else if (legs.length === 0 && !options.latecomers)
      this.#stop({ failed: { cause: "NO_USER_RESPONSE" } }, "NO_USER_RESPONSE");
    else this.#begin(options);
  }

  #begin({ seconds, silent, progressMs }: RingOptions): void {
    if (progressMs !== undefined) this.#after(progressMs, () => this.#giveUpStalled());
    this.#giveUpAfter(seconds * 1000 - since(this.#options.clock, this.#began));
    if (silent?.size) this.#after(SILENT_MS, () => this.#giveUpSilent(silent));
    for (const leg of this.#ringing) leg.listen((event) => this.#hear(leg, event));
    const { latecomers } = this.#options;
    if (!latecomers) return;
    this.#awaits = true;
    const stop = latecomers({
      join: (leg) => this.#join(leg),
      nobodyComes: () => this.#nobodyComes(),
      gone: (leg) => {
        this.#letGo(leg);
        if (!this.#isOver) this.#judge();
      },
    });
    // All may be over by now.
    if (this.#isOver) stop();
    else this.#stopWaiting = stop;
  }

  #join(leg: Leg): void {
    const { clock, seconds } = this.#options;
    if (this.#isOver) return leg.end("NO_ANSWER");
    this.#ringing.add(leg);
    this.#giveUpAfter(Math.max(LATE_MS, seconds * 1000 - since(clock, this.#began)));
    return leg.listen((event) => this.#hear(leg, event));
  }

  #nobodyComes(): void {
    this.#awaits = false;
    if (this.#ringing.size === 0) this.#stop({ failed: mostTelling(this.#endings) }, "NO_USER_RESPONSE");
  }

  #giveUpAfter(ms: number): void {
    this.#giveUp();
    this.#giveUp = this.#options.clock.after(Math.max(0, ms), () => {
      const cause = this.#ringing.size === 0 ? "NO_USER_RESPONSE" : "NO_ANSWER";
      this.#stop({ failed: { cause } }, cause);
    });
  }

  #hear(leg: Leg, event: LegEvent): void {
    if (!this.#ringing.has(leg)) return;
    const { onRinging, onEarlyMedia, onForward, forwardDecides } = this.#options;
    if (event.is === "ringing") onRinging?.(leg);
    if (event.is === "earlyMedia") onEarlyMedia?.(leg);
    if (event.is === "answered") this.#stop({ answered: leg }, "LOSE_RACE");
    if (event.is !== "ended") return;
    this.#ringing.delete(leg);
    this.#endings.push(event.ending);
    const { moved, cause } = event.ending;
    if (moved?.length) {
      onForward?.(moved);
      if (forwardDecides) return this.#stop({ failed: event.ending }, cause);
    }
    this.#judge();
  }

  /** Nobody is left, or only phones that nobody has heard of beside one that was refused. */
  #judge(): void {
    const { clock, silent } = this.#options;
    const unheard = [...this.#ringing].filter((leg) => leg.facts().heardMs === undefined);
    if (this.#ringing.size > unheard.length) return;
    const isRefused = this.#endings.some(({ cause, sip }) => sip !== undefined && REFUSALS.includes(cause));
    if (!isRefused && (unheard.length > 0 || this.#awaits)) return;
    const ageMs = since(clock, this.#began);
    if (ageMs < LIFE_MS && unheard.some((leg) => !silent?.has(leg)))
      return this.#after(LIFE_MS - ageMs, () => this.#judge());
    this.#stop({ failed: mostTelling(this.#endings) }, "NO_ANSWER");
  }

  #giveUpStalled(): void {
    if ([...this.#ringing].some((leg) => leg.facts().progressMs !== undefined)) return;
    this.#stop({ failed: { cause: "NO_USER_RESPONSE", stalled: true } }, "NO_USER_RESPONSE");
  }

  #giveUpSilent(silent: ReadonlySet<Leg>): void {
    for (const leg of silent) {
      if (leg.facts().heardMs === undefined) this.#letGo(leg);
    }
    this.#judge();
  }

  #letGo(leg: Leg): void {
    if (!this.#ringing.delete(leg)) return;
    this.#endings.push({ cause: "NO_USER_RESPONSE" });
    leg.end("NO_USER_RESPONSE");
  }

  #abandoned = () => {
    const cause = this.#options.signal.reason as Cause; // only call.ts aborts, and it always says why
    this.#stop({ failed: { cause } }, cause);
  };

  #stop(rung: Rung, others: Cause): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const cancel of [...this.#timers, this.#giveUp, this.#stopWaiting]) cancel();
    this.#options.signal.removeEventListener("abort", this.#abandoned);
    const waiting = [...this.#ringing];
    this.#ringing.clear();
    // Whoever takes the leg over listens a moment later, and it may be lost in between.
    if ("answered" in rung) rung.answered.listen(undefined);
    for (const leg of waiting) if (!("answered" in rung) || leg !== rung.answered) leg.end(others);
    this.#settle(rung);
  }

  #after(ms: number, act: () => void): void {
    this.#timers.push(this.#options.clock.after(ms, act));
  }
}

export function mostTelling(endings: Ending[]): Ending {
  const weight = ({ cause }: Ending) => (telling.includes(cause) ? telling.indexOf(cause) : telling.length);
  return endings.toSorted((one, other) => weight(one) - weight(other))[0] ?? { cause: "NO_USER_RESPONSE" };
}
