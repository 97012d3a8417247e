// Floods of datagrams, which anybody can write in anybody's name, beside those who come by connection.

import { describe, expect, test } from "vitest";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import type { Source, TransportName } from "../../../sip/transport/transport.ts";
import { type Abuse, openAbuse } from "./abuse.ts";

const VICTIM = "198.51.100.4";
const CONNECTIONS: readonly TransportName[] = ["tcp", "tls", "ws", "wss"];

const from = (address: string, port = 5060): Source => ({
  transport: "udp",
  address,
  port,
  listener: "udp 0.0.0.0:5060",
});
const by = (transport: TransportName, address: string, port = 40_000): Source => ({
  ...from(address, port),
  transport,
});
const numbered = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

function forges(abuse: Abuse, messages: number, source: (message: number) => Source): number {
  let passed = 0;
  for (let message = 0; message < messages; message++) if (abuse.guard(source(message)) === "pass") passed++;
  return passed;
}

/** So much at once, and then so much a second for as long as that. */
function floods(abuse: Abuse, clock: TestClock, source: (message: number) => Source, { perSecond = 4_000 } = {}) {
  forges(abuse, 30_000, source);
  return (seconds: number, meanwhile: () => void) => {
    for (let second = 0; second < seconds; second++) {
      forges(abuse, perSecond, source);
      meanwhile();
      clock.pass(1_000);
    }
  };
}

describe("datagrams in somebody's name", () => {
  test.each(CONNECTIONS)("do not cost him his connection (%s), nor have him ignored for it", (transport) => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    floods(abuse, clock, () => from(VICTIM, 1))(60, () => {
      for (let message = 0; message < 20; message++) expect(abuse.guard(by(transport, VICTIM))).toBe("pass");
    });
    expect(abuse.boxed()).toEqual([]);
    expect(abuse.counts().penalties.flood).toBe(0);
  });

  test("do not cost him his connection either where a phone of his neighbours has logged in", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    abuse.loggedIn(from(VICTIM, 5070), "1000");
    floods(abuse, clock, () => from(VICTIM, 1))(20, () => {
      for (let message = 0; message < 20; message++) expect(abuse.guard(by("tcp", VICTIM))).toBe("pass");
    });
  });

  test("by the very port of his connection take nothing from it", () => {
    const abuse = openAbuse({ clock: testClock() });
    abuse.loggedIn(by("tls", VICTIM), "1000");
    expect(forges(abuse, 30_000, () => from(VICTIM, 40_000))).toBe(6_000);
    expect(abuse.guard(by("tls", VICTIM))).toBe("pass");
  });

  test("and a login over a connection do not vouch for each other's port", () => {
    const abuse = openAbuse({ clock: testClock() });
    abuse.loggedIn(by("tcp", VICTIM, 5060), "1000");
    abuse.loggedIn(from(VICTIM, 5070), "1001");
    for (let guess = 0; guess < 10; guess++)
      abuse.fault(from(VICTIM, 5060), "wrong-password", { user: "1000", isProved: true });
    expect(abuse.mayTry(from(VICTIM, 5060), "1000")).toBe(false);
    expect(abuse.mayTry(by("tcp", VICTIM, 5060), "1000")).toBe(true);
  });

  test("of all the world leave those who come by connection what is heard of strangers", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock });
    let newcomers = 0;
    floods(abuse, clock, (message) => from(numbered(message)))(10, () => {
      for (let phone = 0; phone < 100; phone++)
        expect(abuse.guard(by("tls", `203.0.113.${newcomers++ % 256}`))).toBe("pass");
    });
  });

  test("push nobody out of memory who has come by connection", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock, mostSources: 1_000 });
    const guesser = by("tcp", "203.0.113.9");
    for (let message = 0; message < 30; message++) abuse.fault(guesser, "malformed");
    forges(abuse, 10_000, (message) => from(numbered(message)));
    abuse.fault(guesser, "malformed");
    expect(abuse.boxed()).toMatchObject([{ address: "203.0.113.9", offence: "malformed" }]);
  });
});

describe("connections", () => {
  test("are bounded by address and in sum as well, and take nothing from datagrams", () => {
    const abuse = openAbuse({ clock: testClock() });
    expect(forges(abuse, 30_000, (message) => by("tcp", numbered(message)))).toBe(20_000);
    expect(abuse.guard(from("203.0.113.7"))).toBe("pass");
    expect(forges(openAbuse({ clock: testClock() }), 500, () => by("tcp", "203.0.113.7"))).toBe(400);
  });
});

describe("datagrams in carriers' names", () => {
  const isCarrier = (address: string) => address.startsWith("192.0.2.");

  test("are bounded in sum, however many addresses a carrier has", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock, isCarrier });
    const passed = () => forges(abuse, 256 * 1_000, (message) => from(`192.0.2.${message % 256}`));
    expect(passed()).toBe(80_000);
    clock.pass(1_000);
    expect(passed()).toBe(40_000);
  });

  test("do not reach what a carrier says over its connection", () => {
    const abuse = openAbuse({ clock: testClock(), isCarrier });
    forges(abuse, 256 * 1_000, (message) => from(`192.0.2.${message % 256}`));
    expect(forges(abuse, 20_000, () => by("tcp", "192.0.2.1"))).toBe(20_000);
  });

  test("leave an honest one alone: three that say all that one may are heard at once", () => {
    const clock = testClock();
    const abuse = openAbuse({ clock, isCarrier });
    for (let second = 0; second < 5; second++) {
      for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
        expect(forges(abuse, 10_000, () => from(address))).toBe(10_000);
      clock.pass(1_000);
    }
  });
});
