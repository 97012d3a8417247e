// The life of one place in line as a table: its caller waits, is offered to agents, is taken by one of them, is gone.
// Pure. A phone takes a moment to stop ringing, so that what comes of it may come when nobody wants it any more.

import type { Step, Table } from "../../../machine.ts";
import type { HangupCause as Cause } from "../../calls/causes.ts";
import type { LeftBecause } from "./place.ts";

/** One agent's phone rung for this caller; by its number, because the agent may be rung again before it has stopped. */
export type Ring = { agent: string; number: number };

export type State =
  | { at: "waiting" }
  /** `stopping`: those that were told to stop, and have not yet. */
  | { at: "offered"; ringing: Ring[]; stopping: Ring[] }
  /** One has picked up and hears whom he is about to talk to. */
  | { at: "taken"; by: Ring; stopping: Ring[] }
  /** Served, or gone without. */
  | { at: "gone" };

export type Input =
  | { is: "offer"; rings: Ring[] }
  /** Out of turn, by somebody's order: whoever rings for him now is let go. */
  | { is: "pull"; rings: Ring[] }
  | { is: "answered"; ring: Ring }
  | { is: "unanswered"; ring: Ring }
  /** Has heard who it is, and is still there. */
  | { is: "greeted"; ring: Ring }
  | { is: "hungUp"; ring: Ring }
  /** This agent takes no calls any more. */
  | { is: "withdrawn"; agent: string }
  | { is: "leave"; outcome: { out: LeftBecause } | { left: true } };

export type Effect =
  | { do: "ring"; ring: Ring }
  | { do: "stop"; ring: Ring; cause: Cause }
  | { do: "greet"; ring: Ring }
  | { do: "end"; ring: Ring; cause: Cause }
  /** The agent did not take it. */
  | { do: "miss"; ring: Ring }
  /** Rung in vain through nobody's fault: another was faster, or the caller has gone. */
  | { do: "release"; ring: Ring }
  | { do: "serve"; ring: Ring }
  | { do: "leaveLine" }
  | { do: "settle"; outcome: { out: LeftBecause } | { left: true } };

type Move = Step<State, Effect>;
type In<At extends State["at"]> = State & { at: At };
type Heard = { ring: Ring };

export const table: Table<State, Input, Effect> = {
  waiting: {
    offer,
    pull: offer,
    answered: tooLate,
    unanswered: release,
    greeted: endGreeted,
    hungUp: endGreeted,
    withdrawn: "ignored",
    leave,
  },
  offered: {
    pull,
    answered: take,
    unanswered: missOrRelease,
    greeted: endGreeted,
    hungUp: endGreeted,
    withdrawn: withdraw,
    leave,
  },
  taken: {
    answered: tooLate,
    unanswered: release,
    greeted: serve,
    hungUp: missGreeted,
    withdrawn: withdraw,
    leave,
  },
  // Whoever has been served stays served.
  gone: { answered: tooLate, unanswered: release, greeted: endGreeted, hungUp: endGreeted, leave: "ignored" },
};

export const begin: Move = { next: { at: "waiting" }, effects: [] };

/** Those phones that are on his account, ringing, picked up or not silent yet. */
export function inHand(state: State): Ring[] {
  if (state.at === "offered") return [...state.ringing, ...state.stopping];
  return state.at === "taken" ? [state.by, ...state.stopping] : [];
}

function offer(_: In<"waiting">, { rings }: { rings: Ring[] }): Move {
  const effects = rings.map((ring): Effect => ({ do: "ring", ring }));
  return { next: { at: "offered", ringing: rings, stopping: [] }, effects };
}

function pull({ ringing, stopping }: In<"offered">, { rings }: { rings: Ring[] }): Move {
  const stops = ringing.map((ring): Effect => ({ do: "stop", ring, cause: "ORIGINATOR_CANCEL" }));
  const next: State = { at: "offered", ringing: rings, stopping: [...stopping, ...ringing] };
  return { next, effects: [...stops, ...rings.map((ring): Effect => ({ do: "ring", ring }))] };
}

function take(state: In<"offered">, { ring }: Heard): Move {
  if (!has(state.ringing, ring)) return tooLate(state, { ring });
  const others = state.ringing.filter((it) => it.number !== ring.number);
  const effects = others.map((it): Effect => ({ do: "stop", ring: it, cause: "LOSE_RACE" }));
  const next: State = { at: "taken", by: ring, stopping: [...state.stopping, ...others] };
  return { next, effects: [...effects, { do: "greet", ring }] };
}

function missOrRelease(state: In<"offered">, { ring }: Heard): Move {
  if (!has(state.ringing, ring)) return release(state, { ring });
  return { next: without(state, [ring]), effects: [{ do: "miss", ring }] };
}

function serve(state: In<"taken">, { ring }: Heard): Move {
  if (state.by.number !== ring.number) return endGreeted(state, { ring });
  return { next: { at: "gone" }, effects: [{ do: "serve", ring }] };
}

/** Should the greeting have broken, he is still on the line. */
function missGreeted(state: In<"taken">, { ring }: Heard): Move {
  if (state.by.number !== ring.number) return endGreeted(state, { ring });
  const effects: Effect[] = [
    { do: "end", ring, cause: "NORMAL_CLEARING" },
    { do: "miss", ring },
  ];
  return { next: without(state, [ring]), effects };
}

function withdraw(state: In<"offered" | "taken">, { agent }: { agent: string }): Move {
  const his = inHand(state).filter((ring) => ring.agent === agent);
  const effects = his.map((ring): Effect => ({ do: "stop", ring, cause: "ORIGINATOR_CANCEL" }));
  return { next: without(state, his), effects };
}

function leave(state: State, { outcome }: Input & { is: "leave" }): Move {
  const stops = inHand(state).map((ring): Effect => ({ do: "stop", ring, cause: "ORIGINATOR_CANCEL" }));
  return { next: { at: "gone" }, effects: [{ do: "leaveLine" }, ...stops, { do: "settle", outcome }] };
}

function tooLate(state: State, { ring }: Heard): Move {
  const { next, effects } = release(state, { ring });
  return { next, effects: [{ do: "end", ring, cause: "LOSE_RACE" }, ...effects] };
}

function endGreeted(state: State, { ring }: Heard): Move {
  const { next, effects } = release(state, { ring });
  return { next, effects: [{ do: "end", ring, cause: "ORIGINATOR_CANCEL" }, ...effects] };
}

function release(state: State, { ring }: Heard): Move {
  return { next: without(state, [ring]), effects: [{ do: "release", ring }] };
}

/** Once nobody rings for him any more, the caller stands in line again, where he stood. */
function without(state: State, rings: Ring[]): State {
  if (state.at !== "offered" && state.at !== "taken") return state;
  const stopping = state.stopping.filter((it) => !has(rings, it));
  if (state.at === "taken" && !has(rings, state.by)) return { ...state, stopping };
  const ringing = state.at === "offered" ? state.ringing.filter((it) => !has(rings, it)) : [];
  return ringing.length + stopping.length > 0 ? { at: "offered", ringing, stopping } : { at: "waiting" };
}

function has(rings: Ring[], { number }: Ring): boolean {
  return rings.some((it) => it.number === number);
}
