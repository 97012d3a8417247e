// The INVITE client transaction: RFC 3261 §17.1.1 as amended by RFC 6026 §7.2, with CANCEL as §9.1 wants it.

import type { StartTimer, Step, Table } from "../../machine.ts";
import type { Octets, Request, Response } from "../message/message.ts";
import { printMessage } from "../message/print.ts";
import { fail, finish, timeOut } from "./ends.ts";
import { ackForRefusal, cancelFor } from "./follow-up.ts";
import { PATIENCE_MS, T1_MS } from "./timers.ts";

/** The INVITE as data, and as it goes over the wire. */
type Sent = { request: Request; octets: Octets; reliable: boolean };

export type State =
  | { at: "calling"; invite: Sent; resendMs: number; cancel?: { reason?: string | undefined } }
  | { at: "proceeding"; invite: Sent }
  | { at: "cancelling"; invite: Sent }
  | { at: "accepted" }
  | { at: "completed"; ack: Octets }
  | { at: "terminated" };

export type Input =
  | { is: "provisional" | "success" | "failure"; response: Response }
  | { is: "cancel"; reason?: string | undefined }
  | { is: "transportFailed" | Timer };

export type Effect =
  | { do: "send"; octets: Octets }
  | { do: "cancel"; request: Request }
  | { do: "pass"; is: "provisional" | "success" | "failure"; response: Response }
  | { do: "report"; failure: "timeout" | "unreachable" }
  | { do: "finish" }
  | StartTimer<Timer>;

type Timer = "timerA" | "timerB" | "timerD" | "timerM" | "timerCancel";
type Move = Step<State, Effect>;
type In<At extends State["at"]> = State & { at: At };
type Answer = { is: "provisional" | "success" | "failure"; response: Response };

// RFC 3261 figure 5, one row per state. A timer lives as long as the state that started it.
export const table: Table<State, Input, Effect> = {
  calling: {
    provisional: ring,
    success: accept,
    failure: refuse,
    cancel: cancelLater,
    timerA: resend,
    timerB: timeOut,
    transportFailed: fail,
  },
  proceeding: { provisional: passOn, success: accept, failure: refuse, cancel: cancelNow, transportFailed: fail },
  cancelling: {
    provisional: passOn,
    success: accept,
    failure: refuse,
    cancel: "ignored",
    timerCancel: timeOut,
    transportFailed: fail,
  },
  // RFC 6026 §7.2: only further 2xx concern the owner. A CANCEL comes too late now.
  accepted: {
    success: passOn,
    provisional: "ignored",
    failure: "ignored",
    cancel: "ignored",
    transportFailed: "ignored",
    timerM: finish,
  },
  // The owner has heard the refusal; that the ACK could not be sent is no news for it, nor is another fork's answer.
  completed: {
    failure: ackAgain,
    provisional: "ignored",
    success: "ignored",
    cancel: "ignored",
    timerD: finish,
    transportFailed: finish,
  },
  // Its owner may not have heard yet that it is over, and a connection may break late.
  terminated: { cancel: "ignored", transportFailed: "ignored" },
};

export function begin(invite: Sent): Move {
  const effects: Effect[] = [
    { do: "send", octets: invite.octets },
    { do: "start", timer: "timerB", afterMs: PATIENCE_MS },
  ];
  if (!invite.reliable) effects.push({ do: "start", timer: "timerA", afterMs: T1_MS });
  return { next: { at: "calling", invite, resendMs: T1_MS }, effects };
}

/** Of an earlier process. What was heard of is neither sent again nor waited for. */
export function beginAgain(invite: Sent, { heard }: { heard: boolean }): Move {
  return heard ? { next: { at: "proceeding", invite }, effects: [] } : begin(invite);
}

/** The INVITE, while nobody knows how it ends; not of one that is being taken back. */
export function unanswered(state: State): { octets: Octets; heard: boolean } | undefined {
  if (state.at === "proceeding") return { octets: state.invite.octets, heard: true };
  return state.at === "calling" && !state.cancel ? { octets: state.invite.octets, heard: false } : undefined;
}

function ring({ invite, cancel }: In<"calling">, { is, response }: Answer): Move {
  const heard: Effect = { do: "pass", is, response };
  if (!cancel) return { next: { at: "proceeding", invite }, effects: [heard] };
  const { next, effects } = cancelNow({ invite }, cancel);
  return { next, effects: [heard, ...effects] };
}

// A CANCEL that overtakes its INVITE is lost: it waits for the first sign that the INVITE arrived.
function cancelLater(state: In<"calling">, { reason }: { reason?: string | undefined }): Move {
  return { next: { ...state, cancel: { reason } }, effects: [] };
}

// The far end should now refuse the INVITE; one that stays silent is given up.
function cancelNow({ invite }: { invite: Sent }, { reason }: { reason?: string | undefined }): Move {
  const effects: Effect[] = [
    { do: "cancel", request: cancelFor(invite.request, reason) },
    { do: "start", timer: "timerCancel", afterMs: PATIENCE_MS },
  ];
  return { next: { at: "cancelling", invite }, effects };
}

// The owner of the call acknowledges a 2xx, not we. We linger to hand it the answers of other forks.
function accept(_: State, { is, response }: Answer): Move {
  const linger: Effect = { do: "start", timer: "timerM", afterMs: PATIENCE_MS };
  return { next: { at: "accepted" }, effects: [{ do: "pass", is, response }, linger] };
}

function refuse({ invite }: { invite: Sent }, { is, response }: Answer): Move {
  const ack = printMessage(ackForRefusal(invite.request, response));
  const effects: Effect[] = [
    { do: "send", octets: ack },
    { do: "pass", is, response },
  ];
  if (invite.reliable) return { next: { at: "terminated" }, effects: [...effects, { do: "finish" }] };
  const absorbRepeats: Effect = { do: "start", timer: "timerD", afterMs: PATIENCE_MS };
  return { next: { at: "completed", ack }, effects: [...effects, absorbRepeats] };
}

// Nobody is called any more with an INVITE that has been taken back.
function resend(state: In<"calling">): Move {
  if (state.cancel) return { next: state, effects: [] };
  const resendMs = state.resendMs * 2;
  const again: Effect = { do: "start", timer: "timerA", afterMs: resendMs };
  return { next: { ...state, resendMs }, effects: [{ do: "send", octets: state.invite.octets }, again] };
}

function passOn(state: State, { is, response }: Answer): Move {
  return { next: state, effects: [{ do: "pass", is, response }] };
}

function ackAgain(state: In<"completed">): Move {
  return { next: state, effects: [{ do: "send", octets: state.ack }] };
}
