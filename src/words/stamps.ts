// Moments, days, durations and numbers as people read them: one form a language, on pages, in letters and in tables.

import { type Language, languages } from "../languages.ts";

const TO_THE_DAY = { day: "2-digit", month: "2-digit", year: "numeric" } as const;
const TO_THE_SECOND = { ...TO_THE_DAY, hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;

/** By the clock of that zone, which is the exchange's. */
export function showDateTime(at: string | number, language: Language, timeZone: string): string {
  return new Date(at).toLocaleString(languages[language].locale, { timeZone, ...TO_THE_SECOND });
}

/** A moment as the exchange's own clock has it: `2026-11-18 23:30:00`. */
export function showWall(wall: string, language: Language): string {
  return showDateTime(`${wall.replace(" ", "T")}Z`, language, "UTC");
}

export function showTime(at: string | number, language: Language, timeZone: string): string {
  return new Date(at).toLocaleTimeString(languages[language].locale, { timeZone });
}

/** A day of the calendar is the same in every zone. */
function dayAs(day: string, language: Language, how: Intl.DateTimeFormatOptions): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString(languages[language].locale, { timeZone: "UTC", ...how });
}

export const showDay = (day: string, language: Language): string =>
  dayAs(day, language, { day: "2-digit", month: "short" });

/** A day of the calendar, with its year. */
export const showDate = (day: string, language: Language): string => dayAs(day, language, TO_THE_DAY);

/** The same with the month in words. */
export const showLongDate = (day: string, language: Language): string => dayAs(day, language, { dateStyle: "long" });

/** `2026-11` with the month in words. */
export const showMonth = (month: string, language: Language): string =>
  dayAs(`${month}-01`, language, { month: "long", year: "numeric" });

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

/** To a tenth, which is shown also where there is none. */
export function showTenths(value: number, language: Language): string {
  const how = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return value.toLocaleString(languages[language].locale, how);
}

/** 0.5 as 50 %; a share of nothing is none. `most`: digits after the point. */
export function showShare(share: number | null, language: Language, most = 0): string {
  if (share === null) return "—";
  return share.toLocaleString(languages[language].locale, { style: "percent", maximumFractionDigits: most });
}

/** `most`: digits after the point, of which two are always shown. */
export function showAmount(amount: number, language: Language, most = 2): string {
  return amount.toLocaleString(languages[language].locale, { minimumFractionDigits: 2, maximumFractionDigits: most });
}
