import { expect, test } from "vitest";
import { type Hangup, printEvent, printStamp } from "./events.ts";

const call = {
  exchangeId: 101,
  direction: "inbound",
  callerIdNumber: "02123205062",
  outboundCallerIdNumber: "",
  destinationNumber: "1001",
  dialedUser: "1001",
  callUuid: "1234",
  startMs: Date.UTC(2015, 11, 31, 21),
} as const;

const told = (body: string) => decodeURIComponent(body.replaceAll("+", " "));

test("ringing is told as documented, with only what is known", () => {
  expect(told(printEvent({ ...call, is: "ringing" }, "Europe/Istanbul"))).toBe(
    "event_type=ringing&domain_id=101&direction=inbound&caller_id_number=02123205062&outbound_caller_id_number=" +
      "&destination_number=1001&dialed_user=1001&call_uuid=1234&start_stamp=2015-12-31 23:00:00",
  );
});

test("answer adds who answered and when", () => {
  const answer = { ...call, is: "answer", connectedUser: "1002", answerMs: call.startMs + 5_000 } as const;
  expect(told(printEvent(answer, "UTC"))).toBe(
    "event_type=answer&domain_id=101&direction=inbound&caller_id_number=02123205062&outbound_caller_id_number=" +
      "&destination_number=1001&dialed_user=1001&connected_user=1002&call_uuid=1234" +
      "&start_stamp=2015-12-31 21:00:00&answer_stamp=2015-12-31 21:00:05",
  );
  expect(told(printEvent({ ...answer, queue: "200", queueWaitSeconds: 4 }, "UTC"))).toMatch(
    /&queue=200&queue_wait_duration=4$/,
  );
});

const hangup: Hangup = {
  ...call,
  is: "hangup",
  connectedUser: "1001",
  answerMs: call.startMs + 5_000,
  endMs: call.startMs + 65_000,
  talkSeconds: 60,
  recordingPresent: true,
  answered: true,
  queue: "200",
  queueWaitSeconds: 3,
  hangupDisposition: "callee",
  hangupCause: "NORMAL_CLEARING",
};

test("hangup tells everything, in the documented order", () => {
  const fields = new URLSearchParams(printEvent(hangup, "UTC"));
  expect([...fields]).toEqual([
    ["event_type", "hangup"],
    ["domain_id", "101"],
    ["direction", "inbound"],
    ["caller_id_number", "02123205062"],
    ["outbound_caller_id_number", ""],
    ["destination_number", "1001"],
    ["dialed_user", "1001"],
    ["connected_user", "1001"],
    ["call_uuid", "1234"],
    ["start_stamp", "2015-12-31 21:00:00"],
    ["answer_stamp", "2015-12-31 21:00:05"],
    ["end_stamp", "2015-12-31 21:01:05"],
    ["duration", "60"],
    ["recording_present", "true"],
    ["answered", "true"],
    ["queue", "200"],
    ["queue_wait_duration", "3"],
    ["sip_hangup_disposition", "callee"],
    ["hangup_cause", "NORMAL_CLEARING"],
  ]);
});

test("a missed call has a duration of nothing and says why it failed", () => {
  const { connectedUser, answerMs, queue, queueWaitSeconds, ...unanswered } = hangup;
  const failure = { status: 486, phrase: "Busy Here" };
  const missed = { ...unanswered, talkSeconds: 0, answered: false, hangupCause: "USER_BUSY", failure };
  const fields = Object.fromEntries(new URLSearchParams(printEvent(missed, "UTC")));
  expect(fields).toMatchObject({
    duration: "0",
    answered: "false",
    failure_status: "486",
    failure_phrase: "Busy Here",
  });
  for (const name of ["connected_user", "answer_stamp", "queue", "queue_wait_duration"])
    expect(fields).not.toHaveProperty(name);
});

test("a stamp shows the exchange's own clock, in summer too", () => {
  expect(printStamp(Date.UTC(2026, 6, 1, 22, 30, 5), "Europe/Istanbul")).toBe("2026-07-02 01:30:05");
  expect(printStamp(Date.UTC(2026, 6, 1, 22, 30, 5), "Europe/Berlin")).toBe("2026-07-02 00:30:05");
  expect(printStamp(Date.UTC(2026, 0, 1, 0, 0, 0), "America/New_York")).toBe("2025-12-31 19:00:00");
});
