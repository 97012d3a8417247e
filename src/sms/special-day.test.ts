import { expect, test } from "vitest";
import { fillIn, specialDaysOf } from "./special-day.ts";

test("what a short month lacks falls on its last day", () => {
  expect(specialDaysOf("2026-04-30").monthDays).toEqual([30, 31]);
  expect(specialDaysOf("2026-02-28").monthDays).toEqual([28, 29, 30, 31]);
  expect(specialDaysOf("2028-02-28").monthDays).toEqual([28]);
  expect(specialDaysOf("2028-02-29").monthDays).toEqual([29, 30, 31]);
  expect(specialDaysOf("2026-01-31").monthDays).toEqual([31]);
  expect(specialDaysOf("2026-01-30").monthDays).toEqual([30]);
});

test("who was born on a leap day is congratulated on 28 February of ordinary years", () => {
  expect(specialDaysOf("2026-02-28").anniversaries).toEqual(["02-28", "02-29"]);
  expect(specialDaysOf("2028-02-28").anniversaries).toEqual(["02-28"]);
  expect(specialDaysOf("2028-02-29").anniversaries).toEqual(["02-29"]);
});

test("a greeting names its contact", () => {
  expect(fillIn("Sayın {name} {surname}, iyi ki doğdun {name}", { name: "Ali", surname: "Er" })).toBe(
    "Sayın Ali Er, iyi ki doğdun Ali",
  );
});
