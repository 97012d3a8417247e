// Dates and times as callers write them and as they are shown: in the exchange's time zone unless a zone is said.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const DAYS_31 = 31 * DAY;

/** A moment, and how long it lasts: a day for a bare date, a second for a date with a time. */
export type Stamp = { at: number; lasts: number };

const STAMP =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?)?\s*(UTC|GMT|Z|[+-]\d\d:?\d\d| \d\d:\d\d)?$/i;

/** `2017-08-03 12:30:32 UTC`, ISO 8601, with `Z`, `+03:00` (also when its plus became a blank), or with no zone. */
export function readStamp(sent: string, timeZone: string): Stamp | undefined {
  const [, year, month, day, hour, minute, second, zone] = STAMP.exec(sent.trim()) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const [h, m, s] = [hour, minute, second].map((part) => Number(part ?? 0)) as [number, number, number];
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), h, m, s);
  if (!isCalendarDay(wall - (h * 60 + m) * MINUTE - s * 1_000, `${year}-${month}-${day}`) || h > 23 || m > 59 || s > 59)
    return undefined;
  const lasts = hour === undefined ? DAY : second === undefined ? MINUTE : 1_000;
  if (zone === undefined) return { at: fromWall(wall, timeZone), lasts };
  const offset = readOffset(zone);
  return offset === undefined ? undefined : { at: wall - offset * MINUTE, lasts };
}

/** `dd.mm.yyyy` or `yyyy-mm-dd`, to `yyyy-mm-dd`. */
export function readDay(sent: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(sent) ?? [];
  const iso = year ? `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}` : sent.slice(0, 10);
  if (!/^\d{4}-\d\d-\d\d$/.test(iso) || (!year && !/^.{10}(T.*)?$/.test(sent))) return undefined;
  return isCalendarDay(Date.parse(`${iso}T00:00:00Z`), iso) ? iso : undefined;
}

/** `2017-08-03 12:30:32 +0300` */
export function showStamp(moment: Date, timeZone: string): string {
  const offset = offsetMinutes(timeZone, moment.getTime());
  const wall = new Date(moment.getTime() + offset * MINUTE).toISOString();
  const size = Math.abs(offset);
  const zone = `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
  return `${wall.slice(0, 10)} ${wall.slice(11, 19)} ${zone}`;
}

/** `HH:MM:SS` */
export function showDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${two(Math.floor(whole / 3_600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

function isCalendarDay(at: number, iso: string): boolean {
  return Number.isFinite(at) && new Date(at).toISOString().slice(0, 10) === iso;
}

function readOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+ -])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  const size = Number(hours) * 60 + Number(minutes);
  return size > 18 * 60 ? undefined : sign === "-" ? -size : size;
}

// The offset at the guess may be that of the other side of a clock change; a second look at the corrected time settles it.
function fromWall(wall: number, timeZone: string): number {
  const guess = wall - offsetMinutes(timeZone, wall) * MINUTE;
  return wall - offsetMinutes(timeZone, guess) * MINUTE;
}

/** Clocks change on quarter hours only, so one look into the zone's table serves every call of a quarter. */
const QUARTER = 15 * MINUTE;
const MOST_REMEMBERED = 50_000;
const offsets = new Map<string, Map<number, number>>();
const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMinutes(timeZone: string, at: number): number {
  const quarter = Math.floor(at / QUARTER);
  const known = rememberedOffsets(timeZone);
  const remembered = known.get(quarter);
  if (remembered !== undefined) return remembered;
  const offset = lookUpOffset(timeZone, quarter * QUARTER);
  known.set(quarter, offset);
  return offset;
}

function rememberedOffsets(timeZone: string): Map<number, number> {
  const known = offsets.get(timeZone);
  if (known && known.size < MOST_REMEMBERED) return known;
  const fresh = new Map<number, number>();
  offsets.set(timeZone, fresh);
  return fresh;
}

function lookUpOffset(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    formats.set(timeZone, format);
  }
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (hours === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
