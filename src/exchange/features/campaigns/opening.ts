// When a campaign may dial: its dates, days and hours, the exchange's holidays, and the hours the law leaves for selling.

import { localTime } from "../../plan/hours.ts";
import type { Campaign } from "./campaign.ts";

export type Calendar = {
  timeZone: string;
  /** YYYY-MM-DD, for the number that the campaign shows. */
  isHoliday(day: string): boolean;
  /** Commercial calls are made only between these, HH:MM or HH:MM:SS. */
  commercialFrom: string;
  commercialUntil: string;
};

type Rules = { settings: Omit<Calendar, "isHoliday">; holidays: readonly { day: string; number: string | null }[] };

/** Holidays of the whole exchange, and those of the number that the campaign shows. */
export function calendarOf({ settings, holidays }: Rules, cli: string | null): Calendar {
  return {
    ...settings,
    isHoliday: (day) => holidays.some((it) => it.day === day && (it.number === null || it.number === cli)),
  };
}

export type Opening = { open: true; closesMs: number } | { open: false; opensMs: number | undefined };

type Hours = Pick<Campaign, "dateBegin" | "dateEnd" | "timeBegin" | "timeEnd" | "activeDays" | "isCommercial">;
type Span = { fromMs: number; toMs: number };

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY = DAY_MINUTES * MINUTE;

/** Nothing is planned further ahead; whoever looks again later sees further. */
const DAYS_AHEAD = 400;

export function openingOf(campaign: Hours, calendar: Calendar, nowMs: number): Opening {
  const today = localTime(nowMs, calendar.timeZone).day;
  // What opened yesterday may still be open: a window may reach over midnight.
  const [, first = today] = [dayAfter(today, -1), campaign.dateBegin].sort();
  const [last = today] = [dayAfter(today, DAYS_AHEAD), campaign.dateEnd].sort();
  let opening: Opening = { open: false, opensMs: undefined };
  for (let day = first; day <= last; day = dayAfter(day, 1)) {
    for (const { fromMs, toMs } of spansOf(campaign, calendar, day)) {
      if (toMs <= nowMs) continue;
      if (opening.open && fromMs > opening.closesMs) return opening;
      if (fromMs > nowMs && !opening.open) return { open: false, opensMs: fromMs };
      opening = { open: true, closesMs: toMs }; // one that goes on where the last one ends is the same opening
    }
    if (opening.open && opening.closesMs < nowMs + DAY) return opening;
    if (opening.open && day > today) return opening;
  }
  return opening;
}

/** The hours of a day belong to it, even those after midnight. */
function spansOf(campaign: Hours, calendar: Calendar, day: string): Span[] {
  if (!campaign.activeDays.includes(weekdayOf(day)) || calendar.isHoliday(day)) return [];
  const [from, to] = hoursOf(campaign.timeBegin, campaign.timeEnd);
  const span = { fromMs: instantOf(day, from, calendar.timeZone), toMs: instantOf(day, to, calendar.timeZone) };
  return campaign.isCommercial ? lawfulParts(span, calendar, day) : [span];
}

/** Minutes since midnight; the end is outside, except that 23:59 is as late as one can write and means midnight. */
function hoursOf(begin: string, end: string): [from: number, to: number] {
  const [from, written] = [minutesOf(begin), minutesOf(end)];
  const to = written === DAY_MINUTES - 1 ? DAY_MINUTES : written;
  return [from, to <= from ? to + DAY_MINUTES : to];
}

function lawfulParts({ fromMs, toMs }: Span, calendar: Calendar, day: string): Span[] {
  const [opens, closes] = hoursOf(calendar.commercialFrom, calendar.commercialUntil);
  return [-1, 0, 1].flatMap((offset) => {
    const lawful = dayAfter(day, offset);
    const part = {
      fromMs: Math.max(fromMs, instantOf(lawful, opens, calendar.timeZone)),
      toMs: Math.min(toMs, instantOf(lawful, closes, calendar.timeZone)),
    };
    return part.fromMs < part.toMs ? [part] : [];
  });
}

/** The instant at which the clocks of the place show so many minutes after the day's midnight. */
function instantOf(day: string, minutes: number, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE;
  // The offset at the first guess may be that of the other side of a clock change; a second look settles it.
  const guess = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(guess, timeZone);
}

function offsetAt(ms: number, timeZone: string): number {
  const { day, minutes } = localTime(ms, timeZone);
  return Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE - Math.floor(ms / MINUTE) * MINUTE;
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

function minutesOf(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
