import { describe, expect, test } from "vitest";
import { isOpen, isOpenIn, localTime } from "./hours.ts";

const office = { opens: "08:00", closes: "18:00", days: [1, 2, 3, 4, 5] };
const night = { opens: "22:00", closes: "06:00", days: [5] };
const at = (text: string) => localTime(Date.parse(text), "Europe/Istanbul");

describe("by the clocks of the office", () => {
  test.each([
    ["2026-11-16T04:59:00Z", false], // Monday 07:59
    ["2026-11-16T05:00:00Z", true], // 08:00
    ["2026-11-16T14:59:00Z", true], // 17:59
    ["2026-11-16T15:00:00Z", false], // 18:00
    ["2026-11-15T09:00:00Z", false], // Sunday noon
  ])("an office of 8 to 18 at %s: %s", (time, open) => {
    expect(isOpen(office, at(time))).toBe(open);
  });

  test.each([
    ["2026-11-20T18:59:00Z", false], // Friday 21:59
    ["2026-11-20T19:00:00Z", true], // Friday 22:00
    ["2026-11-21T02:59:00Z", true], // Saturday 05:59, still Friday's night
    ["2026-11-21T03:00:00Z", false],
    ["2026-11-21T19:30:00Z", false], // Saturday night
  ])("a Friday night shift at %s: %s", (time, open) => {
    expect(isOpen(night, at(time))).toBe(open);
  });

  test("midnight belongs to the new day, and clock changes are the zone's business", () => {
    expect(at("2026-11-15T21:00:00Z")).toEqual({ day: "2026-11-16", weekday: 1, minutes: 0 });
    const berlin = (text: string) => localTime(Date.parse(text), "Europe/Berlin").minutes;
    expect([berlin("2026-03-29T00:30:00Z"), berlin("2026-03-29T01:30:00Z")]).toEqual([90, 210]);
  });

  test("a day has several stretches, and one of them may go past midnight", () => {
    const week = ["1 08:00-12:00", "1 13:00-18:00", "5 22:00-06:00", "nonsense"];
    const open = (text: string) => isOpenIn(week, at(text));
    expect(["05:00", "08:59", "09:00", "10:00", "15:00"].map((time) => open(`2026-11-16T${time}:00Z`))).toEqual([
      ...[true, true, false, true, false], // Monday 08:00, 11:59, 12:00, 13:00, 18:00
    ]);
    expect([open("2026-11-20T19:00:00Z"), open("2026-11-21T02:59:00Z"), open("2026-11-21T03:00:00Z")]).toEqual([
      ...[true, true, false], // Friday 22:00, Saturday 05:59 and 06:00
    ]);
    expect(isOpenIn([], at("2026-11-16T09:00:00Z"))).toBe(false);
  });

  test("the same time twice is open all day", () => {
    expect(isOpen({ opens: "00:00", closes: "00:00", days: [7] }, at("2026-11-15T09:00:00Z"))).toBe(true);
  });
});
