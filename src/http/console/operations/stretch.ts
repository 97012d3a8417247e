// The days a report is about: at most a year, so that nobody has all calls of all times counted.

const DAY_MS = 86_400_000;
const LONGEST_MS = 366 * DAY_MS;

export function stretchOf({ from, before }: { from: string; before: string }): { from: Date; before: Date } {
  const begins = new Date(from);
  return { from: begins, before: new Date(Math.min(Date.parse(before), begins.getTime() + LONGEST_MS)) };
}
