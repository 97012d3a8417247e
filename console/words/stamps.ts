// Times and durations as people read them, in the exchange's own time zone.

import { languages } from "../../src/languages.ts";
import type { Language } from "./language.tsx";

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

export function showCount(count: number, language: Language): string {
  return count.toLocaleString(languages[language].locale);
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
