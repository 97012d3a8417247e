// The way from a figure to the calls it was counted from: the list of calls, narrowed to them.

import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useHas, useSession } from "../ask/session.tsx";
import { dayAgo } from "../words/stamps.ts";

/** Both inside, by the calendar of the exchange. */
export type Days = { from: string; to: string };
export type Narrowed = Record<string, string | number>;

export function callsBehind({ from, to }: Days, filters: Narrowed): string {
  const query = new URLSearchParams({ from, to });
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return `/calls?${query}`;
}

/** Leads nowhere where there are no calls, and for who does not see them. */
export function CallsBehind({
  label,
  shown,
  days,
  behind,
  isNone = false,
}: {
  /** What is counted, for whoever hears the link alone. */
  label: string;
  shown: string;
  days: Days;
  behind: Narrowed;
  isNone?: boolean;
}): ReactNode {
  const seesCalls = useHas("see-calls");
  // An empty value would narrow by nothing, and lead to all calls.
  const isWhole = Object.values(behind).every((value) => value !== "");
  if (isNone || !seesCalls || !isWhole) return shown;
  return (
    <Anchor component={Link} href={callsBehind(days, behind)} aria-label={`${label}: ${shown}`} inherit>
      {shown}
    </Anchor>
  );
}

export function useToday(): Days {
  const today = dayAgo(0, useSession().exchange.timeZone);
  return { from: today, to: today };
}
