// A 2xx to an INVITE on its way: repeated over any transport until the caller's ACK arrives (RFC 3261 §13.3.1.4).

import type { StartTimer, Step, Table } from "../../machine.ts";
import type { Octets } from "../message/message.ts";
import { PATIENCE_MS, T1_MS, T2_MS } from "./timers.ts";

export type State =
  | { at: "waiting"; answer: Octets; resendMs: number }
  | { at: "acknowledged" }
  | { at: "unacknowledged" };

export type Input = { is: "ack" | Timer };

export type Effect =
  | { do: "send"; octets: Octets }
  | { do: "finish" }
  | { do: "report"; failure: "unacknowledged" }
  | StartTimer<Timer>;

type Timer = "resend" | "giveUp";
type Move = Step<State, Effect>;

export const table: Table<State, Input, Effect> = {
  waiting: { ack: acknowledge, resend, giveUp },
  // An ACK is repeated with every 2xx that comes, and one may come too late.
  acknowledged: { ack: "ignored" },
  unacknowledged: { ack: "ignored" },
};

export function begin(answer: Octets): Move {
  const effects: Effect[] = [
    { do: "start", timer: "resend", afterMs: T1_MS },
    { do: "start", timer: "giveUp", afterMs: PATIENCE_MS },
  ];
  return { next: { at: "waiting", answer, resendMs: T1_MS }, effects };
}

function resend(state: State & { at: "waiting" }): Move {
  const resendMs = Math.min(state.resendMs * 2, T2_MS);
  const again: Effect = { do: "start", timer: "resend", afterMs: resendMs };
  return { next: { ...state, resendMs }, effects: [{ do: "send", octets: state.answer }, again] };
}

function acknowledge(): Move {
  return { next: { at: "acknowledged" }, effects: [{ do: "finish" }] };
}

function giveUp(): Move {
  return { next: { at: "unacknowledged" }, effects: [{ do: "finish" }, { do: "report", failure: "unacknowledged" }] };
}
