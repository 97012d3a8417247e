// What a language must have words for inside a refusal that says more than its own kind.

import type { TargetProblem } from "../../exchange/plan/checked-target.ts";
import type { SoundRefusal } from "../../exchange/sounds.ts";
import type { DocumentRefusal, Fault } from "./refusal.ts";

type Table<Union, By extends keyof Union> = {
  [Kind in Union[By] & string]: (value: Extract<Union, Record<By, Kind>>) => string;
};

export type TargetWords = Table<TargetProblem, "problem">;
export type SoundWords = Table<SoundRefusal, "refused">;
export type DocumentWords = Table<DocumentRefusal, "refused">;
export type FaultWords = { [Kind in Fault["is"]]: (fault: { limit: number }) => string };

/** The words of a table for one value, chosen by the very field that the table is keyed by. */
export function chosen<By extends string, Value extends Record<By, string>>(
  table: Record<Value[By], (value: never) => string>,
  by: By,
  value: Value,
): string {
  return (table[value[by]] as (value: Value) => string)(value);
}

/** The rest stand at their own fields. */
export function firstOf<Problem>([first]: readonly Problem[], inWords: (problem: Problem) => string): string {
  return first === undefined ? "" : inWords(first);
}
