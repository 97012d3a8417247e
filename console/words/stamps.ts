// Times and durations as people read them, in the exchange's own time zone.

import type { Language } from "../../src/languages.ts";
import { languages } from "../../src/languages.ts";

export function showDateTime(at: string | number, language: Language, timeZone: string): string {
  return new Date(at).toLocaleString(languages[language].locale, {
    timeZone,
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

export function showTime(at: string | number, language: Language, timeZone: string): string {
  return new Date(at).toLocaleTimeString(languages[language].locale, { timeZone });
}

export function showDay(day: string, language: Language): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(languages[language].locale, {
    day: "2-digit",
    month: "short",
  });
}

/** A day of the calendar, with its year. */
export function showDate(day: string, language: Language): string {
  const how = { timeZone: "UTC", day: "2-digit", month: "2-digit", year: "numeric" } as const;
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(languages[language].locale, how);
}

/** 4:05, or 1:02:03 from an hour on. */
export function showDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Today's by the clock, older ones by the day; without a zone as the browser has it. */
export function showMoment(atMs: number, language: Language, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const dayOf = (at: Date) => at.toLocaleDateString("sv-SE", zone);
  const at = new Date(atMs);
  const form: Intl.DateTimeFormatOptions =
    dayOf(at) === dayOf(new Date()) ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(languages[language].locale, { ...form, ...zone }).format(at);
}

export function showCount(count: number, language: Language): string {
  return count.toLocaleString(languages[language].locale);
}

/** On the average, to a tenth. */
export function showScore(score: number, language: Language): string {
  return score.toLocaleString(languages[language].locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** 0.5 as 50 %; a share of nothing is none. */
export function showShare(share: number | null, language: Language): string {
  if (share === null) return "—";
  return share.toLocaleString(languages[language].locale, { style: "percent", maximumFractionDigits: 0 });
}

const UNITS = ["kB", "MB", "GB", "TB"] as const;

export function showBytes(bytes: number, language: Language): string {
  let [value, unit] = [bytes / 1_000, 0];
  while (value >= 1_000 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value.toLocaleString(languages[language].locale, { maximumFractionDigits: 1 })} ${UNITS[unit]}`;
}

/** `most`: digits after the point, of which two are always shown. */
export function showAmount(amount: number, language: Language, most = 2): string {
  return amount.toLocaleString(languages[language].locale, { minimumFractionDigits: 2, maximumFractionDigits: most });
}

/** One, two or three: any of them. */
export function showChoice(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(languages[language].locale, { type: "disjunction" }).format(names);
}

/** The first moment of a day at the exchange, as the server wants it: `2026-10-29` and how many days later. */
export function dayBegins(day: string, timeZone: string, daysLater = 0): string {
  const guess = new Date(Date.parse(`${day}T00:00:00Z`) + daysLater * 86_400_000);
  return new Date(guess.getTime() - offsetMs(guess, timeZone)).toISOString();
}

/** `2026-10-29` and so many days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Today at the exchange, some days ago. */
export function dayAgo(days: number, timeZone: string): string {
  return new Date(Date.now() - days * 86_400_000).toLocaleDateString("sv-SE", { timeZone });
}

function offsetMs(at: Date, timeZone: string): number {
  const there = at.toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  return Date.parse(`${there}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
}
