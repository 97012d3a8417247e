// Times, sizes and choices as people read them, beside those that letters and tables have, too.

import type { Language } from "../../src/languages.ts";
import { languages } from "../../src/languages.ts";

const DAY_MS = 86_400_000;

/** Today's by the clock, older ones by the day; without a zone as the browser has it. */
export function showMoment(atMs: number, language: Language, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const dayOf = (at: Date) => at.toLocaleDateString("sv-SE", zone);
  const at = new Date(atMs);
  const form: Intl.DateTimeFormatOptions =
    dayOf(at) === dayOf(new Date()) ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(languages[language].locale, { ...form, ...zone }).format(at);
}

const UNITS = ["kB", "MB", "GB", "TB"] as const;

export function showBytes(bytes: number, language: Language): string {
  let [value, unit] = [bytes / 1_000, 0];
  while (value >= 1_000 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value.toLocaleString(languages[language].locale, { maximumFractionDigits: 1 })} ${UNITS[unit]}`;
}

/** One, two or three: any of them. */
export function showChoice(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(languages[language].locale, { type: "disjunction" }).format(names);
}

/** The first moment of a day at the exchange, as the server wants it: `2026-10-29` and how many days later. */
export function dayBegins(day: string, timeZone: string, daysLater = 0): string {
  return momentAt(`${dayAfter(day, daysLater)}T00:00`, timeZone);
}

/**
 * What somebody typed by the exchange's clock (`2026-10-29T10:30`), as the server wants it; the browser's own zone is
 * nobody's. An hour that comes twice is the first of the two, one that the clock leaves out is as late as it would be.
 */
export function momentAt(typed: string, timeZone: string): string {
  const wall = Date.parse(`${typed}Z`);
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - offsetMs(new Date(at), timeZone)) as [
    number,
    number,
  ];
  const isOfBefore = before + offsetMs(new Date(before), timeZone) === wall;
  const isOfAfter = after + offsetMs(new Date(after), timeZone) === wall;
  return new Date(isOfAfter && !isOfBefore ? after : before).toISOString();
}

/** `2026-10-29` and so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Today at the exchange, some days ago. */
export function dayAgo(days: number, timeZone: string): string {
  return new Date(Date.now() - days * DAY_MS).toLocaleDateString("sv-SE", { timeZone });
}

function offsetMs(at: Date, timeZone: string): number {
  const there = at.toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return Date.parse(`${there}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
}
