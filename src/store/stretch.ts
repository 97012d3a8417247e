// The time a report is about, and whose calls.

import type { Within } from "./scope.ts";

export type Stretch = {
  exchangeId: number;
  from: Date;
  before: Date;
  timeZone: string;
  /** Only what somebody sees who does not see everything. */
  within?: Within | undefined;
};

const QUARTER_MS = 900_000;

/** Sums know quarters of an hour: a stretch about them reaches from the beginning of one to the end of another. */
export function inQuarters<Some extends { from: Date; before: Date }>(stretch: Some): Some {
  const from = Math.floor(stretch.from.getTime() / QUARTER_MS) * QUARTER_MS;
  const before = Math.ceil(stretch.before.getTime() / QUARTER_MS) * QUARTER_MS;
  return { ...stretch, from: new Date(from), before: new Date(before) };
}
