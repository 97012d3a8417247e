// The life of one call as a table: who is on the line, who is led where, and what the other side does about it.
// A leg is one party on the phone; `goal` is where a party is being taken, opaque here.

import type { Step, Table } from "../../machine.ts";
import type { Moved } from "../../sip/headers/moved.ts";
import type { EndedBy } from "../../store/cdrs.ts";
import type { HangupCause as Cause } from "./causes.ts";

export type LegId = string;

export type Ending = {
  cause: Cause;
  /** What the network said, when the call failed there. */
  sip?: { status: number; phrase: string };
  /** Where the called side wants the call taken instead, the best place first. */
  moved?: readonly Moved[];
  /** Why it could not even be asked, in the system's own code. */
  why?: string;
  /** It said that it tries, and then no more. */
  stalled?: true;
  /** Not the party's own doing: we gave it up. */
  lost?: true;
  /** Who had the call ended. */
  who?: Orderer;
};

/** Whoever can have a call ended without being in it. */
export type Orderer = Exclude<EndedBy, "caller" | "callee">;

export type State<Goal> =
  /** The first party is being rung on our own initiative; nobody is on the line yet. */
  | { at: "fetching"; goal: Goal }
  /** One party is on the line and is being taken to its goal: rung through, or led by a voice. */
  | { at: "led"; leg: LegId }
  /** `afterwards`: where the first party is taken when the second hangs up; without it the call is over then. */
  | { at: "talking"; a: LegId; b: LegId; afterwards?: Goal }
  /** Sent on by `by`, who stays reachable until the new party answers, and gets the call back if nobody does. */
  | { at: "transferring"; leg: LegId; by: LegId | undefined }
  | { at: "over" };

/** As a later process finds it: where somebody is taken is known only of those whom a script leads. */
export type KeptState<Goal> =
  | { at: "fetching"; first: Goal; goal: Goal }
  | Extract<State<Goal>, { at: "talking" }>
  | (Extract<State<Goal>, { at: "led" | "transferring" }> & { goal: Goal });

export type Input<Goal> =
  | { is: "connected"; leg: LegId; afterwards?: Goal }
  | { is: "failed"; ending: Ending }
  | { is: "ended"; leg: LegId; ending: Ending }
  /** A voice of ours has taken the party: whoever sent it on can go. */
  | { is: "taken" }
  | { is: "hangUp"; cause: Cause; who?: Orderer }
  | { is: "transfer"; keep: LegId; drop: LegId; goal: Goal; stays: boolean }
  | { is: "takeOver"; from: LegId; by: LegId }
  | { is: "timeUp" };

export type Effect<Goal> =
  | { do: "lead"; leg: LegId | undefined; goal: Goal }
  | { do: "stopLeading"; cause: Cause }
  | { do: "join"; a: LegId; b: LegId }
  /** They talked before. */
  | { do: "rejoin"; a: LegId; b: LegId }
  | { do: "part"; leg: LegId }
  | { do: "end"; leg: LegId; cause: Cause }
  | { do: "tellTransferor"; leg: LegId; ending: Ending | undefined }
  | { do: "close"; ending: Ending; by: LegId | undefined };

type Move = Step<State<unknown>, Effect<unknown>>;
type In<At extends State<unknown>["at"]> = State<unknown> & { at: At };
type Of<Is extends Input<unknown>["is"]> = Input<unknown> & { is: Is };

const rows: Table<State<unknown>, Input<unknown>, Effect<unknown>> = {
  fetching: { connected: leadFetched, failed: giveUp, hangUp: giveUpAsked, timeUp: giveUpLate },
  led: {
    connected: talk,
    failed: turnAway,
    ended: leftWhileLed,
    taken: "ignored",
    hangUp: endLed,
    transfer: leadOn,
    timeUp: endLedLate,
  },
  talking: { ended: oneHungUp, hangUp: endBoth, transfer: sendOn, takeOver: replace, timeUp: endBothLate },
  transferring: {
    connected: arrive,
    taken: handOver,
    failed: comeBack,
    ended: leftInTransfer,
    hangUp: endTransfer,
    transfer: sendElsewhere,
    timeUp: endTransferLate,
  },
  // Whoever is hung up says so, and somebody may hang up what is over.
  over: { ended: "ignored", hangUp: "ignored" },
};

/** The rows never look into a goal, so one table serves every kind. */
export function callTable<Goal>(): Table<State<Goal>, Input<Goal>, Effect<Goal>> {
  return rows as Table<State<Goal>, Input<Goal>, Effect<Goal>>;
}

/** Somebody called us: take him where he wants to go. */
export function beginWithCaller<Goal>(leg: LegId, goal: Goal): Step<State<Goal>, Effect<Goal>> {
  return { next: { at: "led", leg }, effects: [{ do: "lead", leg, goal }] };
}

/** We call: first one party, then on to its goal. */
export function beginByFetching<Goal>(first: Goal, goal: Goal): Step<State<Goal>, Effect<Goal>> {
  return { next: { at: "fetching", goal }, effects: [{ do: "lead", leg: undefined, goal: first }] };
}

/** An earlier process has brought it so far. */
export function beginAgain<Goal>(kept: KeptState<Goal> | undefined): Step<State<Goal>, Effect<Goal>> {
  if (!kept) return { next: { at: "over" }, effects: [] };
  if (kept.at === "talking") return { next: kept, effects: [{ do: "rejoin", a: kept.a, b: kept.b }] };
  if (kept.at === "fetching") return beginByFetching(kept.first, kept.goal);
  const { goal, ...next } = kept;
  return { next, effects: [{ do: "lead", leg: next.leg, goal }] };
}

function leadFetched({ goal }: In<"fetching">, { leg }: Of<"connected">): Move {
  return { next: { at: "led", leg }, effects: [{ do: "lead", leg, goal }] };
}

function giveUp(_: In<"fetching">, { ending }: Of<"failed">): Move {
  return over([], ending, undefined);
}

function giveUpAsked(_: In<"fetching">, { is: _is, ...ending }: Of<"hangUp">): Move {
  return over([{ do: "stopLeading", cause: ending.cause }], ending, undefined);
}

function giveUpLate(state: In<"fetching">): Move {
  return giveUpAsked(state, { is: "hangUp", cause: "ALLOTTED_TIMEOUT" });
}

function talk({ leg }: In<"led">, { leg: other, ...plan }: Of<"connected">): Move {
  return { next: talkingOf(leg, other, plan), effects: [{ do: "join", a: leg, b: other }] };
}

function talkingOf(a: LegId, b: LegId, { afterwards }: { afterwards?: unknown }): In<"talking"> {
  return { at: "talking", a, b, ...(afterwards === undefined ? {} : { afterwards }) };
}

function turnAway({ leg }: In<"led">, { ending }: Of<"failed">): Move {
  return over([{ do: "end", leg, cause: ending.cause }], ending, undefined);
}

function leftWhileLed(state: In<"led">, { leg, ending }: Of<"ended">): Move {
  if (leg !== state.leg) return stay(state);
  return over([{ do: "stopLeading", cause: ending.cause }], ending, leg);
}

function endLed({ leg }: In<"led">, { is: _, ...ending }: Of<"hangUp">): Move {
  const effects: Effect<unknown>[] = [{ do: "stopLeading", cause: ending.cause }, endOf(leg, ending.cause)];
  return over(effects, ending, undefined);
}

function endLedLate(state: In<"led">): Move {
  return endLed(state, { is: "hangUp", cause: "ALLOTTED_TIMEOUT" });
}

function leadOn(state: In<"led">, { keep, goal }: Of<"transfer">): Move {
  if (keep !== state.leg) return stay(state);
  return {
    next: state,
    effects: [
      { do: "stopLeading", cause: "NORMAL_CLEARING" },
      { do: "lead", leg: keep, goal },
    ],
  };
}

function oneHungUp(state: In<"talking">, { leg, ending }: Of<"ended">): Move {
  if (leg !== state.a && leg !== state.b) return stay(state);
  const other = leg === state.a ? state.b : state.a;
  if (leg === state.b && state.afterwards !== undefined) return leadOnAlone(other, state.afterwards);
  return over([{ do: "end", leg: other, cause: ending.cause }], ending, leg);
}

function leadOnAlone(leg: LegId, goal: unknown): Move {
  const effects: Effect<unknown>[] = [
    { do: "part", leg },
    { do: "lead", leg, goal },
  ];
  return { next: { at: "led", leg }, effects };
}

function endBoth({ a, b }: In<"talking">, { is: _, ...ending }: Of<"hangUp">): Move {
  return over([endOf(a, ending.cause), endOf(b, ending.cause)], ending, undefined);
}

function endBothLate(state: In<"talking">): Move {
  return endBoth(state, { is: "hangUp", cause: "ALLOTTED_TIMEOUT" });
}

function sendOn(state: In<"talking">, { keep, drop, goal, stays }: Of<"transfer">): Move {
  const both = [state.a, state.b];
  if (!both.includes(keep) || !both.includes(drop) || keep === drop) return stay(state);
  const letGo: Effect<unknown> = stays ? { do: "part", leg: drop } : { do: "end", leg: drop, cause: "NORMAL_CLEARING" };
  const effects: Effect<unknown>[] = [{ do: "part", leg: keep }, letGo, { do: "lead", leg: keep, goal }];
  return { next: { at: "transferring", leg: keep, by: stays ? drop : undefined }, effects };
}

function replace(state: In<"talking">, { from, by }: Of<"takeOver">): Move {
  if (from !== state.a && from !== state.b) return stay(state);
  const other = from === state.a ? state.b : state.a;
  const next: State<unknown> =
    from === state.a ? { at: "talking", a: by, b: other } : { at: "talking", a: other, b: by };
  const effects: Effect<unknown>[] = [
    { do: "part", leg: other },
    { do: "end", leg: from, cause: "ATTENDED_TRANSFER" },
    { do: "join", a: next.a, b: next.b },
  ];
  return { next, effects };
}

function arrive({ leg, by }: In<"transferring">, { leg: other, ...plan }: Of<"connected">): Move {
  const effects: Effect<unknown>[] = [{ do: "join", a: leg, b: other }];
  if (by) effects.push({ do: "tellTransferor", leg: by, ending: undefined }, endOf(by, "NORMAL_CLEARING"));
  return { next: talkingOf(leg, other, plan), effects };
}

function handOver({ leg, by }: In<"transferring">): Move {
  const effects: Effect<unknown>[] = by
    ? [{ do: "tellTransferor", leg: by, ending: undefined }, endOf(by, "NORMAL_CLEARING")]
    : [];
  return { next: { at: "led", leg }, effects };
}

function comeBack({ leg, by }: In<"transferring">, { ending }: Of<"failed">): Move {
  if (!by) return over([endOf(leg, ending.cause)], ending, undefined);
  const effects: Effect<unknown>[] = [
    { do: "tellTransferor", leg: by, ending },
    { do: "join", a: leg, b: by },
  ];
  return { next: { at: "talking", a: leg, b: by }, effects };
}

function leftInTransfer(state: In<"transferring">, { leg, ending }: Of<"ended">): Move {
  if (leg === state.by) return { next: { ...state, by: undefined }, effects: [] };
  if (leg !== state.leg) return stay(state);
  const effects: Effect<unknown>[] = [{ do: "stopLeading", cause: ending.cause }];
  if (state.by) effects.push(endOf(state.by, ending.cause));
  return over(effects, ending, leg);
}

/** Whoever sent it on before still waits for how it goes. */
function sendElsewhere(state: In<"transferring">, { goal }: Of<"transfer">): Move {
  const effects: Effect<unknown>[] = [
    { do: "stopLeading", cause: "NORMAL_CLEARING" },
    { do: "lead", leg: state.leg, goal },
  ];
  return { next: state, effects };
}

function endTransfer({ leg, by }: In<"transferring">, { is: _, ...ending }: Of<"hangUp">): Move {
  const effects: Effect<unknown>[] = [{ do: "stopLeading", cause: ending.cause }, endOf(leg, ending.cause)];
  if (by) effects.push(endOf(by, ending.cause));
  return over(effects, ending, undefined);
}

function endTransferLate(state: In<"transferring">): Move {
  return endTransfer(state, { is: "hangUp", cause: "ALLOTTED_TIMEOUT" });
}

/** Who sent the party on and waits to hear how it goes. */
export function transferorIn(state: State<unknown>): LegId | undefined {
  return state.at === "transferring" ? state.by : undefined;
}

function endOf(leg: LegId, cause: Cause): Effect<unknown> {
  return { do: "end", leg, cause };
}

function stay(state: State<unknown>): Move {
  return { next: state, effects: [] };
}

function over(effects: Effect<unknown>[], ending: Ending, by: LegId | undefined): Move {
  return { next: { at: "over" }, effects: [...effects, { do: "close", ending, by }] };
}
