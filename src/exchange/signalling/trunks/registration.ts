// Our registration with a carrier: refreshed before it ends, tried again with growing patience when it fails.

import { later, type Ticks } from "../../../clock.ts";
import type { StartTimer, Step, Table } from "../../../machine.ts";

export type State =
  | { at: "trying"; failures: number; until: Ticks | undefined }
  | { at: "registered"; until: Ticks }
  | { at: "waiting"; failures: number; until: Ticks | undefined }
  | { at: "stopped" };

export type Input =
  | { is: "accepted"; seconds: number; now: Ticks }
  /** The carrier said no, or nothing at all; `afterMs` when it named a time. */
  | { is: "refused"; why: string; afterMs: number | undefined }
  | { is: "again" }
  /** At a mere stop the registration is left standing, to be taken up after it. */
  | { is: "stop" | "withdraw" };

export type Effect =
  | { do: "register" }
  | { do: "unregister" }
  /** `afterMs`: when it is tried again. */
  | { do: "tell"; until: Ticks | undefined; why: string | undefined; afterMs: number }
  | StartTimer<"again">;

type Move = Step<State, Effect>;

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 300_000;
/** A refresh begins this early, so that a few lost packets do not cost the registration. */
const EARLY_MS = 20_000;

export const table: Table<State, Input, Effect> = {
  trying: { accepted: settle, refused: wait, stop, withdraw },
  registered: { again: refresh, stop, withdraw },
  waiting: { again: tryAgain, stop, withdraw },
  // An answer may be on its way when we stop.
  stopped: { accepted: "ignored", refused: "ignored" },
};

/** A registration that outlived a restart stands; it is only refreshed at once. */
export function begin(until: Ticks | undefined): Move {
  return { next: { at: "trying", failures: 0, until }, effects: [{ do: "register" }] };
}

function settle(_: State, { seconds, now }: Input & { is: "accepted" }): Move {
  const until = later(now, seconds * 1_000);
  const afterMs = Math.max(seconds * 500, seconds * 1_000 - EARLY_MS);
  return {
    next: { at: "registered", until },
    effects: [
      { do: "tell", until, why: undefined, afterMs },
      { do: "start", timer: "again", afterMs },
    ],
  };
}

function wait({ failures, until }: State & { at: "trying" }, { why, afterMs }: Input & { is: "refused" }): Move {
  const patienceMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  const pauseMs = Math.max(patienceMs, Math.min(afterMs ?? 0, LONGEST_WAIT_MS));
  return {
    next: { at: "waiting", failures: failures + 1, until },
    effects: [
      { do: "tell", until, why, afterMs: pauseMs },
      { do: "start", timer: "again", afterMs: pauseMs },
    ],
  };
}

function refresh({ until }: State & { at: "registered" }): Move {
  return { next: { at: "trying", failures: 0, until }, effects: [{ do: "register" }] };
}

function tryAgain({ failures, until }: State & { at: "waiting" }): Move {
  return { next: { at: "trying", failures, until }, effects: [{ do: "register" }] };
}

function stop(): Move {
  return { next: { at: "stopped" }, effects: [] };
}

function withdraw(): Move {
  return { next: { at: "stopped" }, effects: [{ do: "unregister" }] };
}
