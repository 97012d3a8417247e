// What becomes of a fax order when a call for it is over: sent, tried again after a while, or given up.

import { type FaxResult, faxFailures } from "../../../media/fax/fax-engine.ts";
import type { FaxOrderOutcome } from "../../../store/fax-orders.ts";
import type { HangupCause } from "../../calls/causes.ts";

/** How a call for an order ended: with a fax, good or bad, or before there was one. */
export type FaxCallEnd = { result: FaxResult } | { cause: HangupCause };

export type CallOfOrder = {
  /** Calls in a row before this one that brought no page over. */
  failures: number;
  /** Of the whole document, after this call. */
  confirmed: number;
  pages: number;
  /** Pages that this call brought over. */
  brought: number;
  end: FaxCallEnd;
  /** The exchange is stopping, which says nothing about the line. */
  isOurStop: boolean;
};

/** Nobody, or nothing that is a fax machine: calling once more finds out, calling on and on disturbs somebody. */
const MOST_CALLS_TO_NO_FAX = 2;

// T.30's numbers as libspandsp counts them.
const noFaxThere = new Set<number>([2, 3, 19]);
/** The two machines, or the pages and the machine, do not fit: they never will. */
const neverFits = new Set<number>([8, 9, 10, 11, 12, 40, 41, 42, 43, 44, 45, 46]);

/** Calling again changes nothing. Everything else is the line, the network, or somebody who was out. */
const hopeless = new Set<HangupCause>([
  "UNALLOCATED_NUMBER",
  "NO_ROUTE_DESTINATION",
  "INVALID_NUMBER_FORMAT",
  "INCOMING_CALL_BARRED",
  "CALL_REJECTED",
  "FACILITY_REJECTED",
  "FACILITY_NOT_IMPLEMENTED",
  "INCOMPATIBLE_DESTINATION",
  "BEARERCAPABILITY_NOTIMPL",
]);

/** `spacingMs`: how long to wait after the first call in vain, after the second …; after the last the order has failed. */
export function afterCall(call: CallOfOrder, spacingMs: readonly number[], nowMs: number): FaxOrderOutcome {
  const result = wordsFor(call.end);
  if (call.confirmed >= call.pages) return { is: "sent" };
  if (isHopeless(call.end)) return { is: "failed", result };
  if (call.isOurStop) return { is: "again", atMs: nowMs, failures: call.failures, result };
  const failures = call.brought > 0 ? 0 : call.failures + 1;
  // After progress the next call follows as soon as after a first failure.
  const wait = spacingMs[Math.max(0, failures - 1)];
  if (wait === undefined || failures >= mostCalls(call.end)) return { is: "failed", result };
  return { is: "again", atMs: nowMs + wait, failures, result };
}

function wordsFor(end: FaxCallEnd): string {
  return "cause" in end ? end.cause : `${end.result.text} (${end.result.code})`;
}

function isHopeless(end: FaxCallEnd): boolean {
  return "cause" in end ? hopeless.has(end.cause) : neverFits.has(end.result.code);
}

function mostCalls(end: FaxCallEnd): number {
  if ("cause" in end) return Number.POSITIVE_INFINITY;
  const { code } = end.result;
  return noFaxThere.has(code) || code === faxFailures.noCall ? MOST_CALLS_TO_NO_FAX : Number.POSITIVE_INFINITY;
}
