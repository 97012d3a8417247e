// The engine of every state machine: a table says what each state makes of each input, this carries it out. One small
// object, because a busy exchange has hundreds of thousands of them lingering.

import type { Cancel, Clock } from "./clock.ts";

export type StartTimer<Name extends string> = { do: "start"; timer: Name; afterMs: number };
export type Step<State, Effect> = { next: State; effects: Effect[] };

/**
 * Row: where we are. Column: what happened. "ignored": it may well happen here, and means nothing. An empty cell: it
 * does not happen here; when it does, nothing changes and it is reported.
 */
export type Table<State extends { at: string }, Input extends { is: string }, Effect> = {
  readonly [At in State["at"]]: {
    readonly [Is in Input["is"]]?:
      | "ignored"
      | ((state: State & { at: At }, input: Input & { is: Is }) => Step<State, Effect>);
  };
};

/** An input came that its machine's table has no cell for. */
export type Unexpected = { machine: string; state: string; input: string };
export type ReportUnexpected = (what: Unexpected) => void;

export type Driver<Effect> = {
  /** Carries out every effect but timers. */
  perform(effect: Exclude<Effect, { do: "start" }>): void;
  unexpected(state: string, input: string): void;
};

export class Machine<State extends { at: string }, Input extends { is: string }, Effect extends { do: string }> {
  readonly #table: Table<State, Input, Effect>;
  readonly #clock: Clock;
  readonly #driver: Driver<Effect>;
  #state: State;
  /** By name: a timer that is started again begins anew. */
  #timers: Record<string, Cancel> | undefined;
  /** Inputs that came while a step was being carried out: a step is always finished first. */
  #waiting: Input[] | undefined;
  #busy = false;

  constructor(table: Table<State, Input, Effect>, begin: Step<State, Effect>, clock: Clock, driver: Driver<Effect>) {
    this.#table = table;
    this.#clock = clock;
    this.#driver = driver;
    this.#state = begin.next;
    this.#carryOut(begin);
    this.#catchUp();
  }

  state(): State {
    return this.#state;
  }

  receive(input: Input): void {
    if (this.#busy || this.#waiting !== undefined) {
      this.#waiting ??= [];
      this.#waiting.push(input);
    } else this.#take(input);
    if (!this.#busy) this.#catchUp();
  }

  #catchUp() {
    while (this.#waiting !== undefined) {
      const [next, ...later] = this.#waiting;
      this.#waiting = later.length > 0 ? later : undefined;
      // The list is let go when it is empty, so that it has a first.
      this.#take(next!);
    }
  }

  #take(input: Input) {
    const state = this.#state;
    // The one cast: the cell is chosen by the very two fields that its handler's types narrow on.
    const cell = this.#table[state.at as State["at"]][input.is as Input["is"]] as
      | undefined
      | "ignored"
      | ((state: State, input: Input) => Step<State, Effect>);
    if (cell === undefined) this.#driver.unexpected(state.at, input.is);
    else if (cell !== "ignored") this.#carryOut(cell(state, input));
  }

  #carryOut({ next, effects }: Step<State, Effect>) {
    this.#busy = true;
    if (next.at !== this.#state.at) this.#stopTimers();
    this.#state = next;
    try {
      for (const effect of effects) {
        if (effect.do === "start") this.#startTimer(effect as Effect & StartTimer<Input["is"]>);
        else this.#driver.perform(effect as Exclude<Effect, { do: "start" }>);
      }
    } finally {
      this.#busy = false;
    }
  }

  /** A timer lives as long as the state that started it. */
  #startTimer({ timer, afterMs }: StartTimer<Input["is"]>) {
    this.#timers ??= {};
    this.#timers[timer]?.();
    this.#timers[timer] = this.#clock.after(afterMs, () => this.receive({ is: timer } as Input));
  }

  #stopTimers() {
    if (!this.#timers) return;
    for (const timer in this.#timers) this.#timers[timer]!();
    this.#timers = undefined;
  }
}
