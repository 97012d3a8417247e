// The INVITE server transaction: RFC 3261 §17.2.1 as amended by RFC 6026 §7.1. Resending a 2xx is not its work.

import type { StartTimer, Step, Table } from "../../machine.ts";
import type { Octets } from "../message/message.ts";
import { fail, finish, timeOut } from "./ends.ts";
import { PATIENCE_MS, T1_MS, T2_MS, T4_MS, TRYING_AFTER_MS } from "./timers.ts";

export type State =
  | { at: "proceeding"; reliable: boolean; last?: Octets }
  | { at: "accepted" }
  | { at: "completed"; reliable: boolean; last: Octets; resendMs: number }
  | { at: "confirmed" }
  | { at: "terminated" };

export type Input =
  | { is: "provisional" | "success" | "failure"; octets: Octets }
  | { is: "again" | "ack" | "transportFailed" | Timer };

export type Effect =
  | { do: "send"; octets: Octets }
  /** Nobody has said anything yet: a 100 goes out, for the caller's peace of mind. */
  | { do: "trying" }
  | { do: "report"; failure: "timeout" | "unreachable" }
  | { do: "finish" }
  | StartTimer<Timer>;

type Timer = "timerTrying" | "timerG" | "timerH" | "timerI" | "timerL";
type Move = Step<State, Effect>;
type In<At extends State["at"]> = State & { at: At };
type Said = { octets: Octets };

// RFC 3261 figure 7 with the accepted state of RFC 6026 figure 5. An ACK for a 2xx belongs to the dialog.
export const table: Table<State, Input, Effect> = {
  proceeding: {
    again: repeat,
    provisional: ring,
    success: accept,
    failure: refuse,
    timerTrying: trying,
    transportFailed: fail,
  },
  // Whether the 2xx arrived shows in its ACK, whatever the connection says.
  accepted: { success: passOn, again: "ignored", ack: "ignored", transportFailed: "ignored", timerL: finish },
  completed: { again: repeat, ack: confirm, timerG: resend, timerH: timeOut, transportFailed: fail },
  confirmed: { again: "ignored", ack: "ignored", transportFailed: "ignored", timerI: finish },
  // Broken off under its owner, who answers all the same.
  terminated: { provisional: "ignored", success: "ignored", failure: "ignored", transportFailed: "ignored" },
};

export function begin(reliable: boolean): Move {
  const soon: Effect = { do: "start", timer: "timerTrying", afterMs: TRYING_AFTER_MS };
  return { next: { at: "proceeding", reliable }, effects: [soon] };
}

/** Of an earlier process, which may have said something already. */
export function beginAgain(reliable: boolean, last: Octets | undefined): Move {
  return last === undefined ? begin(reliable) : { next: { at: "proceeding", reliable, last }, effects: [] };
}

function trying(state: In<"proceeding">): Move {
  return { next: state, effects: state.last === undefined ? [{ do: "trying" }] : [] };
}

function ring({ reliable }: In<"proceeding">, { octets }: Said): Move {
  return { next: { at: "proceeding", reliable, last: octets }, effects: [{ do: "send", octets }] };
}

function repeat(state: In<"proceeding" | "completed">): Move {
  return { next: state, effects: state.last === undefined ? [] : [{ do: "send", octets: state.last }] };
}

// Lingers only to swallow repeats of an INVITE that has been answered.
function accept(_: State, { octets }: Said): Move {
  const linger: Effect = { do: "start", timer: "timerL", afterMs: PATIENCE_MS };
  return { next: { at: "accepted" }, effects: [{ do: "send", octets }, linger] };
}

function passOn(state: State, { octets }: Said): Move {
  return { next: state, effects: [{ do: "send", octets }] };
}

function refuse({ reliable }: In<"proceeding">, { octets }: Said): Move {
  const effects: Effect[] = [
    { do: "send", octets },
    { do: "start", timer: "timerH", afterMs: PATIENCE_MS },
  ];
  if (!reliable) effects.push({ do: "start", timer: "timerG", afterMs: T1_MS });
  return { next: { at: "completed", reliable, last: octets, resendMs: T1_MS }, effects };
}

function resend(state: In<"completed">): Move {
  const resendMs = Math.min(state.resendMs * 2, T2_MS);
  const again: Effect = { do: "start", timer: "timerG", afterMs: resendMs };
  return { next: { ...state, resendMs }, effects: [{ do: "send", octets: state.last }, again] };
}

function confirm({ reliable }: In<"completed">): Move {
  if (reliable) return finish();
  return { next: { at: "confirmed" }, effects: [{ do: "start", timer: "timerI", afterMs: T4_MS }] };
}
