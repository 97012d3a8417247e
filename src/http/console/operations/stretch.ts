// The days a report is about: at most a year, so that nobody has all calls of all times counted.

import { Type } from "typebox";
import { Check } from "typebox/value";
import { inQuarters, type Stretch } from "../../../store/stretch.ts";
import { moment } from "./fields.ts";

const DAY_MS = 86_400_000;
const LONGEST_MS = 366 * DAY_MS;

export function stretchOf({ from, before }: { from: string; before: string }): { from: Date; before: Date } {
  const begins = new Date(from);
  return { from: begins, before: new Date(Math.min(Date.parse(before), begins.getTime() + LONGEST_MS)) };
}

const Wanted = Type.Object({ from: moment(), before: moment() });

/** The days asked for in a query string; nothing where it asks for nonsense. */
export function reportStretch(
  query: URLSearchParams,
  whose: Pick<Stretch, "exchangeId" | "timeZone" | "within">,
): Stretch | undefined {
  const sent = Object.fromEntries(query);
  return Check(Wanted, sent) ? inQuarters({ ...stretchOf(sent), ...whose }) : undefined;
}
