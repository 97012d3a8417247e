// The life of one campaign while the server runs, as a table: when it dials, rests, waits for its hours, and is over.
// What it has done is in the store; this only decides whether its numbers may be claimed now.

import type { StartTimer, Step, Table } from "../../../machine.ts";
import type { Opening } from "./opening.ts";

export type State =
  /** Known, and the calendar not asked yet. */
  | { at: "new" }
  /** Outside its dates, days or hours; `turnMs` is when that changes, as far as it is known. */
  | { at: "closed"; turnMs: number | undefined }
  /** Inside them: whoever is due may be dialled. */
  | { at: "dialling"; turnMs: number | undefined }
  /** Inside them, but nobody is due before `dueMs`. */
  | { at: "resting"; dueMs: number }
  /** Nobody waits any more. Calls that are up go on. */
  | { at: "over" }
  /** Switched off or deleted. */
  | { at: "stopped" };

export type Input =
  /** The calendar, at this moment. */
  | { is: "looked"; opening: Opening; nowMs: number }
  /** Fewer were due than could have been dialled. Without a next one nobody waits at all. */
  | { is: "ranDry"; nextDueMs: number | undefined; nowMs: number }
  /** A number waits for another attempt, or numbers came back. */
  | { is: "refilled"; dueMs: number; nowMs: number }
  | { is: "stop" }
  | { is: "turn" }
  | { is: "due" };

/** `look`: the calendar is to be asked, and whoever is due dialled. */
export type Effect = StartTimer<"turn" | "due"> | { do: "look" };

type Move = Step<State, Effect>;

export const begin: Move = { next: { at: "new" }, effects: [{ do: "look" }] };

export const table: Table<State, Input, Effect> = {
  // Who waits is looked for anyway before it rests: a refill is news only then.
  new: { looked: follow, refilled: "ignored", stop },
  closed: { looked: follow, refilled: "ignored", stop, turn: lookAgain },
  dialling: { looked: follow, ranDry: rest, refilled: "ignored", stop, turn: lookAgain },
  resting: { looked: leaveWhenClosed, refilled: wakeBy, due: wake, stop },
  over: { looked: "ignored", refilled: wake, stop },
  // Its room goes on for as long as calls of it are up.
  stopped: { looked: "ignored", ranDry: "ignored", refilled: "ignored", stop: "ignored" },
};

/** Clocks are set, holidays are added: whatever the calendar said, it is asked again by then. */
const LONGEST_WAIT_MS = 60_000;
/** A store that has somebody due and yet gives nobody is not asked without a pause. */
const SHORTEST_REST_MS = 250;

function follow(state: State, { opening, nowMs }: Input & { is: "looked" }): Move {
  const at = opening.open ? "dialling" : "closed";
  const turnMs = (opening.open ? opening.closesMs : opening.opensMs) ?? nowMs + LONGEST_WAIT_MS;
  if (state.at === at && state.turnMs === turnMs) return { next: state, effects: [] };
  return { next: { at, turnMs }, effects: [timer("turn", turnMs - nowMs)] };
}

/** The timer has gone off, so that none is set any more. */
function lookAgain({ at }: State & { at: "closed" | "dialling" }): Move {
  return { next: { at, turnMs: undefined }, effects: [{ do: "look" }] };
}

function leaveWhenClosed(state: State & { at: "resting" }, input: Input & { is: "looked" }): Move {
  return input.opening.open ? { next: state, effects: [] } : follow(state, input);
}

function rest(_: State, { nextDueMs, nowMs }: Input & { is: "ranDry" }): Move {
  if (nextDueMs === undefined) return { next: { at: "over" }, effects: [] };
  return {
    next: { at: "resting", dueMs: nextDueMs },
    effects: [timer("due", Math.max(SHORTEST_REST_MS, nextDueMs - nowMs))],
  };
}

function wakeBy(state: State & { at: "resting" }, { dueMs, nowMs }: Input & { is: "refilled" }): Move {
  if (dueMs >= state.dueMs) return { next: state, effects: [] };
  return { next: { at: "resting", dueMs }, effects: [timer("due", dueMs - nowMs)] };
}

function wake(): Move {
  return { next: { at: "new" }, effects: [{ do: "look" }] };
}

function stop(): Move {
  return { next: { at: "stopped" }, effects: [] };
}

function timer(name: "turn" | "due", ms: number): Effect {
  return { do: "start", timer: name, afterMs: Math.min(LONGEST_WAIT_MS, Math.max(0, ms)) };
}
