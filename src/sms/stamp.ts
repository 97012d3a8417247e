// How the SMS interface writes a moment: in the exchange's zone, plain in reports and with offset in lists.

import { wallClock } from "./timing.ts";

/** `2015-02-20 16:06:00` */
export function plainStamp(instant: Date, zone: string): string {
  return wallClock(instant.getTime(), zone).toISOString().slice(0, 19).replace("T", " ");
}

/** `2019-11-25T11:13:24.988+03:00` */
export function offsetStamp(instant: Date, zone: string): string {
  const wall = wallClock(instant.getTime(), zone).getTime();
  const offsetMinutes = Math.round((wall - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
  const milliseconds = String(instant.getUTCMilliseconds()).padStart(3, "0");
  return `${new Date(wall).toISOString().slice(0, 19)}.${milliseconds}${writeOffset(offsetMinutes)}`;
}

/** `2021-01-18` */
export function plainDay(instant: Date, zone: string): string {
  return plainStamp(instant, zone).slice(0, 10);
}

function writeOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
