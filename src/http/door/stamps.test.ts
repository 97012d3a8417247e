import { expect, test } from "vitest";
import { readDay, readStamp, showDuration, showStamp } from "./stamps.ts";

const istanbul = "Europe/Istanbul";

const readings: [sent: string, zone: string, iso: string][] = [
  ["2017-08-03 12:30:32 UTC", istanbul, "2017-08-03T12:30:32.000Z"],
  ["2017-08-03 12:30:32", istanbul, "2017-08-03T09:30:32.000Z"],
  ["2025-01-01T00:00:00", istanbul, "2024-12-31T21:00:00.000Z"],
  ["2025-01-01T00:00:00Z", istanbul, "2025-01-01T00:00:00.000Z"],
  ["2025-01-01T00:00:00.123456Z", istanbul, "2025-01-01T00:00:00.000Z"],
  ["2025-01-01T00:00:00+03:00", "UTC", "2024-12-31T21:00:00.000Z"],
  ["2025-01-01T00:00:00 03:00", "UTC", "2024-12-31T21:00:00.000Z"],
  ["2025-01-01 00:00:00 +0300", "UTC", "2024-12-31T21:00:00.000Z"],
  ["2025-01-01 00:00:00 -0530", "UTC", "2025-01-01T05:30:00.000Z"],
  ["2025-01-01 10:30", istanbul, "2025-01-01T07:30:00.000Z"],
  ["2025-01-01", istanbul, "2024-12-31T21:00:00.000Z"],
  ["2025-03-30 12:00:00", "Europe/Berlin", "2025-03-30T10:00:00.000Z"],
  ["2025-03-29 12:00:00", "Europe/Berlin", "2025-03-29T11:00:00.000Z"],
];

test.each(readings)("%s in %s is %s", (sent, zone, iso) => {
  expect(new Date(readStamp(sent, zone)!.at).toISOString()).toBe(iso);
});

test.each(["", "now", "2025-02-30", "2025-01-01 24:00:00", "2025-01-01 10:60:00", "2025-01-01T10:00:00+99:00", "0"])(
  "%j is no stamp",
  (sent) => {
    expect(readStamp(sent, istanbul)).toBeUndefined();
  },
);

test("stamps are shown in the exchange's time zone, before and after the country stopped changing its clocks", () => {
  expect(showStamp(new Date("2017-08-03T09:30:32.900Z"), istanbul)).toBe("2017-08-03 12:30:32 +0300");
  expect(showStamp(new Date("2015-01-15T09:30:32Z"), istanbul)).toBe("2015-01-15 11:30:32 +0200");
  expect(showStamp(new Date("2025-01-15T03:30:32Z"), "America/St_Johns")).toBe("2025-01-15 00:00:32 -0330");
});

test("durations have two digits each, and hours do not wrap", () => {
  expect([0, 59, 60, 3_725, 100 * 3_600].map(showDuration)).toEqual([
    "00:00:00",
    "00:00:59",
    "00:01:00",
    "01:02:05",
    "100:00:00",
  ]);
});

const days: [sent: string, day: string | undefined][] = [
  ["21.03.1980", "1980-03-21"],
  ["1.3.1980", "1980-03-01"],
  ["1980-03-21", "1980-03-21"],
  ["1980-03-21T00:00:00Z", "1980-03-21"],
  ["31.02.1980", undefined],
  ["1980-3-21", undefined],
  ["21.03.80", undefined],
  ["1980-03-21x", undefined],
];

test.each(days)("the day %s is %s", (sent, day) => {
  expect(readDay(sent)).toBe(day);
});
