// The client transaction of every request but INVITE and ACK: RFC 3261 §17.1.2.

import type { StartTimer, Step, Table } from "../../machine.ts";
import type { Octets, Response } from "../message/message.ts";
import { fail, finish, timeOut } from "./ends.ts";
import { PATIENCE_MS, T1_MS, T2_MS, T4_MS } from "./timers.ts";

/** `patienceMs`: timer F, where nobody wants to wait for all of it. */
type Sent = { octets: Octets; reliable: boolean; patienceMs?: number | undefined };

export type State =
  | { at: "trying"; request: Sent; resendMs: number }
  | { at: "proceeding"; request: Sent }
  | { at: "completed" }
  | { at: "terminated" };

export type Input =
  | { is: "provisional" | "success" | "failure"; response: Response }
  | { is: "transportFailed" | Timer };

export type Effect =
  | { do: "send"; octets: Octets }
  | { do: "pass"; is: "provisional" | "success" | "failure"; response: Response }
  | { do: "report"; failure: "timeout" | "unreachable" }
  | { do: "finish" }
  | StartTimer<Timer>;

type Timer = "timerE" | "timerF" | "timerK";
type Move = Step<State, Effect>;
type In<At extends State["at"]> = State & { at: At };
type Answer = { is: "provisional" | "success" | "failure"; response: Response };

// RFC 3261 figure 6.
export const table: Table<State, Input, Effect> = {
  trying: {
    provisional: proceed,
    success: complete,
    failure: complete,
    timerE: resend,
    timerF: timeOut,
    transportFailed: fail,
  },
  proceeding: {
    provisional: passOn,
    success: complete,
    failure: complete,
    timerE: resendSlowly,
    timerF: timeOut,
    transportFailed: fail,
  },
  // Final responses come again until our side of the network has grown quiet; timer K waits for that.
  completed: {
    provisional: "ignored",
    success: "ignored",
    failure: "ignored",
    transportFailed: "ignored",
    timerK: finish,
  },
  // A connection may break after the response has come by it.
  terminated: { transportFailed: "ignored" },
};

export function begin(request: Sent): Move {
  const effects: Effect[] = [{ do: "send", octets: request.octets }, giveUpAfter(request)];
  if (!request.reliable) effects.push({ do: "start", timer: "timerE", afterMs: T1_MS });
  return { next: { at: "trying", request, resendMs: T1_MS }, effects };
}

// The figure keeps timer F running here. Ours dies with its state, so it starts afresh:
// a server that shows it is alive gets its full time again.
function proceed({ request }: In<"trying">, { is, response }: Answer): Move {
  const effects: Effect[] = [{ do: "pass", is, response }, giveUpAfter(request)];
  if (!request.reliable) effects.push({ do: "start", timer: "timerE", afterMs: T2_MS });
  return { next: { at: "proceeding", request }, effects };
}

function complete({ request }: { request: Sent }, { is, response }: Answer): Move {
  const heard: Effect = { do: "pass", is, response };
  if (request.reliable) return { next: { at: "terminated" }, effects: [{ do: "finish" }, heard] };
  return { next: { at: "completed" }, effects: [heard, { do: "start", timer: "timerK", afterMs: T4_MS }] };
}

function resend(state: In<"trying">): Move {
  const resendMs = Math.min(state.resendMs * 2, T2_MS);
  const again: Effect = { do: "start", timer: "timerE", afterMs: resendMs };
  return { next: { ...state, resendMs }, effects: [{ do: "send", octets: state.request.octets }, again] };
}

function resendSlowly(state: In<"proceeding">): Move {
  const again: Effect = { do: "start", timer: "timerE", afterMs: T2_MS };
  return { next: state, effects: [{ do: "send", octets: state.request.octets }, again] };
}

function passOn(state: State, { is, response }: Answer): Move {
  return { next: state, effects: [{ do: "pass", is, response }] };
}

function giveUpAfter({ patienceMs = PATIENCE_MS }: Sent): Effect {
  return { do: "start", timer: "timerF", afterMs: patienceMs };
}
