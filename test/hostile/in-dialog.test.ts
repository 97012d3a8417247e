// Somebody who has seen the names of a call (they stand in lamps, traces and on the wire) speaks in it from elsewhere.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Header, headerOf, type Response } from "../../src/sip/message/message.ts";
import { answeredCall } from "../phones/sip-phones.ts";
import {
  CARRIER,
  counted,
  DOMAIN,
  HOME,
  inside,
  MALLORY,
  openWithinCalls,
  ROAMING,
  type WithinCalls,
} from "./within-calls.ts";

const METHODS = ["BYE", "REFER", "INVITE", "UPDATE", "INFO", "PRACK", "NOTIFY", "MESSAGE", "SUBSCRIBE", "OPTIONS"];

let calls: WithinCalls;
let seed = 0;

beforeAll(async () => {
  calls = await openWithinCalls();
});

afterAll(() => calls.close());

beforeEach(() => {
  calls.strangers.length = 0;
});

test("is asked for a password whatever he says, and changes nothing without", async () => {
  const dialog = await calls.call();
  for (const method of METHODS)
    expect((await calls.asks(MALLORY, inside(dialog, method, MALLORY))).status, method).toBe(401);
  expect(calls.current().events).toEqual([]);
  expect(new Set(calls.strangers.map(({ method }) => method))).toEqual(new Set(METHODS));
  expect(await calls.hungUpAt()).toBe(`${HOME}:5060`);
});

test("is not believed with the password of another extension", async () => {
  const dialog = await calls.call();
  for (const method of ["BYE", "REFER", "INVITE"]) {
    const request = inside(dialog, method, MALLORY);
    const challenged = await calls.asks(MALLORY, request);
    const again = counted(request, calls.proofFor(request, challenged, "1001"));
    expect((await calls.asks(MALLORY, again)).status, method).toBe(403);
  }
  expect(calls.current().events).toEqual([]);
  expect(await calls.hungUpAt()).toBe(`${HOME}:5060`);
});

test("a phone that went to another network proves itself, and is spoken to there from then on", async () => {
  const dialog = await calls.call();
  const moved = inside(dialog, "INVITE", ROAMING);
  const challenged = await calls.asks(ROAMING, moved);
  expect(challenged.status).toBe(401);
  expect((await calls.asks(ROAMING, counted(moved, calls.proofFor(moved, challenged, "1000")))).status).toBe(200);
  // Now that is where it is.
  const next = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await calls.asks(ROAMING, inside(next, "INFO", ROAMING))).status).toBe(200);
  expect((await calls.asks(HOME, inside({ ...next, localCSeq: next.localCSeq + 20 }, "BYE", HOME))).status).toBe(401);
  expect(calls.current().leg.facts().address).toBe(ROAMING);
  expect(await calls.hungUpAt()).toBe(`${ROAMING}:5060`);
});

test("a phone that has registered from where it is now goes on, and proves itself for its voice alone", async () => {
  const dialog = await calls.call();
  await calls.registers(ROAMING);
  expect((await calls.asks(ROAMING, inside(dialog, "INFO", ROAMING))).status).toBe(200);
  expect((await calls.proves(ROAMING, inside(dialog, "INVITE", ROAMING, { later: 20 }))).status).toBe(200);
  expect(await calls.hungUpAt()).toBe(`${ROAMING}:5060`);
});

test("beside a registered phone, from another port of its address, a REFER still has to prove itself and a BYE does not", async () => {
  const dialog = await calls.call();
  const beside = `${ROAMING}:5099`;
  expect((await calls.asks(beside, inside(dialog, "REFER", ROAMING))).status).toBe(401);
  const next = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await calls.asks(beside, inside(next, "BYE", ROAMING))).status).toBe(200);
  expect(calls.current().events).toEqual(["ended"]);
});

test("a carrier goes on from another of its addresses, or from where its Contact says, and nobody else does in its name", async () => {
  const [from, other] = CARRIER;
  const dialog = await calls.call(from, "05320000000");
  for (const method of METHODS)
    expect((await calls.asks(MALLORY, inside(dialog, method, MALLORY))).status, method).toBe(403);
  expect(calls.current().events).toEqual([]);
  expect((await calls.asks(other, inside(dialog, "INFO", other))).status).toBe(200);
  const toElsewhere = { ...dialog, localCSeq: dialog.localCSeq + 20 };
  expect((await calls.asks(other, inside(toElsewhere, "INVITE", "192.0.2.77"))).status).toBe(200);
  const bye = inside({ ...dialog, localCSeq: dialog.localCSeq + 40 }, "BYE", "192.0.2.77");
  expect((await calls.asks("192.0.2.77", bye)).status).toBe(200);
  expect(calls.current().events).toContain("ended");
  expect(headerOf(bye, "Call-ID")).toBe(dialog.callId);
});

/** Where the exchange tells its news, after what was asked. */
async function toldTo(act: () => Promise<Response>): Promise<{ status: number; notified: Set<string> }> {
  const before = calls.network.carried().length;
  const { status } = await act();
  await calls.passes(40_000);
  const told = calls.network.carried().slice(before);
  return { status, notified: new Set(told.filter(({ octets }) => octets.startsWith("NOTIFY ")).map(({ to }) => to)) };
}

test("news go to whoever has proved himself, whatever his Contact or his proxies say, and nobody else moves them", async () => {
  const victim = "203.0.113.77";
  const naming: Header[][] = [[], [{ name: "Record-Route", value: `<sip:${victim};lr>` }]];
  for (const more of naming) {
    const asked = calls.first("SUBSCRIBE", victim);
    const subscribe = { ...asked, headers: [...asked.headers, { name: "Event", value: "dialog" }, ...more] };
    const challenged = await calls.asks(HOME, subscribe);
    expect(challenged.status).toBe(401);
    const again = counted(subscribe, calls.proofFor(subscribe, challenged, "1000"));
    let answer = challenged;
    const begun = await toldTo(async () => {
      answer = await calls.asks(HOME, again);
      return answer;
    });
    expect(begun).toEqual({ status: 200, notified: new Set([`${HOME}:5060`]) });
    const { dialog } = answeredCall(again, answer);
    const renewal = (from: string, proof: Header[]) =>
      inside(dialog, "SUBSCRIBE", victim, {
        later: ++seed * 20,
        headers: [{ name: "Event", value: "dialog" }, { name: "X-From", value: from }, ...proof],
      });
    const junk = {
      name: "Authorization",
      value: `Digest username="1000", realm="${DOMAIN}", nonce="x", uri="x", response="y"`,
    };
    const moved = await toldTo(() => calls.asks(MALLORY, renewal(MALLORY, [junk])));
    expect(moved.status).not.toBe(200);
    expect(moved.notified).toEqual(new Set());
    const own = renewal(HOME, []);
    const asksAgain = await calls.asks(HOME, own);
    expect(asksAgain.status).toBe(401);
    const renewed = await toldTo(() => calls.asks(HOME, counted(own, calls.proofFor(own, asksAgain, "1000"))));
    expect(renewed).toEqual({ status: 200, notified: new Set([`${HOME}:5060`]) });
  }
});
