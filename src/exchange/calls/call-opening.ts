// How a call begins: with somebody who calls, with somebody who is fetched, or where an earlier process has left it.

import type { CallFacts } from "./call-facts.ts";
import { beginAgain, beginByFetching, beginWithCaller } from "./call-machine.ts";
import type { ConversationParts } from "./conversation.ts";
import type { KeptCall } from "./kept-call.ts";
import type { Leg } from "./leg.ts";

export type CallOpening<Goal> = {
  facts: CallFacts;
  /** How long it may last from now on. */
  maxMs: number;
  conversation: ConversationParts;
  begin: { caller: Leg; goal: Goal } | { fetch: Goal; goal: Goal } | Resumption<Goal>;
};

/** Of an earlier process. */
export type Resumption<Goal> = { kept: KeptCall<Goal>; legs: Leg[] };

export function firstLegs<Goal>(begin: CallOpening<Goal>["begin"]): Leg[] {
  if ("kept" in begin) return begin.legs;
  return "caller" in begin ? [begin.caller] : [];
}

export function firstStep<Goal>(begin: CallOpening<Goal>["begin"]) {
  if ("kept" in begin) return beginAgain(begin.kept.state);
  return "caller" in begin ? beginWithCaller(begin.caller.id, begin.goal) : beginByFetching(begin.fetch, begin.goal);
}
