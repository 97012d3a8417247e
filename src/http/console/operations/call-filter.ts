// Which calls somebody wants to see: the filters of the list of calls, for the page and for the table to download.

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { spellingsOf } from "../../../exchange/plan/spellings.ts";
import { BECAME } from "../../../nouns/became.ts";
import { OUTCOMES, type Outcome, outcomesOf, RESULTS } from "../../../nouns/outcome.ts";
import type { CdrFilter } from "../../../store/cdr-filter.ts";
import { queuesCalled } from "../../../store/cdrs.ts";
import type { Db } from "../../../store/db.ts";
import { type Scope, withinOf } from "../../../store/scope.ts";
import { moment, text, whole } from "./fields.ts";

const seconds = () => whole(0, 1_000_000);

export const callSearch = {
  from: Type.Optional(moment()),
  before: Type.Optional(moment()),
  direction: Type.Optional(Type.Enum(["inbound", "outbound", "internal"])),
  result: Type.Optional(Type.Enum([...RESULTS])),
  /** The same, for who asked before there were results. */
  missed: Type.Optional(Type.Boolean()),
  taken: Type.Optional(Type.Boolean()),
  recording: Type.Optional(Type.Enum(["present", "none", "deleted"])),
  about: Type.Optional(text(64)),
  caller: Type.Optional(text(64)),
  destination: Type.Optional(text(64)),
  queue: Type.Optional(text()),
  /** At that queue, or at any. */
  became: Type.Optional(Type.Enum([...BECAME])),
  waitedOver: Type.Optional(seconds()),
  waitedUpTo: Type.Optional(seconds()),
  hour: Type.Optional(whole(0, 23)),
  weekday: Type.Optional(whole(1, 7)),
  queueWaitedOver: Type.Optional(seconds()),
  queueWaitedUpTo: Type.Optional(seconds()),
  talked: Type.Optional(Type.Boolean()),
  queued: Type.Optional(Type.Boolean()),
  madeBy: Type.Optional(text(8)),
  takenBy: Type.Optional(text(8)),
  unansweredBy: Type.Optional(text(8)),
  talkedBy: Type.Optional(text(8)),
  offeredTo: Type.Optional(text(8)),
  answeredBy: Type.Optional(text(8)),
  letPassBy: Type.Optional(text(8)),
  surveyOf: Type.Optional(text(8)),
  campaign: Type.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
  extension: Type.Optional(text(8)),
  ownNumber: Type.Optional(text(64)),
  disposition: Type.Optional(text()),
  tag: Type.Optional(text(50)),
  note: Type.Optional(text(64)),
};

const readers: { [Name in keyof typeof callSearch]?: (sent: string) => unknown } = {
  missed: (sent) => sent === "true",
  taken: (sent) => sent === "true",
  queued: (sent) => sent === "true",
  talked: (sent) => sent === "true",
  waitedOver: Number,
  waitedUpTo: Number,
  hour: Number,
  weekday: Number,
  queueWaitedOver: Number,
  queueWaitedUpTo: Number,
  campaign: Number,
};

const CallSearch = Type.Object(callSearch);
export type CallSearch = Static<typeof CallSearch>;

export async function callFilterOf(
  wanted: CallSearch,
  { db, exchangeId, scope }: { db: Db; exchangeId: number; scope: Scope },
): Promise<CdrFilter> {
  const { from, before, about, recording, caller, destination, queue, extension, ownNumber, ...others } = wanted;
  const { result: _, missed: __, taken: ___, ...same } = others;
  return {
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
    ...same,
    outcomes: wantedOutcomes(wanted),
    disposition: wanted.disposition || undefined,
    tag: wanted.tag?.trim() || undefined,
    note: wanted.note?.trim() || undefined,
    about: about?.trim() ? [about.trim(), from ? new Date(from) : null, before ? new Date(before) : null] : undefined,
    listening: false, // no call of its own to whoever reads lists
    recording: recording && [recording],
    callerNumbers: caller ? spellingsOf(caller) : undefined,
    destinationNumbers: destination ? spellingsOf(destination) : undefined,
    queues: queue ? await queuesCalled(db, exchangeId, queue) : queuesMeant(wanted, scope),
    extension: extension || undefined,
    ownNumbers: ownNumber ? spellingsOf(ownNumber) : undefined,
    within: withinOf(scope),
  };
}

/** Whoever does not see all queues asks for calls of his: those that his figures are summed from. */
function queuesMeant({ queued, became }: CallSearch, scope: Scope): string[] | undefined {
  return (queued || became) && scope !== "everything" ? [...scope.queues] : undefined;
}

function wantedOutcomes({ result, missed, taken }: CallSearch): Outcome[] | undefined {
  if (result === undefined && missed === undefined && taken === undefined) return undefined;
  const asked = result === undefined ? OUTCOMES : outcomesOf(result);
  const fits = (outcome: Outcome, which: Outcome, wanted: boolean | undefined) =>
    wanted === undefined || (outcome === which) === wanted;
  return OUTCOMES.filter(
    (outcome) => asked.includes(outcome) && fits(outcome, "missed", missed) && fits(outcome, "answered", taken),
  );
}

/** The same out of a query string. */
export function readCallSearch(query: URLSearchParams): CallSearch | undefined {
  const given = [...query].filter(([, value]) => value !== "");
  const sent = Object.fromEntries(given.map(([name, value]) => [name, readerOf(name)(value)]));
  return Check(CallSearch, sent) ? (sent as CallSearch) : undefined;
}

function readerOf(name: string): (sent: string) => unknown {
  return (Object.hasOwn(readers, name) && readers[name as keyof typeof readers]) || String;
}
