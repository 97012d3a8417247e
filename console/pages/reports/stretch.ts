// The days a report is about, and the way from its figures to the calls behind them.

import { dayAfter, dayBegins } from "../../words/stamps.ts";

export type Days = { from: string; to: string };
export type Stretch = { from: string; before: string };

export function stretchOf({ from, to }: Days, timeZone: string): Stretch {
  return { from: dayBegins(from, timeZone), before: dayBegins(to, timeZone, 1) };
}

/** As many days, right before. */
export function daysBefore({ from, to }: Days): Days {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: dayAfter(from, -count), to: dayAfter(from, -1) };
}

/** The list of calls narrowed to those behind a figure. */
export function callsBehind({ from, to }: Days, filters: Record<string, string | number>): string {
  const query = new URLSearchParams({ from, to });
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return `/calls?${query}`;
}
