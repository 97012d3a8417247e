// A call as the next process needs it to go on with it: plain data, in the journal beside the call's facts.

import type { KeptState, LegId, State } from "./call-machine.ts";
import type { KeptConversation } from "./conversation.ts";
import type { KeptLeg } from "./kept-leg.ts";
import type { LegFacts } from "./party.ts";

/** Raised whenever what is kept means something else: what another version wrote is not gone on with. */
export const KEPT_VERSION = 1;

export type KeptParties = { callerSide: LegId | undefined; legs: KeptLeg[]; talked: LegId[]; gone: LegFacts[] };

export type KeptCall<Goal> = KeptParties & {
  version: number;
  /** Undefined: nobody is there to go on with. */
  state: KeptState<Goal> | undefined;
  conversation: KeptConversation;
};

export function keptState<Goal>(state: State<Goal>, goal: Goal | undefined): KeptState<Goal> | undefined {
  if (state.at === "talking") return state;
  if (goal === undefined || state.at === "fetching" || state.at === "over") return undefined;
  return { ...state, goal };
}

/** Those without whom there is nothing to go on with. */
export function legsIn(state: KeptState<unknown>): LegId[] {
  return state.at === "talking" ? [state.a, state.b] : [state.leg];
}

export function canGoOn({ state, legs }: Pick<KeptCall<unknown>, "state" | "legs">): boolean {
  // A page returns to whom it talked with, and to nothing else.
  const isKept = ({ media, isBrowser }: KeptLeg) => media !== undefined && (!isBrowser || state?.at === "talking");
  return state !== undefined && legsIn(state).every((id) => legs.some((leg) => leg.id === id && isKept(leg)));
}
