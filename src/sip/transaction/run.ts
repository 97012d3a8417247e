// The crank of machine.ts once more, as one small object: a busy exchange has hundreds of thousands of these lingering.

import type { Cancel, Clock } from "../../clock.ts";
import { type StartTimer, type Step, step, type Table } from "../../machine.ts";

type Plan<State extends { at: string }, Input extends { is: string }, Effect extends { do: string }> = {
  table: Table<State, Input, Effect>;
  begin: Step<State, Effect>;
  clock: Clock;
};

/** Carries out every effect but timers. */
type Performer<Effect> = { perform(effect: Exclude<Effect, { do: "start" }>): void };

export class Run<State extends { at: string }, Input extends { is: string }, Effect extends { do: string }> {
  readonly #table: Table<State, Input, Effect>;
  readonly #clock: Clock;
  readonly #performer: Performer<Effect>;
  #state: State;
  #timers: Cancel[] | undefined;
  /** Inputs that came while a step was being carried out: a step is always finished first. */
  #waiting: Input[] | undefined;
  #busy = false;

  constructor({ table, begin, clock }: Plan<State, Input, Effect>, performer: Performer<Effect>) {
    this.#table = table;
    this.#clock = clock;
    this.#performer = performer;
    this.#state = begin.next;
    this.#carryOut(begin);
    this.#catchUp();
  }

  receive(input: Input): void {
    if (this.#busy) {
      this.#waiting ??= [];
      this.#waiting.push(input);
      return;
    }
    this.#carryOut(step(this.#table, this.#state, input));
    this.#catchUp();
  }

  #catchUp() {
    while (this.#waiting !== undefined) {
      const [next, ...later] = this.#waiting;
      this.#waiting = later.length > 0 ? later : undefined;
      // The list is let go when it is empty, so that it has a first.
      this.#carryOut(step(this.#table, this.#state, next!));
    }
  }

  #carryOut({ next, effects }: Step<State, Effect>) {
    this.#busy = true;
    if (next.at !== this.#state.at) this.#stopTimers();
    this.#state = next;
    try {
      for (const effect of effects) {
        if (effect.do === "start") this.#startTimer(effect as Effect & StartTimer<Input["is"]>);
        else this.#performer.perform(effect as Exclude<Effect, { do: "start" }>);
      }
    } finally {
      this.#busy = false;
    }
  }

  #startTimer({ timer, afterMs }: StartTimer<Input["is"]>) {
    const cancel = this.#clock.after(afterMs, () => this.receive({ is: timer } as Input));
    if (this.#timers) this.#timers.push(cancel);
    else this.#timers = [cancel];
  }

  #stopTimers() {
    if (!this.#timers) return;
    for (const cancel of this.#timers) cancel();
    this.#timers = undefined;
  }
}
