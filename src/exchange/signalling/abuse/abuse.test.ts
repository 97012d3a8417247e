import { describe, expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import type { Request } from "../../../sip/message/message.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { openAbuse } from "./abuse.ts";
import { keyOf } from "./sources.ts";

const from = (address: string): Source => ({ transport: "udp", address, port: 5060, listener: "udp 0.0.0.0:5060" });
const asking = (userAgent: string): Request => ({
  is: "request",
  method: "REGISTER",
  uri: "sip:a.example",
  headers: [{ name: "User-Agent", value: userAgent }],
  body: "",
});

describe("a source that scans", () => {
  test("is met with silence, released after a minute, and silenced twice as long the next time", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    const scanner = from("203.0.113.9");
    const penalties: number[] = [];
    for (let time = 0; time < 9; time++) {
      expect(abuse.guard(scanner)).toBe("pass");
      expect(abuse.screen(asking("friendly-scanner"), scanner)).toBe("drop");
      expect(abuse.guard(scanner)).toBe("drop");
      const { untilMs } = abuse.boxed()[0]!;
      penalties.push((untilMs - clock.wall()) / 1_000);
      clock.pass(untilMs - clock.wall());
    }
    expect(penalties).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    expect(abuse.boxed()).toEqual([]);
    expect(abuse.counts()).toMatchObject({ dropped: 18, penalties: { scanner: 9 } });
  });

  test("starts with a clean slate after a day of good behaviour", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    const scanner = from("203.0.113.9");
    abuse.fault(scanner, "scanner");
    clock.pass(25 * 3_600_000);
    abuse.fault(scanner, "scanner");
    expect(abuse.boxed()[0]).toMatchObject({ strikes: 1, untilMs: clock.wall() + 60_000 });
  });

  test("is known by its many unknown users, and by its malformed messages", () => {
    const abuse = openAbuse({ clock: testClock() });
    for (let user = 0; user < 16; user++) abuse.fault(from("203.0.113.1"), "unknown-user");
    for (let message = 0; message < 31; message++) abuse.fault(from("203.0.113.2"), "malformed");
    for (let guess = 0; guess < 30; guess++) abuse.fault(from("203.0.113.3"), "wrong-password");
    expect(abuse.boxed().map(({ address, offence }) => `${address} ${offence}`)).toEqual([
      "203.0.113.1 unknown-user",
      "203.0.113.2 malformed",
    ]);
  });
});

test("a flood is cut off, a steady phone is not", () => {
  const clock = testClock();
  const abuse = openAbuse({ clock });
  let passed = 0;
  for (let message = 0; message < 5_000; message++) if (abuse.guard(from("203.0.113.7")) === "pass") passed++;
  expect(passed).toBe(400);
  for (let second = 0; second < 600; second++) {
    for (let message = 0; message < 30; message++) expect(abuse.guard(from("203.0.113.8"))).toBe("pass");
    clock.pass(1_000);
  }
});

test("an office that has logged in is not silenced by one phone with a wrong password, but is bounded all the same", () => {
  const abuse = openAbuse({ clock: testClock() });
  const office = from("198.51.100.4");
  abuse.loggedIn(office);
  for (let guess = 0; guess < 300; guess++) abuse.fault(office, "wrong-password");
  expect(abuse.guard(office)).toBe("pass");
  abuse.fault(office, "wrong-password");
  expect(abuse.guard(office)).toBe("drop");
});

test("trunks are never ignored", () => {
  const abuse = openAbuse({ clock: testClock(), isTrusted: (address) => address === "192.0.2.1" });
  const trunk = from("192.0.2.1");
  for (let message = 0; message < 10_000; message++) expect(abuse.guard(trunk)).toBe("pass");
  expect(abuse.screen(asking("sipcli/v1.8"), trunk)).toBe("pass");
  expect(abuse.guard(trunk)).toBe("pass");
});

test("a million made-up addresses take a fixed amount of memory and do not push out the phones", () => {
  const abuse = openAbuse({ clock: testClock(), mostSources: 1_000 });
  const phone = from("198.51.100.4");
  abuse.loggedIn(phone);
  for (let number = 0; number < 100_000; number++)
    abuse.guard(from(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`));
  expect(abuse.counts().sources).toBe(1_000);
  for (let message = 0; message < 1_000; message++) expect(abuse.guard(phone)).toBe("pass");
});

test("the addresses of one IPv6 network are one source", () => {
  expect(keyOf("2001:db8:1:2::1")).toBe(keyOf("2001:db8:1:2:ffff::9"));
  expect(keyOf("2001:db8::1")).toBe("2001:db8::/64");
  expect(keyOf("::1")).toBe("::/64");
  expect(keyOf("2001:DB8:1:2:0:0:0:1")).toBe(keyOf("2001:db8:1:2::9"));
  expect(keyOf("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(keyOf("2001:db8:1:2::1")).not.toBe(keyOf("2001:db8:1:3::1"));
});

test.each([-3_600_000, 3_600_000])(
  "a clock that is set by %i ms neither frees who is ignored nor keeps him longer",
  (stepMs) => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    const scanner = from("203.0.113.9");
    abuse.fault(scanner, "scanner");
    clock.pass(30_000);
    clock.setWall(clock.wall() + stepMs);
    expect(abuse.boxed()).toMatchObject([{ untilMs: clock.wall() + 30_000 }]);
    clock.pass(29_999);
    expect(abuse.guard(scanner)).toBe("drop");
    clock.pass(1);
    expect(abuse.guard(scanner)).toBe("pass");
  },
);

describe("behind an edge", () => {
  const EDGE = "10.0.0.5";
  const behind = (address: string): Source => ({ ...from(EDGE), client: { address, port: 5060 } });

  test("who guesses passwords is silenced alone, and neither the edge nor his neighbours", () => {
    const abuse = openAbuse({ clock: testClock(), isTrusted: (address) => address === EDGE });
    for (let guess = 0; guess < 31; guess++) abuse.fault(behind("203.0.113.1"), "wrong-password");
    expect(abuse.boxed().map(({ address }) => address)).toEqual(["203.0.113.1"]);
    expect(abuse.guard(from(EDGE))).toBe("pass");
    expect(abuse.screen(asking("phone"), behind("203.0.113.1"))).toBe("drop");
    expect(abuse.screen(asking("phone"), behind("203.0.113.2"))).toBe("pass");
  });

  test("a flood of one is cut off, though the edge may say as much as it likes", () => {
    const abuse = openAbuse({ clock: testClock(), isTrusted: (address) => address === EDGE });
    const verdicts = Array.from({ length: 500 }, () => abuse.screen(asking("phone"), behind("203.0.113.3")));
    expect(verdicts.filter((it) => it === "pass")).toHaveLength(400);
    expect(abuse.screen(asking("friendly-scanner"), behind("203.0.113.4"))).toBe("drop");
    expect(abuse.guard(from(EDGE))).toBe("pass");
  });
});
