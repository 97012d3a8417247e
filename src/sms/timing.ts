// When a message may go out and until when: `send_at`, `valid_for`, and wall clocks in a time zone.

const SEND_AT_GRACE_MS = 60_000;
const FURTHEST_AHEAD_MS = 366 * 86_400_000;
const DEFAULT_VALID_MINUTES = 24 * 60;
const MOST_VALID_MINUTES = 48 * 60;

/** `H:MM` or `HH:MM`, from one minute to 48 hours. */
export function readValidFor(written: string | undefined): { minutes: number } | { refused: "INVALID_PERIOD" } {
  if (written === undefined) return { minutes: DEFAULT_VALID_MINUTES };
  const [, hours, rest] = /^(\d{1,2}):(\d{2})$/.exec(written.trim()) ?? [];
  const minutes = Number(hours) * 60 + Number(rest);
  const fits = Number(rest) < 60 && minutes >= 1 && minutes <= MOST_VALID_MINUTES;
  return fits ? { minutes } : { refused: "INVALID_PERIOD" };
}

export type SendAt = { at: number; later: boolean } | { refused: "INVALID_DELIVERY_TIME" };

/** A clock that is a little slow, or a request a little late, still means now. */
export function readSendAt(written: string | undefined, now: number, zone: string): SendAt {
  if (written === undefined) return { at: now, later: false };
  const at = readStamp(written, zone);
  if (at === undefined || at < now - SEND_AT_GRACE_MS || at > now + FURTHEST_AHEAD_MS)
    return { refused: "INVALID_DELIVERY_TIME" };
  return { at: Math.max(at, now), later: at > now };
}

const STAMP = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|UTC|[+\- ]\d{2}:?\d{2})?$/i;

/** `2015-02-20 16:06:00` in the zone, or ISO 8601 with its own offset (whose plus may have arrived as a blank). */
export function readStamp(written: string, zone: string): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", offset] = STAMP.exec(written.trim()) ?? [];
  if (year === undefined) return undefined;
  const wall = wallTime([year, month, day, hour, minute, second].map(Number));
  if (wall === undefined) return undefined;
  return offset === undefined ? instantOf(wall, zone) : wall - offsetMs(offset);
}

/** The wall clock of a zone, written as if it were UTC, so that its fields read off with the UTC getters. */
export function wallClock(instant: number, zone: string): Date {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatterFor(zone).formatToParts(instant)) fields[type] = Number(value);
  const { year, month, day, hour, minute, second } = fields;
  // All six were asked of the formatter below.
  return new Date(Date.UTC(year!, month! - 1, day, hour! % 24, minute, second));
}

/**
 * The instant a wall clock shows a time. One that daylight saving skips is read as if it had not been skipped (so an hour
 * later on the new clock); one that comes twice is its first coming.
 */
export function instantOf(wall: number, zone: string): number {
  const before = wall - offsetAt(wall - 86_400_000, zone);
  const after = wall - offsetAt(wall + 86_400_000, zone);
  const shows = (instant: number) => wallClock(instant, zone).getTime() === Math.floor(wall / 1000) * 1000;
  const coming = [before, after].sort((a, b) => a - b).find(shows);
  return coming ?? before;
}

function offsetAt(instant: number, zone: string): number {
  return wallClock(instant, zone).getTime() - Math.floor(instant / 1000) * 1000;
}

function wallTime([year, month, day, hour, minute, second]: number[]): number | undefined {
  // Six groups of the pattern above became six numbers.
  const at = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const made = new Date(at);
  const real =
    made.getUTCMonth() === month! - 1 && made.getUTCDate() === day && hour! < 24 && minute! < 60 && second! < 60;
  return real ? at : undefined;
}

function offsetMs(written: string): number {
  const [, sign, hours, minutes] = /([+\- ])(\d{2}):?(\d{2})/.exec(written) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    const numeric = "numeric" as const;
    const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
    formatter = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", calendar: "gregory", ...fields });
    formatters.set(zone, formatter);
  }
  return formatter;
}
