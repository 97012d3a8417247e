import { expect, test } from "vitest";
import { offsetStamp, plainDay, plainStamp } from "./stamp.ts";
import { instantOf, readSendAt, readStamp, readValidFor } from "./timing.ts";

const ISTANBUL = "Europe/Istanbul";
const BERLIN = "Europe/Berlin";
const now = Date.UTC(2026, 0, 5, 9);

test("a validity is from one minute to 48 hours, a day unless said", () => {
  for (const [written, minutes] of [
    [undefined, 1440],
    ["00:01", 1],
    ["0:05", 5],
    ["2:00", 120],
    ["48:00", 2880],
  ] as const)
    expect(readValidFor(written)).toEqual({ minutes });
  for (const written of ["00:00", "48:01", "1:60", "90", "abc", "-1:00", "100:00"])
    expect(readValidFor(written), written).toEqual({ refused: "INVALID_PERIOD" });
});

test("a sending time is read in the exchange's zone or with its own offset, and forgives a minute", () => {
  expect(readSendAt(undefined, now, ISTANBUL)).toEqual({ at: now, later: false });
  const later = { at: Date.UTC(2026, 0, 5, 10), later: true };
  for (const written of [
    "2026-01-05 13:00:00",
    "2026-01-05T13:00:00+03:00",
    "2026-01-05T13:00:00 03:00",
    "2026-01-05T10:00:00Z",
    "2026-01-05 13:00",
  ])
    expect(readSendAt(written, now, ISTANBUL), written).toEqual(later);
  expect(readSendAt("2026-01-05 11:59:10", now, ISTANBUL)).toEqual({ at: now, later: false });
  for (const written of [
    "2026-01-05 11:58:59",
    "2026-13-05 11:00:00",
    "2026-02-30 11:00:00",
    "tomorrow",
    "2030-01-05 11:00:00",
  ])
    expect(readSendAt(written, now, ISTANBUL), written).toEqual({ refused: "INVALID_DELIVERY_TIME" });
});

test("a wall clock time that daylight saving skips or repeats still has one instant", () => {
  expect(instantOf(Date.UTC(2026, 2, 29, 2, 30), BERLIN)).toBe(Date.UTC(2026, 2, 29, 1, 30));
  expect(instantOf(Date.UTC(2026, 9, 25, 2, 30), BERLIN)).toBe(Date.UTC(2026, 9, 25, 0, 30));
  expect(instantOf(Date.UTC(2026, 6, 1, 10), BERLIN)).toBe(Date.UTC(2026, 6, 1, 8));
  expect(instantOf(Date.UTC(2026, 6, 1, 10), ISTANBUL)).toBe(Date.UTC(2026, 6, 1, 7));
});

test("moments are written as the interface writes them", () => {
  const moment = new Date(Date.UTC(2019, 10, 25, 8, 13, 24, 988));
  expect(plainStamp(moment, ISTANBUL)).toBe("2019-11-25 11:13:24");
  expect(offsetStamp(moment, ISTANBUL)).toBe("2019-11-25T11:13:24.988+03:00");
  expect(offsetStamp(moment, "America/New_York")).toBe("2019-11-25T03:13:24.988-05:00");
  expect(plainDay(new Date(Date.UTC(2021, 0, 17, 22)), ISTANBUL)).toBe("2021-01-18");
  expect(readStamp("2022-04-14 13:30:30", ISTANBUL)).toBe(Date.UTC(2022, 3, 14, 10, 30, 30));
});
