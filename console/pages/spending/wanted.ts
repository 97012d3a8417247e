// What the page of spending shows, as its address says it: it can be kept, sent and gone back to.

import { useSearchParams } from "wouter";
import { SPENT_BY, type SpentBy } from "../../../src/nouns/spent.ts";
import { useSession } from "../../ask/session.tsx";
import type { Days } from "../../ui/calls-behind.tsx";
import { dayAgo } from "../../words/stamps.ts";
import { dayIn } from "../reports/stretch.ts";

/** `which` names the line whose calls are shown; without it all are. */
export type Wanted = { days: Days; by: SpentBy; which: string | undefined };

/** This month, unless it says otherwise. */
export function useWanted(): [Wanted, change: (changes: Partial<Record<string, string>>) => void] {
  const { exchange } = useSession();
  const [query, setQuery] = useSearchParams();
  const today = dayAgo(0, exchange.timeZone);
  const days = {
    from: dayIn(query.get("from")) ?? `${today.slice(0, 8)}01`,
    to: dayIn(query.get("to")) ?? today,
  };
  const by = SPENT_BY.find((it) => it === query.get("by")) ?? "trunk";
  return [{ days, by, which: query.get("which") ?? undefined }, (changes) => setQuery({ ...days, by, ...changes })];
}

export function callsOf({ days, by, which }: Wanted): string {
  return `/spending?${new URLSearchParams({ ...days, by, ...(which !== undefined && { which }) })}`;
}
