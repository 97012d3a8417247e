// Is the trunk up? OPTIONS now and then; one lost packet does not take a line out of service, one answer not back in.

import type { StartTimer, Step, Table } from "../../../machine.ts";

/** `streak`: how many times in a row it was the other way. */
export type State = { at: "up"; streak: number } | { at: "down"; streak: number } | { at: "stopped" };

export type Input = { is: "answered" | "failed" | "ask" | "stop" };

export type Effect = { do: "ask" } | { do: "tell"; health: "up" | "down" } | StartTimer<"ask">;

type Move = Step<State, Effect>;

const ASK_WHILE_UP_MS = 30_000;
const ASK_IN_DOUBT_MS = 5_000;
const ASK_WHILE_DOWN_MS = 10_000;
/** This many in a row turn it. */
const TURNS = 2;

export const table: Table<State, Input, Effect> = {
  up: { ask, answered: stayUp, failed: doubt, stop },
  down: { ask, answered: hope, failed: stayDown, stop },
  // An answer may be on its way when we stop, and a call that the trunk carries may still fail.
  stopped: { answered: "ignored", failed: "ignored" },
};

/** A line never heard of is taken to be up until it shows otherwise. */
export function begin(health: "unknown" | "up" | "down"): Move {
  const next: State = { at: health === "down" ? "down" : "up", streak: 0 };
  return { next, effects: [{ do: "ask" }] };
}

/** How long until it is asked again. */
export function pauseMs(state: State): number | undefined {
  if (state.at === "stopped") return undefined;
  if (state.streak > 0) return ASK_IN_DOUBT_MS;
  return state.at === "up" ? ASK_WHILE_UP_MS : ASK_WHILE_DOWN_MS;
}

function ask<Now extends State>(state: Now): Move {
  return { next: state, effects: [{ do: "ask" }] };
}

function stayUp(): Move {
  return { next: { at: "up", streak: 0 }, effects: [askAfter(ASK_WHILE_UP_MS)] };
}

function doubt({ streak }: State & { at: "up" }): Move {
  if (streak + 1 < TURNS) return { next: { at: "up", streak: streak + 1 }, effects: [askAfter(ASK_IN_DOUBT_MS)] };
  return {
    next: { at: "down", streak: 0 },
    effects: [{ do: "tell", health: "down" }, askAfter(ASK_WHILE_DOWN_MS)],
  };
}

function hope({ streak }: State & { at: "down" }): Move {
  if (streak + 1 < TURNS) return { next: { at: "down", streak: streak + 1 }, effects: [askAfter(ASK_IN_DOUBT_MS)] };
  return { next: { at: "up", streak: 0 }, effects: [{ do: "tell", health: "up" }, askAfter(ASK_WHILE_UP_MS)] };
}

function stayDown(): Move {
  return { next: { at: "down", streak: 0 }, effects: [askAfter(ASK_WHILE_DOWN_MS)] };
}

function stop(): Move {
  return { next: { at: "stopped" }, effects: [] };
}

function askAfter(afterMs: number): Effect {
  return { do: "start", timer: "ask", afterMs };
}
