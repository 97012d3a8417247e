// The life of a node as a table: it acts for its exchanges while its lease certainly holds, doubts as soon as it may not,
// and is over when another has taken them. Time counts from when a renewal was sent, not from when it was answered.

import type { StartTimer, Step, Table } from "../machine.ts";
import { LIFE_MS } from "../store/nodes.ts";

/** Between our last act and the moment from which another may act: timers are late, and so is what is on its way. */
const MARGIN_MS = 1_500;
export const CERTAIN_MS = LIFE_MS - MARGIN_MS;

export type LifeState = { at: "starting" | "up" | "draining" | "doubtful" | "over" };

export type LifeInput =
  | { is: "renewed"; wanted: "up" | "draining"; sentAgoMs: number }
  | { is: "late" }
  | { is: "superseded" };

export type LifeEffect = { do: "act" } | { do: "quiet" } | { do: "drain" } | { do: "end" } | StartTimer<"late">;

type LifeStep = Step<LifeState, LifeEffect>;

const over: () => LifeStep = () => ({ next: { at: "over" }, effects: [{ do: "end" }] });

/** An answer that has lain in front of a sleeper is of no use. */
function renewed({ at }: LifeState, { wanted, sentAgoMs }: LifeInput & { is: "renewed" }): LifeStep {
  const afterMs = CERTAIN_MS - sentAgoMs;
  if (afterMs <= 0) return late({ at });
  const effects: LifeEffect[] = [{ do: "start", timer: "late", afterMs }];
  if (at === wanted) return { next: { at }, effects };
  const before: LifeEffect[] = at === "starting" || at === "doubtful" || wanted === "up" ? [{ do: "act" }] : [];
  return {
    next: { at: wanted },
    effects: [...before, ...(wanted === "draining" ? [{ do: "drain" } as const] : []), ...effects],
  };
}

function late({ at }: LifeState): LifeStep {
  return { next: { at: "doubtful" }, effects: at === "doubtful" ? [] : [{ do: "quiet" }] };
}

export const lifeTable: Table<LifeState, LifeInput, LifeEffect> = {
  starting: { renewed, superseded: over },
  up: { renewed, late, superseded: over },
  draining: { renewed, late, superseded: over },
  doubtful: { renewed, superseded: over },
  over: { renewed: "ignored", superseded: "ignored" },
};

export const lifeBegins: LifeStep = { next: { at: "starting" }, effects: [] };
