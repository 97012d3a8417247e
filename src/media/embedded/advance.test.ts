// For how long an address is spoken to from which nothing has come, and how many such streams one source may have: on a clock
// that is wound by hand.

import { expect, test } from "vitest";
import type { VoiceSource } from "../engine.ts";
import { Advances, begin, carried, end, give, isGiven, keepForLater, newAdvance, turnOf, usableMs } from "./advance.ts";

const PHONE: VoiceSource = { is: "address", name: "203.0.113.9", exchange: 1 };
const TRUNK: VoiceSource = { is: "trunk", name: "1 carrier", exchange: 1 };

function given(nowMs = 0) {
  const advance = newAdvance();
  turnOf(advance, nowMs);
  give(advance, nowMs);
  return advance;
}

function places() {
  const time = { nowMs: 0 };
  const got: string[] = [];
  const advances = new Advances({ give: (stream) => void got.push(stream), nowMs: () => time.nowMs });
  const ask = (stream: string, source: VoiceSource, forMs = 5_000) =>
    advances.hear({ is: "asks", stream, source, forMs });
  return { advances, ask, time, got: () => got.splice(0) };
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `stream ${at}`);

test("it asks first, speaks for five seconds, says once that it is held back, and is silent", () => {
  const advance = newAdvance();
  expect(turnOf(advance, 100)).toBe("ask");
  expect(turnOf(advance, 120)).toBe("wait");
  give(advance, 130);
  expect([130, 140, 5_129].map((nowMs) => turnOf(advance, nowMs))).toEqual(["send", "send", "send"]);
  expect([5_130, 5_150, 60_000].map((nowMs) => turnOf(advance, nowMs))).toEqual(["tell", "wait", "wait"]);
});

test("reports go along with voice, and ask for nothing themselves", () => {
  const advance = newAdvance();
  expect(isGiven(advance, 0)).toBe(false);
  expect(advance.at).toBe("unasked");
  expect(isGiven(given(0), 4_999)).toBe(true);
  expect(isGiven(given(0), 5_000)).toBe(false);
});

test("without a place it asks again every two seconds, and says after five that it is held back", () => {
  const advance = newAdvance();
  const turns = [0, 1_000, 2_000, 3_999, 4_000, 5_000, 5_020, 6_000].map((nowMs) => turnOf(advance, nowMs));
  expect(turns).toEqual(["ask", "wait", "ask", "wait", "ask", "tell", "wait", "ask"]);
});

test("before the answer it speaks for a second, is not told of, and has four left for then", () => {
  const advance = newAdvance();
  keepForLater(advance, 0, true);
  expect(turnOf(advance, 0)).toBe("ask");
  expect(usableMs(advance)).toBe(1_000);
  give(advance, 0);
  expect([999, 1_000, 30_000].map((nowMs) => turnOf(advance, nowMs))).toEqual(["send", "wait", "wait"]);
  keepForLater(advance, 40_000, false);
  expect(turnOf(advance, 40_000)).toBe("ask");
  expect(usableMs(advance)).toBe(4_000);
  give(advance, 40_000);
  expect([43_999, 44_000].map((nowMs) => turnOf(advance, nowMs))).toEqual(["send", "tell"]);
});

test("an answer in the middle of that second, or while it waits for a place, takes nothing away", () => {
  const advance = newAdvance();
  keepForLater(advance, 0, true);
  turnOf(advance, 0);
  keepForLater(advance, 100, false);
  give(advance, 200);
  expect(turnOf(advance, 5_199)).toBe("send");
  const quick = newAdvance();
  keepForLater(quick, 0, true);
  turnOf(quick, 0);
  give(quick, 0);
  keepForLater(quick, 400, false);
  expect([turnOf(quick, 400), usableMs(quick)]).toEqual(["ask", 4_600]);
});

test("naming one address after the other does not make the five seconds longer", () => {
  const advance = given(0);
  begin(advance, 3_000);
  expect(turnOf(advance, 4_999)).toBe("send");
  begin(advance, 4_999);
  expect(turnOf(advance, 5_000)).toBe("tell");
  begin(advance, 5_100);
  expect(turnOf(advance, 5_120)).toBe("tell");
  expect(end(advance, 5_200, "proof")).toBe("gone");
  begin(advance, 9_000);
  expect(turnOf(advance, 9_000)).toBe("tell");
});

test("what is left after something came serves when voice moves", () => {
  const advance = given(0);
  expect(end(advance, 200, "proof")).toBe("proved");
  begin(advance, 60_000);
  expect(turnOf(advance, 60_000)).toBe("ask");
  give(advance, 60_000);
  expect(turnOf(advance, 64_799)).toBe("send");
  expect(turnOf(advance, 64_800)).toBe("tell");
});

test("a place is given back for what came, however late, and not for a change of words", () => {
  expect(end(newAdvance(), 0, "proof")).toBeUndefined();
  const late = given(0);
  turnOf(late, 5_000);
  expect(end(late, 7_000, "proof")).toBe("proved");
  const renamed = given(0);
  expect(end(renamed, 1_000, "word")).toBe("gone");
  turnOf(renamed, 2_000);
  expect(end(renamed, 2_000, "proof")).toBe("gone");
  const asking = newAdvance();
  turnOf(asking, 0);
  expect(end(asking, 10, "word")).toBe("proved");
  give(asking, 20);
  expect(isGiven(asking, 20)).toBe(false);
});

test("a thread whose clock began at another time goes on with it", () => {
  const advance = carried(given(90_000), -91_000);
  const there = carried(advance, 500);
  expect(isGiven(there, 500 + 3_999)).toBe(true);
  expect(isGiven(there, 500 + 4_000)).toBe(false);
});

test("a phone's address has four such streams at once, a trunk sixteen, and each is apart", () => {
  const { ask, got } = places();
  for (const stream of many(20)) ask(stream, PHONE);
  expect(got()).toHaveLength(4);
  for (const stream of many(20)) ask(`its ${stream}`, TRUNK);
  expect(got()).toHaveLength(16);
  ask("elsewhere", { ...PHONE, name: "203.0.113.10" });
  expect(got()).toEqual(["elsewhere"]);
});

test("who is proved makes room at once for whoever has waited longest", () => {
  const { advances, ask, got } = places();
  for (const stream of many(6)) ask(stream, PHONE);
  got();
  advances.proved("stream 2");
  expect(got()).toEqual(["stream 4"]);
  advances.gone("stream 5");
  advances.proved("stream 0");
  expect(got()).toEqual([]);
});

test("a place that proved nothing stays taken for half a minute, hung up or not", () => {
  const { advances, ask, time, got } = places();
  for (const stream of many(4)) ask(stream, PHONE);
  got();
  for (const stream of many(4)) advances.gone(stream);
  time.nowMs = 29_999;
  ask("next", PHONE);
  expect(got()).toEqual([]);
  time.nowMs = 30_000;
  ask("next", PHONE);
  expect(got()).toEqual(["next"]);
});

test("and the shorter it was given for, the sooner it is free again", () => {
  const { ask, time, got } = places();
  for (const stream of many(4)) ask(stream, PHONE, 1_000);
  ask("next", PHONE);
  got();
  time.nowMs = 6_000;
  ask("next", PHONE);
  expect(got()).toEqual(["next"]);
});

test("an exchange of many trunks and addresses has thirty-two in all, and takes none of another's", () => {
  const { advances, ask, got } = places();
  for (const stream of many(100)) ask(stream, { ...PHONE, name: stream });
  expect(got()).toHaveLength(32);
  ask("other", { ...PHONE, exchange: 2 });
  expect(got()).toEqual(["other"]);
  advances.proved("stream 0");
  expect(got()).toEqual(["stream 32"]);
});

test("who asks again has no second place", () => {
  const { ask, got } = places();
  for (let time = 0; time < 5; time++) ask("stream", PHONE);
  expect(got()).toHaveLength(5);
  for (const stream of many(4)) ask(stream, PHONE);
  expect(got()).toEqual(["stream 0", "stream 1", "stream 2"]);
});
