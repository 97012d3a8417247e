// How a year's calls fall on its days and hours: offices are busy on weekdays, most of all before and after lunch.

import type { Chance } from "./random.ts";

const DAY_MS = 86_400_000;
const DAYS = 365;

/** By weekday, Sunday first. */
const WEEKDAY_WEIGHTS = [0.08, 1.15, 1.05, 1, 1, 0.95, 0.35];
/** By hour of the day. */
const HOUR_WEIGHTS = [2, 1, 1, 1, 1, 2, 4, 10, 55, 100, 110, 100, 60, 75, 100, 105, 95, 70, 30, 15, 10, 8, 6, 4];

/** Calls of today lie this far back, so that the last of them is over. */
const OVER_MS = 3.5 * 3_600_000;

export type Day = { date: string; startMs: number; lengthMs: number; calls: number };

/** The days up to today, oldest first, with exactly `total` calls among them. */
export function daysOfYear({ nowMs, timeZone, total }: { nowMs: number; timeZone: string; total: number }): Day[] {
  const days = Array.from({ length: DAYS }, (_, index) => {
    const noonMs = nowMs - (DAYS - 1 - index) * DAY_MS;
    const date = new Intl.DateTimeFormat("sv", { timeZone }).format(noonMs); // as 2026-11-15
    const utcMs = Date.parse(`${date}T00:00:00Z`);
    const startMs = utcMs - offsetMs(utcMs, timeZone);
    const lengthMs = Math.min(DAY_MS, nowMs - OVER_MS - startMs);
    return { date, startMs, lengthMs, weight: lengthMs > 0 ? weightOf(utcMs) * (lengthMs / DAY_MS) : 0 };
  });
  const sum = days.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  let given = 0;
  return days.map(({ weight, ...day }) => {
    passed += weight;
    const calls = Math.round((passed / sum) * total) - given; // rounding the sum keeps the total exact
    given += calls;
    return { ...day, calls };
  });
}

function weightOf(utcMs: number): number {
  const day = new Date(utcMs);
  const season = 1 + 0.12 * Math.cos(((day.getUTCMonth() + 1) / 12) * 2 * Math.PI); // summers are quieter
  return (WEEKDAY_WEIGHTS[day.getUTCDay()] ?? 1) * season;
}

const hours = HOUR_WEIGHTS.map((weight, hour) => [hour, weight] as const);

export function momentIn({ startMs, lengthMs }: Day, chance: Chance): number {
  const moment = (chance.weighted(hours) * 3_600 + chance.between(0, 3_599)) * 1_000;
  return startMs + (moment < lengthMs ? moment : Math.floor((moment / DAY_MS) * lengthMs));
}

function offsetMs(utcMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).format(utcMs);
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === "-" ? -size : size;
}
