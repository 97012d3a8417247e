import { expect, test } from "vitest";
import { testClock } from "../../test/ground/test-clock.ts";
import { requestTo } from "../../test/phones/sip-phones.ts";
import type { Header } from "./message/message.ts";
import { responseTo } from "./respond.ts";
import {
  keepSession,
  offerSession,
  preferenceAfterRefusal,
  SESSION_PREFERENCE,
  type Session,
  sessionAsCallee,
  sessionAsCaller,
} from "./session-timer.ts";

const invite = (...headers: [string, string][]) =>
  requestTo("INVITE", { headers: headers.map(([name, value]): Header => ({ name, value })) });
const lines = (headers: Header[]) => headers.map(({ name, value }) => `${name}: ${value}`);

test("our offer names the interval and its least", () => {
  expect(lines(offerSession(SESSION_PREFERENCE))).toEqual(["Supported: timer", "Session-Expires: 1800", "Min-SE: 90"]);
  const running: Session = { seconds: 600, refresher: "we" };
  expect(lines(offerSession(SESSION_PREFERENCE, running))[1]).toBe("Session-Expires: 600;refresher=uac");
});

test("what the answer agrees to", () => {
  const answer = (value: string) => responseTo(invite(), 200, { headers: [{ name: "Session-Expires", value }] });
  expect(sessionAsCaller(answer("600;refresher=uac"))).toEqual({ seconds: 600, refresher: "we" });
  expect(sessionAsCaller(answer("600;refresher=uas"))).toEqual({ seconds: 600, refresher: "they" });
  expect(sessionAsCaller(answer("soon"))).toBeUndefined();
  expect(sessionAsCaller(responseTo(invite(), 200))).toBeUndefined();
});

test("a 422 says what to ask for next time", () => {
  const refusal = (status: number, value: string) =>
    responseTo(invite(), status, { headers: [{ name: "Min-SE", value }] });
  expect(preferenceAfterRefusal(refusal(422, "3600"), SESSION_PREFERENCE)).toEqual({
    seconds: 3_600,
    leastSeconds: 3_600,
  });
  expect(preferenceAfterRefusal(refusal(422, "120"), SESSION_PREFERENCE)).toEqual({
    seconds: 1_800,
    leastSeconds: 120,
  });
  expect(preferenceAfterRefusal(refusal(422, "60"), SESSION_PREFERENCE)).toBeUndefined();
  expect(preferenceAfterRefusal(refusal(486, "120"), SESSION_PREFERENCE)).toBeUndefined();
});

test("what we agree to when asked", () => {
  const asked = (...headers: [string, string][]) => sessionAsCallee(invite(...headers), SESSION_PREFERENCE);
  expect(asked(["Supported", "timer"], ["Session-Expires", "600"])).toMatchObject({
    session: { seconds: 600, refresher: "they" },
    headers: [
      { name: "Require", value: "timer" },
      { name: "Session-Expires", value: "600;refresher=uac" },
    ],
  });
  expect(asked(["Supported", "timer"], ["Session-Expires", "600;refresher=uas"])).toMatchObject({
    session: { seconds: 600, refresher: "we" },
  });
  expect(asked(["Supported", "timer"])).toMatchObject({ session: { seconds: 1_800 } });
  expect(asked(["Supported", "timer"], ["Session-Expires", "30"])).toMatchObject({
    refuse: 422,
    headers: [{ name: "Min-SE", value: "90" }],
  });
  expect(asked(["Session-Expires", "30"])).toEqual({ session: undefined, headers: [] });
  expect(asked()).toEqual({ session: undefined, headers: [] });
  expect(asked(["Session-Expires", "x"])).toMatchObject({ refuse: 400 });
});

function keeping(session: Session) {
  const clock = testClock();
  const acts: string[] = [];
  const kept = keepSession({
    clock,
    session,
    refresh: () => void acts.push("refresh"),
    expire: () => void acts.push("expire"),
  });
  return { clock, acts, ...kept };
}

test("the refresher refreshes at half time, and each success begins a new interval", () => {
  const call = keeping({ seconds: 90, refresher: "we" });
  for (let round = 0; round < 3; round++) {
    call.clock.pass(44_999);
    expect(call.acts).toHaveLength(round);
    call.clock.pass(1);
    expect(call.acts).toHaveLength(round + 1);
    call.renewed({ seconds: 90, refresher: "we" });
  }
  call.stop();
  expect(call.clock.waiting()).toBe(0);
});

test("without a sign of life the call is ended shortly before the interval is", () => {
  const short = keeping({ seconds: 90, refresher: "they" });
  short.clock.pass(59_999);
  expect(short.acts).toEqual([]);
  short.clock.pass(1);
  expect(short.acts).toEqual(["expire"]);
  const long = keeping({ seconds: 1_800, refresher: "we" });
  long.clock.pass(1_767_999);
  expect(long.acts).toEqual(["refresh"]);
  long.clock.pass(1);
  expect(long.acts).toEqual(["refresh", "expire"]);
  expect(long.clock.waiting()).toBe(0);
});

test("the part of refresher may change hands", () => {
  const call = keeping({ seconds: 90, refresher: "we" });
  call.renewed({ seconds: 90, refresher: "they" });
  call.clock.pass(59_999);
  expect(call.acts).toEqual([]);
  call.stop();
});

test.each([-3_600_000, 3_600_000])(
  "a clock that is set by %i ms neither ends a session nor lets it go on",
  (stepMs) => {
    const call = keeping({ seconds: 1_800, refresher: "we" });
    call.clock.pass(600_000);
    call.clock.setWall(call.clock.wall() + stepMs);
    call.clock.pass(299_999);
    expect(call.acts).toEqual([]);
    call.clock.pass(1);
    expect(call.acts).toEqual(["refresh"]);
    call.clock.pass(868_000);
    expect(call.acts).toEqual(["refresh", "expire"]);
  },
);
