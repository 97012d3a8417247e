// What becomes of a REFER as a table: where the phone stands that asks for it, and what it names. Pure.
// Four may be on the line: the phone, the other party of the call it asks in, and whoever is in the second call it names.

import type { Table } from "../../machine.ts";
import type { HangupCause as Cause } from "./causes.ts";

export type State =
  /** One of ours that talks with somebody. */
  | { at: "talking" }
  /** One of ours, with nobody to send on: a voice has it, or its call is being sent on already. */
  | { at: "alone" }
  /** Somebody outside. */
  | { at: "outside" }
  | { at: "settled" };

export type Input =
  /** A number alone. */
  | { is: "number" }
  /** A dialog to replace that is in no second call of this phone. */
  | { is: "strange" }
  /** A second call of its own that nobody has taken yet. */
  | { is: "ringing" }
  /** A second call of its own in which it talks to a third party. */
  | { is: "answered" };

export type Effect =
  | { do: "refuse"; cause: Cause }
  /** The other party is led to the number, and the phone stays until somebody answers there. */
  | { do: "sendOn" }
  | { do: "endSecond" }
  /** The third party leaves the second call, which is over by that, and takes the phone's place in the first. */
  | { do: "putTogether" };

// A carrier must not send our callers around at our expense.
export const table: Table<State, Input, Effect> = {
  talking: {
    number: settle({ do: "sendOn" }),
    strange: settle({ do: "refuse", cause: "INVALID_CALL_REFERENCE" }),
    ringing: settle({ do: "endSecond" }, { do: "sendOn" }),
    answered: settle({ do: "putTogether" }),
  },
  alone: refuseAll(),
  outside: refuseAll(),
  settled: {},
};

function refuseAll() {
  const refuse = settle({ do: "refuse", cause: "CALL_REJECTED" });
  return { number: refuse, strange: refuse, ringing: refuse, answered: refuse };
}

function settle(...effects: Effect[]) {
  return () => ({ next: { at: "settled" } as const, effects });
}
