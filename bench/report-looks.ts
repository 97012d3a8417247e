// What pages ask of the records: lists of calls, reports, boards, desks and searches.

import { callsWith, ownCalls } from "../src/store/agent-desk.ts";
import { agentTimes } from "../src/store/agent-times.ts";
import { listCdrs } from "../src/store/cdrs.ts";
import type { Db } from "../src/store/db.ts";
import { missedCallers } from "../src/store/missed-callers.ts";
import { notedFigures } from "../src/store/noted-figures.ts";
import { paidLegs, spentLines, spentSum } from "../src/store/paid-legs.ts";
import * as reports from "../src/store/reports.ts";
import { queuesOfLate } from "../src/store/reports-now.ts";
import { responseTimes } from "../src/store/response-times.ts";
import type { Scope, Within } from "../src/store/scope.ts";
import { searchEverywhere } from "../src/store/search.ts";

/** When the records end. */
export const END = Date.parse("2026-10-31T21:00:00Z");
export const YEAR = 365;
const timeZone = "Europe/Istanbul";

const last = (exchangeId: number, days: number, within?: Within) => ({
  exchangeId,
  from: new Date(END - days * 86_400_000),
  before: new Date(END),
  timeZone,
  ...(within ? { within } : {}),
});
/** As pages ask for calls: without those who listened. */
const asked = (id: number, days: number) => {
  const { from, before } = last(id, days);
  return { from, before, listening: false };
};
const inbound = (id: number, days: number) => ({ ...asked(id, days), direction: "inbound" as const });
const page = { page: 1, limit: 50 };

/** A supervisor of one queue and eight of fifty agents. */
const eight = Array.from({ length: 8 }, (_, n) => String(1_000 + n));
const supervised: Within = { extensions: eight, queues: ["200"], calledAt: ["200"] };
/** One of fifty agents. */
const own: Within = { extensions: ["1004"], queues: ["200"], calledAt: [] };
const searchFor = (db: Db, id: number, scope: Scope) =>
  searchEverywhere(db, id, {
    about: "0777",
    most: 8,
    language: "tr",
    may: { setup: true, queues: true, people: true, calls: true, scope },
  });

type Look = (db: Db, id: number, days: number) => Promise<unknown>;

const list =
  (narrowed: (id: number, days: number) => object): Look =>
  (db, id, days) =>
    listCdrs(db, id, { ...asked(id, days), ...narrowed(id, days) }, page);

const sought = (about: string) =>
  list((id, days) => ({ about: [about, last(id, days).from, last(id, days).before] as [string, Date, Date] }));

/** Each over the last week, as pages open, and over the year. */
export const overTime: Record<string, Look> = {
  calls: list(() => ({})),
  "calls-missed": list((id, days) => ({ ...inbound(id, days), missed: true })),
  "calls-of-a-queue": list(() => ({ queues: ["200"] })),
  "calls-of-an-agent": list(() => ({ answeredBy: "1004" })),
  "calls-of-an-hour": list(() => ({ weekday: 2, hour: 10 })),
  "calls-supervised": list(() => ({ within: supervised })),
  "calls-of-ones-own": list(() => ({ within: own })),
  "calls-by-a-rare-number": sought("5320000777"),
  "calls-by-a-common-part": sought("0532"),
  "calls-with-a-tag": list(() => ({ tag: "complaint" })),
  "calls-with-a-tag-of-a-queue": list(() => ({ tag: "complaint", queues: ["200"] })),
  "calls-with-a-tag-supervised": list(() => ({ tag: "complaint", within: supervised })),
  "calls-with-a-word": list(() => ({ note: "friday" })),
  summary: (db, id, days) => reports.directionCounts(db, last(id, days)),
  "summary-supervised": (db, id, days) => reports.directionCounts(db, last(id, days, supervised)),
  "hours-supervised": (db, id, days) => reports.callsByHour(db, last(id, days, supervised)),
  "numbers-supervised": (db, id, days) => reports.numberFigures(db, last(id, days, supervised)),
  "tags-supervised": (db, id, days) => notedFigures(db, last(id, days, supervised), "tag"),
  hours: (db, id, days) => reports.callsByHour(db, last(id, days)),
  days: (db, id, days) => reports.callsByDay(db, last(id, days)),
  queues: (db, id, days) => reports.queueFigures(db, last(id, days)),
  agents: (db, id, days) => reports.agentCalls(db, last(id, days)),
  "agents-times": (db, id, days) => agentTimes(db, last(id, days), END),
  "agents-times-supervised": (db, id, days) => agentTimes(db, last(id, days, supervised), END),
  numbers: (db, id, days) => reports.numberFigures(db, last(id, days)),
  extensions: (db, id, days) => reports.extensionFigures(db, last(id, days)),
  tags: (db, id, days) => notedFigures(db, last(id, days), "tag"),
  dispositions: (db, id, days) => notedFigures(db, last(id, days), "disposition"),
  "spent-by-extension": (db, id, days) =>
    Promise.all([spentLines(db, last(id, days), "extension"), spentSum(db, last(id, days))]),
  "spent-by-day": (db, id, days) => spentLines(db, last(id, days), "day"),
  "spent-on": (db, id, days) => paidLegs(db, last(id, days), page),
  "spent-on-by-an-extension": (db, id, days) =>
    paidLegs(db, last(id, days), { ...page, line: { by: "extension", which: "1004" } }),
  "spent-on-faxes": (db, id, days) => paidLegs(db, last(id, days), { ...page, line: { by: "kind", which: "fax" } }),
  "response-times": (db, id, days) =>
    responseTimes(db, { exchangeId: id, timeZone, filter: inbound(id, days), promisedSeconds: 20 }),
  "response-times-supervised": (db, id, days) =>
    responseTimes(db, {
      exchangeId: id,
      timeZone,
      filter: { ...inbound(id, days), within: supervised },
      promisedSeconds: 20,
    }),
};

/** As boards and desks ask, whose time is now. */
export const now: Record<string, (db: Db, id: number) => Promise<unknown>> = {
  "queues-of-late": (db, id) => queuesOfLate(db, { exchangeId: id, timeZone, over: "half-hour", nowMs: END }),
  "missed-callers": (db, id) => missedCallers(db, { exchangeId: id, queues: ["200"], now: new Date(END) }),
  "own-calls": (db, id) => ownCalls(db, { exchangeId: id, extension: "1004", now: new Date(END) }),
  "calls-with-somebody": (db, id) => callsWith(db, { exchangeId: id, peer: "90533007", except: crypto.randomUUID() }),
  "search-everywhere": (db, id) => searchFor(db, id, "everything"),
  "search-supervised": (db, id) => searchFor(db, id, supervised),
};
