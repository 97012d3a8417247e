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
  /** The store says that he owes what became of a call; so many more such debts are on their way to it. */
  owes: boolean;
  unstoredDebts: number;
  /** His time for notes is over: what keeps him is what he owes. */
  timeIsUp: boolean;
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
  /** `owes`: what became of it has to be said before the next. */
  | { is: "answer"; owes: boolean }
  /** The store has that debt, or has failed to take it. */
  | { is: "debtStored"; kept: boolean }
  /** So it is stored. */
  | { is: "debts"; owes: boolean }
  /** He wants no more time for his notes. */
  | { is: "ready" }
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
const wanted = { available: "ignored", onBreak, loggedOut, counted, debts, debtStored, ready: "ignored" } as const;
/** A phone that rang in vain may stop only after he has gone, come back, or been offered another call. */
const late = { callerGone: "ignored", breakStored: "ignored" } as const;

export const table: Table<State, Input, Effect> = {
  "logged-out": { ...wanted, ...late, available: logIn, hangUp: noteIdle },
  "on-break": { ...wanted, ...late, available: comeBack, hangUp: noteIdle, breakStored },
  available: {
    ...wanted,
    ...late,
    offer: become("ringing"),
    hangUp: noteIdle,
    debts: keptByDebts,
    debtStored: keptByDebt,
  },
  ringing: { ...wanted, ...late, answer, miss, callerGone: free, hangUp: noteIdle },
  talking: { ...wanted, ...late, hangUp: wrapUp },
  /** Who still talks when an earlier process is gone on with may owe something already. */
  "wrapping-up": { ...wanted, ...late, answer, finish, ready: finish, debts: letGo, debtStored: letGoOfDebt },
};

export function begin({ now, nowMs }: Now): Move {
  const idle = { idleSince: now, idleSinceMs: nowMs };
  const next: State = {
    at: "logged-out",
    ...idle,
    calls: 0,
    misses: 0,
    restsUntil: LONG_AGO,
    unstored: false,
    ...NO_DEBTS,
  };
  return { next, effects: [] };
}

const NO_DEBTS = { owes: false, unstoredDebts: 0, timeIsUp: false };

function isInDebt({ owes, unstoredDebts }: State): boolean {
  return owes || unstoredDebts > 0;
}

/** Available, unless he owes something: then he stays at his notes. */
function free(state: State): Move {
  const at = isInDebt(state) ? "wrapping-up" : "available";
  return { next: { ...state, at, unstored: false, timeIsUp: true }, effects: [] };
}

function debts(state: State, { owes }: Input & { is: "debts" }): Move {
  return { next: { ...state, owes }, effects: [] };
}

function debtStored(state: State, { kept }: Input & { is: "debtStored" }): Move {
  const unstoredDebts = Math.max(0, state.unstoredDebts - 1);
  return { next: { ...state, unstoredDebts, owes: state.owes || kept }, effects: [] };
}

function keptByDebts(state: State, input: Input & { is: "debts" }): Move {
  return free(debts(state, input).next);
}

function keptByDebt(state: State, input: Input & { is: "debtStored" }): Move {
  return free(debtStored(state, input).next);
}

function letGo(state: State, input: Input & { is: "debts" }): Move {
  return goOn(debts(state, input).next);
}

function letGoOfDebt(state: State, input: Input & { is: "debtStored" }): Move {
  return goOn(debtStored(state, input).next);
}

/** At his notes: as long as he has time for them, or owes something. */
function goOn(state: State): Move {
  return state.timeIsUp && !isInDebt(state)
    ? { ...free(state), effects: [{ do: "tellFree" }] }
    : { next: state, effects: [] };
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
  return free({ ...state, misses: 0, restsUntil: LONG_AGO, idleSince: now, idleSinceMs: nowMs });
}

function breakStored(state: State): Move {
  return { next: { ...state, unstored: false }, effects: [] };
}

function answer(state: State, { owes }: Input & { is: "answer" }): Move {
  const unstoredDebts = state.unstoredDebts + (owes ? 1 : 0);
  return { next: { ...state, at: "talking", calls: state.calls + 1, misses: 0, unstoredDebts }, effects: [] };
}

function miss(state: State, { mostMisses, now }: Input & { is: "miss" }): Move {
  const rested = { ...state, misses: state.misses + 1, restsUntil: later(now, REST_MS) };
  if (rested.misses < mostMisses) return free(rested);
  return { next: { ...rested, at: "on-break", misses: 0, unstored: true }, effects: [{ do: "takeBreak" }] };
}

function wrapUp(state: State, { wrapUpSeconds, now, nowMs }: Input & { is: "hangUp" }): Move {
  const over = { ...state, idleSince: now, idleSinceMs: nowMs };
  if (wrapUpSeconds === 0) return free(over);
  const effects: Effect[] = [{ do: "start", timer: "finish", afterMs: wrapUpSeconds * 1_000 }];
  return { next: { ...over, at: "wrapping-up", timeIsUp: false }, effects };
}

/** He took a break or logged out while he talked, and may have come back since. */
function noteIdle(state: State, { now, nowMs }: Now): Move {
  return { next: { ...state, idleSince: now, idleSinceMs: nowMs }, effects: [] };
}

function finish(state: State): Move {
  return goOn({ ...state, timeIsUp: true });
}
