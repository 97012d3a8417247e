import { expect, test } from "vitest";
import { dayAfter, dayBegins, momentAt } from "../../console/words/stamps.ts";
import { showDay } from "../../src/words/stamps.ts";

test("a typed time is one of the exchange's clock, also around the hours in which that clock is changed", () => {
  const typed: [wall: string, zone: string, moment: string][] = [
    ["2026-10-29T10:30", "Europe/Istanbul", "2026-10-29T07:30:00.000Z"],
    ["2026-10-29T10:30", "America/New_York", "2026-10-29T14:30:00.000Z"],
    ["2026-10-29T10:30", "Pacific/Kiritimati", "2026-10-28T20:30:00.000Z"],
    ["2026-03-29T01:59", "Europe/Berlin", "2026-03-29T00:59:00.000Z"],
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"], // left out: half past three
    ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"], // comes twice: the first one
    ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
    ["2026-03-08T03:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
  ];
  for (const [wall, zone, moment] of typed) expect(momentAt(wall, zone), `${wall} ${zone}`).toBe(moment);
});

test("a day begins at the exchange's midnight, and is shown as the same day wherever the browser is", () => {
  expect(dayBegins("2026-10-29", "Europe/Istanbul")).toBe("2026-10-28T21:00:00.000Z");
  expect(dayBegins("2026-03-29", "Europe/Berlin", 1)).toBe("2026-03-29T22:00:00.000Z");
  expect(dayAfter("2026-12-31", 1)).toBe("2027-01-01");
  const zone = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  try {
    expect(showDay("2026-10-29", "en")).toBe("29 Oct");
    expect(momentAt("2026-10-29T10:30", "Europe/Istanbul")).toBe("2026-10-29T07:30:00.000Z");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
