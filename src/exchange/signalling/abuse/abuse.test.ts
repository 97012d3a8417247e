import { describe, expect, test } from "vitest";
import { testClock } from "../../../../test/ground/test-clock.ts";
import type { Request } from "../../../sip/message/message.ts";
import type { Source } from "../../../sip/transport/transport.ts";
import { openAbuse } from "./abuse.ts";

const from = (address: string, port = 5060): Source => ({
  transport: "udp",
  address,
  port,
  listener: "udp 0.0.0.0:5060",
});
const connectedFrom = (address: string, port = 5060): Source => ({ ...from(address, port), transport: "tcp" });
/** With a nonce that we gave to that address. */
const answering = (user = "1000") => ({ user, isProved: true });
const claiming = (user = "1000") => ({ user, isProved: false });
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
    const scanner = connectedFrom("203.0.113.9");
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
    const scanner = connectedFrom("203.0.113.9");
    abuse.fault(scanner, "scanner");
    clock.pass(25 * 3_600_000);
    abuse.fault(scanner, "scanner");
    expect(abuse.boxed()[0]).toMatchObject({ strikes: 1, untilMs: clock.wall() + 60_000 });
  });

  test("is known by its many unknown users, and by its malformed messages", () => {
    const abuse = openAbuse({ clock: testClock() });
    for (let user = 0; user < 16; user++) abuse.fault(from("203.0.113.1"), "unknown-user", answering(`${user}`));
    for (let message = 0; message < 31; message++) abuse.fault(connectedFrom("203.0.113.2"), "malformed");
    for (let guess = 0; guess < 30; guess++) abuse.fault(from("203.0.113.3"), "wrong-password", answering());
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

describe("whoever can forge a datagram", () => {
  test("silences nobody by a flood, by rubbish, by a scanner's name or by wrong logins in somebody else's name", () => {
    const abuse = openAbuse({ clock: testClock() });
    const victim = from("198.51.100.4");
    for (let message = 0; message < 5_000; message++) abuse.guard(victim);
    for (let message = 0; message < 100; message++) abuse.fault(victim, "malformed");
    expect(abuse.screen(asking("friendly-scanner"), victim)).toBe("drop");
    for (let guess = 0; guess < 100; guess++) abuse.fault(victim, "wrong-password", claiming());
    expect(abuse.boxed()).toEqual([]);
  });

  test("takes nothing from phones that are logged in, not even by a flood from their own address", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    for (const port of [5060, 5062]) abuse.loggedIn(from("198.51.100.4", port), `${port}`);
    for (let second = 0; second < 10; second++) {
      for (let message = 0; message < 20_000; message++) abuse.guard(from("198.51.100.4", 10_000 + message));
      for (const port of [5060, 5062])
        for (let message = 0; message < 100; message++) expect(abuse.guard(from("198.51.100.4", port))).toBe("pass");
      clock.pass(1_000);
    }
  });

  test("has bounded work done, however many addresses he says that he has, and known phones are heard meanwhile", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock, mostSources: 1_000 });
    for (let phone = 0; phone < 100; phone++) abuse.loggedIn(from(`198.51.100.${phone}`), `${phone}`);
    let passed = 0;
    for (let number = 0; number < 100_000; number++)
      if (abuse.guard(from(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`)) === "pass") passed++;
    expect(passed).toBe(20_000);
    expect(abuse.counts().sources).toBeLessThanOrEqual(1_100);
    for (let phone = 0; phone < 100; phone++) expect(abuse.guard(from(`198.51.100.${phone}`))).toBe("pass");
    for (let phone = 0; phone < 100; phone++) expect(abuse.guard(from(`198.51.100.${phone}`, 40_000))).toBe("pass");
  });
});

describe("an office behind one address", () => {
  test("with a phone that has a wrong password is not silenced: that login is put off, and all others are taken", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    abuse.loggedIn(from("198.51.100.4", 5060), "1000");
    const wrong = from("198.51.100.4", 5070);
    for (let guess = 0; guess < 10; guess++) {
      expect(abuse.mayTry(wrong, "1007")).toBe(true);
      abuse.fault(wrong, "wrong-password", answering("1007"));
    }
    expect(abuse.mayTry(wrong, "1007")).toBe(false);
    expect(abuse.mayTry(from("198.51.100.4", 5080), "1008")).toBe(true);
    expect(abuse.mayTry(from("198.51.100.4", 5060), "1000")).toBe(true);
    expect(abuse.boxed()).toEqual([]);
    expect(abuse.counts().putOff).toBe(1);
    clock.pass(60_000);
    expect(abuse.mayTry(wrong, "1007")).toBe(true);
  });

  test("with a guesser in it works on: who has logged in is known by his port, and guesses are bounded", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    abuse.loggedIn(from("198.51.100.4", 5060), "1000");
    let judged = 0;
    for (let user = 0; user < 2_000; user++) {
      const guess = from("198.51.100.4", 20_000 + user);
      if (!abuse.mayTry(guess, `${user % 100}`)) continue;
      judged++;
      abuse.fault(guess, "wrong-password", answering(`${user % 100}`));
    }
    expect(judged).toBe(300);
    expect(abuse.mayTry(from("198.51.100.4", 5060), "1000")).toBe(true);
    expect(abuse.mayTry(from("198.51.100.4", 5060), "1001")).toBe(false);
    expect(abuse.guard(from("198.51.100.4", 5060))).toBe("pass");
    expect(abuse.boxed()).toEqual([]);
  });

  test("that was silenced while a scanner was there alone is heard as soon as its phones are known to be there", () => {
    const abuse = openAbuse({ clock: testClock() });
    abuse.fault(connectedFrom("198.51.100.4"), "scanner");
    expect(abuse.guard(from("198.51.100.4"))).toBe("drop");
    abuse.loggedIn(from("198.51.100.4"), "1000");
    expect(abuse.guard(from("198.51.100.4", 5099))).toBe("pass");
  });
});

test("carriers are never ignored, and heard far more of than others, but not without end", () => {
  const abuse = openAbuse({ clock: testClock(), isCarrier: (address) => address === "192.0.2.1" });
  const trunk = from("192.0.2.1");
  for (let message = 0; message < 20_000; message++) expect(abuse.guard(trunk)).toBe("pass");
  expect(abuse.guard(trunk)).toBe("drop");
  expect(abuse.screen(asking("sipcli/v1.8"), trunk)).toBe("pass");
  for (let guess = 0; guess < 400; guess++) abuse.fault(connectedFrom("192.0.2.1"), "wrong-password", answering());
  expect(abuse.boxed()).toEqual([]);
  expect(abuse.mayTry(trunk, "1000")).toBe(false);
});

test("a flood over a connection is its sender's, who is silenced for it", () => {
  const abuse = openAbuse({ clock: testClock() });
  for (let message = 0; message < 401; message++) abuse.guard(connectedFrom("203.0.113.7"));
  expect(abuse.boxed()).toMatchObject([{ address: "203.0.113.7", offence: "flood" }]);
});

test.each([-3_600_000, 3_600_000])(
  "a clock that is set by %i ms neither frees who is ignored nor keeps him longer",
  (stepMs) => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    const scanner = connectedFrom("203.0.113.9");
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

test("this very machine is never ignored, but its wrong passwords count for each user", () => {
  const clock = testClock();
  const abuse = openAbuse({ clock, isOurs: (address) => address === "127.0.0.1" });
  const here = from("127.0.0.1");
  for (let guess = 0; guess < 10; guess++) abuse.fault(here, "wrong-password", answering("1000"));
  expect([abuse.mayTry(here, "1000"), abuse.mayTry(here, "1001"), abuse.guard(here)]).toEqual([false, true, "pass"]);
  expect([abuse.boxed(), abuse.counts().putOff]).toEqual([[], 1]);
  clock.pass(60_000);
  expect(abuse.mayTry(here, "1000")).toBe(true);
  abuse.loggedIn(here, "1000");
  for (let guess = 0; guess < 20; guess++) abuse.fault(from("127.0.0.1", 5070), "wrong-password", answering("1000"));
  // Who has logged in from there himself is not kept out by somebody beside him.
  expect([abuse.mayTry(here, "1000"), abuse.mayTry(from("127.0.0.1", 5070), "1000")]).toEqual([true, false]);
});

describe("behind an edge", () => {
  const EDGE = "10.0.0.5";
  const behind = (address: string): Source => ({ ...from(EDGE), client: { address, port: 5060 } });

  test("who guesses passwords is silenced alone, and neither the edge nor his neighbours", () => {
    const abuse = openAbuse({ clock: testClock(), isTrusted: (address) => address === EDGE });
    for (let guess = 0; guess < 31; guess++) abuse.fault(behind("203.0.113.1"), "wrong-password", answering());
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
