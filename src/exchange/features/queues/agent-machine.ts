// What an agent is doing as a table: what he wants, as it is stored, and what happens to him. Pure.

import { LONG_AGO, later, type Ticks } from "../../../clock.ts";
import type { StartTimer, Step, Table } from "../../../machine.ts";
import type { AgentStatus } from "../agents/agent-status.ts";

export type State = {
  at: AgentStatus;
  idleSince: Ticks;
  /** The same as a stamp, for those who watch. */
  idleSinceMs: number;
  /** Answered from queues since he logged in. */
  calls: number;
  /** Offers in a row that he let pass. */
  misses: number;
  restsUntil: Ticks;
  /** His break for missed calls is on its way to the store, which still says that he is available. */
  unstored: boolean;
};

export type Now = { now: Ticks; nowMs: number };

export type Input =
  /** So it is stored. A break or log-out in the middle of a call lets that call go on; only nothing new comes. */
  | ({ is: "available" } & Now)
  | { is: "onBreak" | "loggedOut" }
  /** The store has his break for missed calls, or has failed to take it. */
  | { is: "breakStored" }
  | { is: "offer" }
  /** So many calls he had answered before this process began. */
  | { is: "counted"; calls: number }
  | { is: "answer" }
  /** He let an offer pass, as the `mostMisses`th in a row once too often. */
  | ({ is: "miss"; mostMisses: number } & Now)
  /** Rung in vain through no fault of his. */
  | { is: "callerGone" }
  /** A call from a queue is over: some time for his notes, then the next. */
  | ({ is: "hangUp"; wrapUpSeconds: number } & Now)
  | { is: "finish" };

export type Effect =
  /** His break is to be stored. */
  | { do: "takeBreak" }
  /** His notes are written, and nobody has told the floor. */
  | { do: "tellFree" }
  | StartTimer<"finish">;

type Move = Step<State, Effect>;

/** After an offer that he let pass an agent is left alone for so long, or a refused call would ring back at once. */
const REST_MS = 5_000;

const onBreak = become("on-break");
const loggedOut = become("logged-out");
const wanted = { available: "ignored", onBreak, loggedOut, counted } as const;
/** A phone that rang in vain may stop only after he has gone, come back, or been offered another call. */
const late = { callerGone: "ignored", breakStored: "ignored" } as const;

export const table: Table<State, Input, Effect> = {
  "logged-out": { ...wanted, ...late, available: logIn, hangUp: noteIdle },
  "on-break": { ...wanted, ...late, available: comeBack, hangUp: noteIdle, breakStored },
  available: { ...wanted, ...late, offer: become("ringing"), hangUp: noteIdle },
  ringing: { ...wanted, ...late, answer, miss, callerGone: become("available"), hangUp: noteIdle },
  talking: { ...wanted, ...late, hangUp: wrapUp },
  "wrapping-up": { ...wanted, ...late, finish },
};

export function begin({ now, nowMs }: Now): Move {
  const idle = { idleSince: now, idleSinceMs: nowMs };
  const next: State = { at: "logged-out", ...idle, calls: 0, misses: 0, restsUntil: LONG_AGO, unstored: false };
  return { next, effects: [] };
}

function become(at: AgentStatus) {
  return (state: State): Move => ({ next: { ...state, at, unstored: false }, effects: [] });
}

function counted(state: State, { calls }: Input & { is: "counted" }): Move {
  return { next: { ...state, calls: state.calls + calls }, effects: [] };
}

function logIn(state: State, input: Now): Move {
  return comeBack({ ...state, calls: 0 }, input);
}

function comeBack(state: State, { now, nowMs }: Now): Move {
  if (state.unstored) return { next: state, effects: [] };
  return {
    next: { ...state, at: "available", misses: 0, restsUntil: LONG_AGO, idleSince: now, idleSinceMs: nowMs },
    effects: [],
  };
}

function breakStored(state: State): Move {
  return { next: { ...state, unstored: false }, effects: [] };
}

function answer(state: State): Move {
  return { next: { ...state, at: "talking", calls: state.calls + 1, misses: 0 }, effects: [] };
}

function miss(state: State, { mostMisses, now }: Input & { is: "miss" }): Move {
  const rested = { ...state, misses: state.misses + 1, restsUntil: later(now, REST_MS) };
  if (rested.misses < mostMisses) return { next: { ...rested, at: "available" }, effects: [] };
  return { next: { ...rested, at: "on-break", misses: 0, unstored: true }, effects: [{ do: "takeBreak" }] };
}

function wrapUp(state: State, { wrapUpSeconds, now, nowMs }: Input & { is: "hangUp" }): Move {
  const next: State = {
    ...state,
    at: wrapUpSeconds > 0 ? "wrapping-up" : "available",
    idleSince: now,
    idleSinceMs: nowMs,
  };
  return { next, effects: wrapUpSeconds > 0 ? [{ do: "start", timer: "finish", afterMs: wrapUpSeconds * 1_000 }] : [] };
}

/** He took a break or logged out while he talked, and may have come back since. */
function noteIdle(state: State, { now, nowMs }: Now): Move {
  return { next: { ...state, idleSince: now, idleSinceMs: nowMs }, effects: [] };
}

function finish(state: State): Move {
  return { next: { ...state, at: "available" }, effects: [{ do: "tellFree" }] };
}
