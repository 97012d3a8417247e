// The days a report is about, and those before.

import type { Days } from "../../ui/calls-behind.tsx";
import { dayAfter, dayBegins } from "../../words/stamps.ts";

export type Stretch = { from: string; before: string };

export function stretchOf({ from, to }: Days, timeZone: string): Stretch {
  return { from: dayBegins(from, timeZone), before: dayBegins(to, timeZone, 1) };
}

/** As many days, right before. */
export function daysBefore({ from, to }: Days): Days {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { from: dayAfter(from, -count), to: dayAfter(from, -1) };
}

/** Anybody may have written anything into the address. */
export function dayIn(text: string | null): string | undefined {
  return text && /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
