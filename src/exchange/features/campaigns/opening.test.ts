import { describe, expect, test } from "vitest";
import { type Calendar, openingOf } from "./opening.ts";

const calendar: Calendar = {
  timeZone: "Europe/Istanbul",
  isHoliday: () => false,
  commercialFrom: "09:00",
  commercialUntil: "21:00:00",
};
const always = {
  dateBegin: "2026-03-02",
  dateEnd: "2026-03-08",
  timeBegin: "00:00",
  timeEnd: "23:59",
  activeDays: [1, 2, 3, 4, 5, 6, 7],
  isCommercial: false,
};
/** By the clocks of Istanbul, three hours ahead of UTC. The second of March 2026 is a Monday. */
const at = (stamp: string) => Date.parse(`${stamp.replace(" ", "T")}:00+03:00`);
const opens = (stamp: string) => ({ open: false, opensMs: at(stamp) });
const openUntil = (stamp: string) => ({ open: true, closesMs: at(stamp) });

describe("office hours", () => {
  const office = { ...always, timeBegin: "09:00", timeEnd: "18:00", activeDays: [1, 2, 3, 4, 5] };
  test.each([
    ["before the first day", "2026-03-01 12:00", opens("2026-03-02 09:00")],
    ["before opening", "2026-03-02 08:59", opens("2026-03-02 09:00")],
    ["at the opening minute", "2026-03-02 09:00", openUntil("2026-03-02 18:00")],
    ["in the last minute", "2026-03-02 17:59", openUntil("2026-03-02 18:00")],
    ["at the closing minute", "2026-03-02 18:00", opens("2026-03-03 09:00")],
    ["on the last working day's evening", "2026-03-06 19:00", { open: false, opensMs: undefined }],
    ["at the weekend", "2026-03-07 12:00", { open: false, opensMs: undefined }],
    ["after the last day", "2026-04-01 12:00", { open: false, opensMs: undefined }],
  ])("%s", (_, now, opening) => expect(openingOf(office, calendar, at(now))).toEqual(opening));
});

describe("around the clock", () => {
  test("a campaign that says nothing is open from midnight to midnight, without a gap between days", () => {
    for (const now of ["2026-03-02 00:00", "2026-03-04 23:59", "2026-03-05 00:00"])
      expect(openingOf(always, calendar, at(now))).toMatchObject({ open: true });
    const { closesMs } = openingOf(always, calendar, at("2026-03-08 12:00")) as { closesMs: number };
    expect(closesMs).toBe(at("2026-03-09 00:00"));
  });

  test("its end is the end of its last day", () =>
    expect(openingOf(always, calendar, at("2026-03-09 00:00"))).toEqual({ open: false, opensMs: undefined }));
});

describe("over midnight", () => {
  const night = { ...always, timeBegin: "22:00", timeEnd: "02:00", activeDays: [5], dateEnd: "2026-03-06" };
  test.each([
    ["the night belongs to the day it began on", "2026-03-06 23:30", openUntil("2026-03-07 02:00")],
    ["even past midnight and past the last date", "2026-03-07 01:59", openUntil("2026-03-07 02:00")],
    ["and is over then", "2026-03-07 02:00", { open: false, opensMs: undefined }],
    ["the early hours of its own day belong to the day before", "2026-03-06 01:00", opens("2026-03-06 22:00")],
  ])("%s", (_, now, opening) => expect(openingOf(night, calendar, at(now))).toEqual(opening));
});

describe("holidays", () => {
  const isHoliday = (day: string) => day === "2026-03-03";
  test("are skipped", () =>
    expect(openingOf(always, { ...calendar, isHoliday }, at("2026-03-03 12:00"))).toEqual(opens("2026-03-04 00:00")));
  test("the night before a holiday goes on into it", () => {
    const night = { ...always, timeBegin: "22:00", timeEnd: "02:00" };
    expect(openingOf(night, { ...calendar, isHoliday }, at("2026-03-03 01:00"))).toEqual(openUntil("2026-03-03 02:00"));
    expect(openingOf(night, { ...calendar, isHoliday }, at("2026-03-03 23:00"))).toEqual(opens("2026-03-04 22:00"));
  });
});

describe("selling", () => {
  const selling = { ...always, isCommercial: true };
  test.each([
    ["not before the lawful hour", "2026-03-02 08:00", opens("2026-03-02 09:00")],
    ["within it", "2026-03-02 20:59", openUntil("2026-03-02 21:00")],
    ["not after it", "2026-03-02 21:00", opens("2026-03-03 09:00")],
  ])("%s", (_, now, opening) => expect(openingOf(selling, calendar, at(now))).toEqual(opening));

  test("a night campaign sells in the evening and again in the morning, if at all", () => {
    const night = { ...selling, timeBegin: "20:00", timeEnd: "10:00" };
    expect(openingOf(night, calendar, at("2026-03-02 20:30"))).toEqual(openUntil("2026-03-02 21:00"));
    expect(openingOf(night, calendar, at("2026-03-02 23:00"))).toEqual(opens("2026-03-03 09:00"));
    expect(openingOf(night, calendar, at("2026-03-03 09:30"))).toEqual(openUntil("2026-03-03 10:00"));
  });
});

test("clocks that are set back or forward change nothing about the hours on the wall", () => {
  const berlin = { ...calendar, timeZone: "Europe/Berlin" };
  const office = { ...always, dateEnd: "2026-12-31", timeBegin: "09:00", timeEnd: "18:00" };
  // Summer time begins on the 29th of March.
  expect(openingOf(office, berlin, Date.UTC(2026, 2, 28, 20))).toEqual({
    open: false,
    opensMs: Date.UTC(2026, 2, 29, 7),
  });
  expect(openingOf(office, berlin, Date.UTC(2026, 2, 27, 20))).toEqual({
    open: false,
    opensMs: Date.UTC(2026, 2, 28, 8),
  });
});
