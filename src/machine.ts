// Every state machine of the exchange is a table; this is the one engine that turns the crank.

import type { Cancel, Clock } from "./clock.ts";

export type StartTimer<Name extends string> = { do: "start"; timer: Name; afterMs: number };
export type Step<State, Effect> = { next: State; effects: Effect[] };

/** Row: where we are. Column: what happened. An empty cell means: ignore it here. */
export type Table<State extends { at: string }, Input extends { is: string }, Effect> = {
  [At in State["at"]]: {
    [Is in Input["is"]]?: (state: State & { at: At }, input: Input & { is: Is }) => Step<State, Effect>;
  };
};

export function step<State extends { at: string }, Input extends { is: string }, Effect>(
  table: Table<State, Input, Effect>,
  state: State,
  input: Input,
): Step<State, Effect> {
  // The one cast: the cell is chosen by the very two fields that its handler's types narrow on.
  const cell = table[state.at as State["at"]][input.is as Input["is"]] as unknown;
  const handler = cell as undefined | ((state: State, input: Input) => Step<State, Effect>);
  return handler ? handler(state, input) : { next: state, effects: [] };
}

export function runMachine<State extends { at: string }, Input extends { is: string }, Effect extends { do: string }>({
  table,
  begin,
  clock,
  perform,
}: {
  table: Table<State, Input, Effect>;
  begin: Step<State, Effect>;
  clock: Clock;
  perform(effect: Exclude<Effect, { do: "start" }>): void;
}) {
  const waiting: Input[] = [];
  let state = begin.next;
  let timers: Cancel[] = [];
  let busy = false;

  carryOut(begin);
  return { receive, state: () => state };

  // An effect may call straight back (a response handler that cancels, for one).
  // Finishing one step before taking the next input keeps every step whole.
  function receive(input: Input) {
    waiting.push(input);
    while (!busy && waiting.length > 0) carryOut(step(table, state, waiting.shift()!));
  }

  function carryOut({ next, effects }: Step<State, Effect>) {
    busy = true;
    if (next.at !== state.at) stopTimers();
    state = next;
    try {
      for (const effect of effects) act(effect);
    } finally {
      busy = false;
    }
  }

  function act(effect: Effect) {
    if (effect.do === "start") startTimer(effect as Effect & StartTimer<Input["is"]>);
    else perform(effect as Exclude<Effect, { do: "start" }>);
  }

  function startTimer({ timer, afterMs }: StartTimer<Input["is"]>) {
    timers.push(clock.after(afterMs, () => receive({ is: timer } as Input)));
  }

  function stopTimers() {
    for (const cancel of timers) cancel();
    timers = [];
  }
}
