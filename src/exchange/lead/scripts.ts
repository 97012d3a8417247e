// What a script is: it takes one party of a call to one goal. Each feature exports its own; the call desk lists them all.

import type { Led } from "../calls/call.ts";
import type { Goal } from "../calls/goal.ts";
import type { Target } from "../plan/target.ts";
import type { Guide } from "./guide.ts";

/** One a goal: the compiler refuses a table that lacks one. */
type GoalScripts = {
  [Is in Exclude<Goal["is"], "target">]: (guide: Guide, goal: Extract<Goal, { is: Is }>) => Promise<Led>;
};

/** One a target; `by` is the extension that sends the call there, if one does. */
type TargetScripts = {
  [To in Target["to"]]: (guide: Guide, target: Extract<Target, { to: To }>, by?: string) => Promise<Led>;
};

export type Scripts = { goals: GoalScripts; targets: TargetScripts };

/** Those of one feature. */
export type SomeScripts = { goals?: Partial<GoalScripts>; targets?: Partial<TargetScripts>; codes?: DialledCode[] };

/** Where a code of the exchange's own leads that somebody dials; `rest` is what he dials behind it. */
export type DialledCode = {
  code: string;
  follows: RegExp;
  lead(guide: Guide, rest: string, by: string): Promise<Led>;
};

/** A target out of its place: `restart` where nothing was played, for one. */
export async function noSuchPlace({ call }: Guide): Promise<Led> {
  call.tell({ is: "no-such-place" });
  return { failed: { cause: "FACILITY_NOT_IMPLEMENTED" } };
}
