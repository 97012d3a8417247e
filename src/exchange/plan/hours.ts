// Office hours and holidays, by the clocks of the place where the office is.

export type Hours = {
  /** "08:00" or "08:00:00". Closing before opening means: past midnight. */
  opens: string;
  closes: string;
  /** 1 is Monday, 7 is Sunday: the day on which the office opened. */
  days: readonly number[];
};

export type LocalTime = { day: string; weekday: number; minutes: number };

const formats = new Map<string, Intl.DateTimeFormat>();
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** What calendar and clock show there: the day as YYYY-MM-DD. */
export function localTime(ms: number, timeZone: string): LocalTime {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: weekdays.indexOf(parts.weekday ?? "") + 1,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

/** The opening minute is inside, the closing minute outside; the same time twice means around the clock. */
export function isOpen({ opens, closes, days }: Hours, { weekday, minutes }: LocalTime): boolean {
  const [from, to] = [minutesOf(opens), minutesOf(closes)];
  if (from === to) return days.includes(weekday);
  if (from < to) return days.includes(weekday) && minutes >= from && minutes < to;
  const yesterday = weekday === 1 ? 7 : weekday - 1;
  return (days.includes(weekday) && minutes >= from) || (days.includes(yesterday) && minutes < to);
}

/** Hours by weekday, as they are kept: `1 08:00-12:00` is Monday morning. A line that is none opens nothing. */
export function isOpenIn(week: readonly string[], now: LocalTime): boolean {
  return week.some((line) => {
    const [, day, opens, closes] = /^([1-7]) (\d\d:\d\d)-(\d\d:\d\d)$/.exec(line) ?? [];
    return opens !== undefined && closes !== undefined && isOpen({ opens, closes, days: [Number(day)] }, now);
  });
}

function minutesOf(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
