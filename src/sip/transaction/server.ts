// The server transaction of every request but INVITE and ACK: RFC 3261 §17.2.2.

import type { StartTimer, Step, Table } from "../../machine.ts";
import type { Octets } from "../message/message.ts";
import { fail, finish } from "./ends.ts";
import { PATIENCE_MS } from "./timers.ts";

export type State =
  | { at: "trying"; reliable: boolean }
  | { at: "proceeding"; reliable: boolean; last: Octets }
  | { at: "completed"; last: Octets }
  | { at: "terminated" };

export type Input = { is: "provisional" | "final"; octets: Octets } | { is: "again" | "transportFailed" | Timer };

export type Effect =
  | { do: "send"; octets: Octets }
  | { do: "report"; failure: "unreachable" }
  | { do: "finish" }
  | StartTimer<Timer>;

type Timer = "timerJ";
type Move = Step<State, Effect>;
type In<At extends State["at"]> = State & { at: At };
type Said = { octets: Octets };

// RFC 3261 figure 8. While trying, a repeated request is swallowed: there is nothing to repeat yet. Once completed, a
// second final response is discarded, as §17.2.2 wants it.
export const table: Table<State, Input, Effect> = {
  trying: { again: "ignored", provisional: proceed, final: complete, transportFailed: fail },
  proceeding: { again: repeat, provisional: proceed, final: complete, transportFailed: fail },
  completed: { again: repeat, final: "ignored", timerJ: finish, transportFailed: fail },
  // Broken off under its owner, who answers all the same.
  terminated: { provisional: "ignored", final: "ignored", transportFailed: "ignored" },
};

export function begin(reliable: boolean): Move {
  return { next: { at: "trying", reliable }, effects: [] };
}

function proceed({ reliable }: In<"trying" | "proceeding">, { octets }: Said): Move {
  return { next: { at: "proceeding", reliable, last: octets }, effects: [{ do: "send", octets }] };
}

function complete({ reliable }: In<"trying" | "proceeding">, { octets }: Said): Move {
  if (reliable) return { next: { at: "terminated" }, effects: [{ do: "send", octets }, { do: "finish" }] };
  const absorbRepeats: Effect = { do: "start", timer: "timerJ", afterMs: PATIENCE_MS };
  return { next: { at: "completed", last: octets }, effects: [{ do: "send", octets }, absorbRepeats] };
}

function repeat(state: In<"proceeding" | "completed">): Move {
  return { next: state, effects: [{ do: "send", octets: state.last }] };
}
