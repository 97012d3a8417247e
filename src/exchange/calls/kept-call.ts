// A call as the next process needs it to go on with it: plain data, in the journal beside the call's facts.

import type { KeptState, LegId, State } from "./call-machine.ts";
import type { KeptConversation } from "./conversation.ts";
import type { KeptLeg, KeptRinging } from "./kept-leg.ts";
import type { LegFacts } from "./party.ts";

/** Raised whenever what is kept means something else: what another version wrote is not gone on with. */
export const KEPT_VERSION = 2;

export type KeptParties = {
  callerSide: LegId | undefined;
  legs: KeptLeg[];
  /** Who has not been answered, and whoever rings for the call. */
  ringing: KeptRinging[];
  /** Who has picked up and was not yet brought to anybody. */
  strangers: KeptLeg[];
  talked: LegId[];
  /** Extensions that have talked in it, gone or not. */
  took?: string[];
  gone: LegFacts[];
};

export type KeptCall<Goal> = KeptParties & {
  version: number;
  /** Undefined: nobody is there to go on with. */
  state: KeptState<Goal> | undefined;
  conversation: KeptConversation;
};

/** `goal`: where somebody is being taken. */
export function keptState<Goal>(
  state: State<Goal>,
  goal: Goal | undefined,
  canResume: (goal: Goal) => boolean = () => true,
): KeptState<Goal> | undefined {
  if (state.at === "talking") return state;
  if (goal === undefined || state.at === "over" || !canResume(goal)) return undefined;
  if (state.at === "fetching" && !canResume(state.goal)) return undefined;
  return state.at === "fetching" ? { ...state, first: goal } : { ...state, goal };
}

/** Those without whom there is nothing to go on with. */
export function legsIn(state: KeptState<unknown>): LegId[] {
  if (state.at === "fetching") return [];
  return state.at === "talking" ? [state.a, state.b] : [state.leg];
}

export function canGoOn(kept: KeptCall<unknown> | undefined): boolean {
  if (!kept) return false;
  const { state, legs, ringing } = kept;
  // A page returns to whom it talked with, and to nothing else.
  const isKept = ({ media, isBrowser }: KeptLeg) => media !== undefined && (!isBrowser || state?.at === "talking");
  const isThere = (id: LegId) =>
    legs.some((leg) => leg.id === id && isKept(leg)) || ringing.some((leg) => leg.id === id && !leg.endsWithUs);
  return state !== undefined && legsIn(state).every(isThere);
}

/** Whom we ring for a call, and who calls us for it. */
export const isCalled = ({ direction }: KeptRinging): boolean => direction === "out";

/** Nobody is known who would have to be told anything. */
export const isNobody = ({ legs, ringing, strangers }: KeptParties): boolean =>
  legs.length + ringing.length + strangers.length === 0;
