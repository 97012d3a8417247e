import { expect, test } from "vitest";
import type { CallMade, Deed, Found, FoundCall } from "./history.ts";
import { brokenPromises } from "./promises.ts";

const span = { fromMs: 0, toMs: 1 };

/** After a quiet day on which nothing was done. */
const quiet: Found = {
  contacts: [],
  messages: [],
  carrier: {},
  blacklist: [],
  consents: [],
  credit: { left: 0, reserved: 0, bought: [] },
  spending: { amount: 0, legs: 0, minutePrice: 0.25 },
  calls: [],
  events: [],
  up: [],
  owed: [],
};

const after = (deeds: Deed[], found: Partial<Found>) => brokenPromises(deeds, { ...quiet, ...found });

const contact = (outcome: "done" | "refused" | "unknown", id?: number): Deed => ({
  ...{ is: "contact", surname: "One", outcome, ...span },
  ...(id === undefined ? {} : { id }),
});

const made: CallMade = {
  ...{ is: "call", caller: "2000", callee: "3000", outcome: "done", ...span },
  ...{ talkedMs: 3_000, heard: true, fair: true, unrecorded: false, aloneMs: 0 },
};

const record: FoundCall = {
  ...{ uuid: "u", caller: "2000", callee: "3000", answered: true, talkSeconds: 3, recordedMs: 2_900 },
  ...{ outsideLegs: 0, cause: "NORMAL_CLEARING" },
};

const told = (...names: string[]) => names.map((event) => ({ uuid: "u", event }));
const inOrder = told("ringing", "answer", "hangup");

test("what was acknowledged is there once, and what may or may not be is there once at most", () => {
  const row = { id: 7, surname: "One" };
  expect(after([contact("done", 7)], { contacts: [row] })).toEqual([]);
  expect(after([contact("done", 7)], {})).toMatchObject([{ broken: "lost", what: "contact", times: 0 }]);
  expect(after([contact("done", 8)], { contacts: [row] })).toMatchObject([{ broken: "lost" }]);
  for (const contacts of [[], [row]]) expect(after([contact("unknown")], { contacts })).toEqual([]);
  expect(after([contact("unknown")], { contacts: [row, row] })).toMatchObject([{ broken: "twice", times: 2 }]);
  expect(after([contact("refused")], { contacts: [row] })).toMatchObject([{ broken: "twice" }]);
  expect(after([], { contacts: [row] })).toMatchObject([{ broken: "unheard-of", mark: "One" }]);
});

test("a message reaches its carrier once, or twice with a record that says why, and never who does not want it", () => {
  const message = (wished: boolean | undefined): Deed => ({
    ...{ is: "message", dest: "90", text: "hi", outcome: "done", wished, ...span },
  });
  const row = { dest: "90", text: "hi", state: "DELIVERED", isOver: true, unanswered: 0, credits: 1 };
  const paid = { credit: { left: 4, reserved: 0, bought: [5] } };
  const found = (times: number, more: Partial<typeof row> = {}) => ({
    ...{ messages: [{ ...row, ...more }], carrier: { "90 hi": times }, ...paid },
  });
  expect(after([message(true)], found(1))).toEqual([]);
  expect(after([message(true)], found(0))).toMatchObject([{ broken: "lost", what: "message" }]);
  expect(after([message(true)], found(2))).toMatchObject([{ broken: "twice", times: 2 }]);
  expect(after([message(true)], found(2, { unanswered: 1 }))).toEqual([]);
  expect(after([message(undefined)], found(0))).toEqual([]);
  expect(after([message(false)], found(1))).toMatchObject([{ broken: "unwished" }]);
  expect(after([message(true)], found(1, { isOver: false }))).toMatchObject([{ broken: "unsettled" }]);
  expect(after([message(true)], { ...found(1), messages: [], credit: quiet.credit })).toMatchObject([
    { broken: "lost" },
    { broken: "unheard-of" },
  ]);
});

test("the last word of each holds, and a word that may not have been heard may hold as well", () => {
  const consent = (status: "ONAY" | "RET", outcome: "done" | "refused" | "unknown" = "done"): Deed => ({
    ...{ is: "consent", recipient: "90", status, outcome, ...span },
  });
  const ledger = (status: string) => ({ consents: [{ recipient: "90", status }] });
  expect(after([consent("ONAY"), consent("RET")], ledger("RET"))).toEqual([]);
  expect(after([consent("ONAY"), consent("RET")], ledger("ONAY"))).toMatchObject([{ broken: "forgotten" }]);
  for (const status of ["ONAY", "RET"])
    expect(after([consent("ONAY"), consent("RET", "unknown")], ledger(status))).toEqual([]);
  expect(after([consent("ONAY"), consent("RET", "refused")], ledger("RET"))).toMatchObject([{ broken: "forgotten" }]);
  expect(after([consent("ONAY")], {})).toMatchObject([{ broken: "forgotten", found: "nothing" }]);
  expect(after([consent("RET")], {})).toEqual([]); // the registry wants a consent first
  expect(after([consent("RET")], ledger("RET"))).toMatchObject([{ broken: "forgotten", told: "nothing" }]);
  expect(after([consent("ONAY", "unknown"), consent("RET")], {})).toEqual([]);
  expect(after([consent("RET"), consent("ONAY")], {})).toMatchObject([{ broken: "forgotten", told: "ONAY" }]);
  const list = (listed: boolean): Deed => ({ is: "blacklist", phone: "90", listed, outcome: "done", ...span });
  expect(after([list(false), list(true)], { blacklist: ["90"] })).toEqual([]);
  expect(after([list(true)], {})).toMatchObject([{ broken: "forgotten", what: "blacklist" }]);
});

test("money adds up, to the last credit and the last minute", () => {
  const bought: Deed = { is: "credit", credits: 1_001, outcome: "done", ...span };
  expect(after([bought], { credit: { left: 1_001, reserved: 0, bought: [1_001] } })).toEqual([]);
  const twice = { left: 2_002, reserved: 0, bought: [1_001, 1_001] };
  expect(after([bought], { credit: twice })).toMatchObject([{ broken: "money", found: "2 times" }]);
  expect(after([], { credit: { left: 3, reserved: 2, bought: [5] } })).toMatchObject([{ broken: "money", found: "2" }]);
  expect(after([], { credit: { left: -1, reserved: 0, bought: [] } })).toHaveLength(2);
  const outside = { ...record, callee: "05000000001", outsideLegs: 1 };
  const calls = { calls: [outside], events: told("answer", "hangup") };
  expect(after([], { ...calls, spending: { amount: 0.25, legs: 0.25, minutePrice: 0.25 } })).toEqual([]);
  for (const amount of [0, 0.5])
    for (const spent of [
      { amount, legs: 0.25 },
      { amount: 0.25, legs: amount },
    ])
      expect(after([], { ...calls, spending: { ...spent, minutePrice: 0.25 } })).toMatchObject([{ broken: "money" }]);
});

test("each call has one record, its events in order and its recording, and everybody heard", () => {
  const good = { calls: [record], events: inOrder };
  expect(after([made], good)).toEqual([]);
  expect(after([made], {})).toMatchObject([{ broken: "calls", answered: [1, 1], found: 0 }, { broken: "unrecorded" }]);
  expect(after([{ ...made, outcome: "unknown" }], {})).toEqual([]);
  expect(after([{ ...made, outcome: "refused" }], good)).toMatchObject([{ broken: "calls", answered: [0, 0] }]);
  const double = { calls: [record, { ...record, uuid: "v", answered: false }] };
  expect(after([made], { ...double, events: [...inOrder, { uuid: "v", event: "hangup" }] })).toMatchObject([
    { broken: "twice", what: "record", times: 2 },
  ]);
  const silent = { ...good, calls: [{ ...record, recordedMs: 0 }] };
  expect(after([made], silent)).toMatchObject([{ broken: "unrecorded", calls: 1, recorded: 0 }]);
  expect(after([{ ...made, unrecorded: true }], silent)).toEqual([]);
  expect(after([{ ...made, heard: false }], good)).toMatchObject([{ broken: "deaf" }]);
  expect(after([{ ...made, heard: false, fair: false }], good)).toEqual([]);
  expect(after([{ ...made, aloneMs: 31_000 }], good)).toMatchObject([{ broken: "left-alone", forMs: 31_000 }]);
  const order: Deed = { is: "order", outcome: "done", uuid: "w", ...span };
  expect(after([order], {})).toMatchObject([{ broken: "lost", what: "order" }]);
});

test.each([
  ["a lost event", told("ringing", "hangup")],
  ["one that came twice", told("ringing", "answer", "answer", "hangup")],
  ["the wrong order", told("answer", "ringing", "hangup")],
  ["none at all", []],
])("%s of a call is noticed", (_, events) => {
  expect(after([made], { calls: [record], events })).toMatchObject([{ broken: "events", uuid: "u" }]);
});

test("a call that is up for ever, an event of none, and what is still owed are noticed", () => {
  expect(after([], { up: ["u"], owed: ["1 jobs"], events: told("hangup") })).toMatchObject([
    { broken: "unheard-of", what: "record", mark: "u" },
    { broken: "still-up", mark: "u" },
    { broken: "still-owed", mark: "1 jobs" },
  ]);
});

test("a call that somebody ordered rings at both, also when he never got an answer to his order", () => {
  const both = { calls: [record], events: told("ringing", "ringing", "answer", "hangup") };
  expect(after([{ is: "order", outcome: "unknown", ...span }], both)).toEqual([]);
  expect(after([made], both)).toMatchObject([{ broken: "events" }]);
});
