import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { unexpected } from "../../test/ground/unexpected.ts";
import { bobsContact, requestTo } from "../../test/phones/sip-phones.ts";
import type { Request } from "./message/message.ts";
import { prackFor, reliableHeaders, ringReliably, wantsReliable } from "./reliable.ts";
import { responseTo } from "./respond.ts";

function ringing() {
  const clock = testClock();
  const acts: string[] = [];
  const ringing = ringReliably({
    clock,
    unexpected,
    invite: requestTo("INVITE"),
    number: 41,
    send: () => void acts.push("180"),
    giveUp: () => void acts.push("give up"),
  });
  return { clock, acts, ...ringing };
}

const prack = (value: string): Request => requestTo("PRACK", { headers: [{ name: "RAck", value }] });

test("a numbered ringing is repeated at doubling pauses until its PRACK", () => {
  const { clock, acts, takePrack } = ringing();
  clock.pass(7_500);
  expect(acts).toHaveLength(5);
  expect(takePrack(prack("40 1 INVITE"))).toBe(false);
  expect(takePrack(prack("41 2 INVITE"))).toBe(false);
  expect(takePrack(prack("41 1 BYE"))).toBe(false);
  expect(takePrack(prack("rubbish"))).toBe(false);
  expect(takePrack(requestTo("PRACK"))).toBe(false);
  expect(takePrack(prack("41 1 INVITE"))).toBe(true);
  expect(takePrack(prack("41 1 INVITE"))).toBe(false);
  expect(clock.waiting()).toBe(0);
});

test("without a PRACK it is given up after 32 s, and an answer ends the waiting", () => {
  const unheard = ringing();
  unheard.clock.pass(32_000);
  expect(unheard.acts.at(-1)).toBe("give up");
  expect(unheard.clock.waiting()).toBe(0);
  const answered = ringing();
  answered.stop();
  expect(answered.acts).toEqual(["180"]);
  expect(answered.clock.waiting()).toBe(0);
});

test("what a caller says of reliable ringing", () => {
  const saying = (name: string, value: string) => wantsReliable(requestTo("INVITE", { headers: [{ name, value }] }));
  expect(saying("Require", "100rel")).toBe("required");
  expect(saying("Supported", "timer, 100rel")).toBe("supported");
  expect(saying("Supported", "timer")).toBe("no");
});

test("their numbered ringing gets one PRACK each, in order", () => {
  const invite = requestTo("INVITE");
  const ring = (number: number) =>
    responseTo(invite, 183, { toTag: "b", headers: [bobsContact, ...reliableHeaders(number)] });
  const first = prackFor(ring(10), undefined);
  if (!first.due) throw new Error("no PRACK");
  expect(first.rack).toEqual({ name: "RAck", value: "10 1 INVITE" });
  expect(prackFor(ring(10), first.rseq).due).toBe(false);
  expect(prackFor(ring(12), first.rseq).due).toBe(false);
  expect(prackFor(ring(11), first.rseq)).toMatchObject({ due: true, rseq: 11 });
  expect(prackFor(responseTo(invite, 180, { toTag: "b" }), undefined).due).toBe(false);
});
