// A place in line: who stands there, how his call is put to an agent, and what becomes of him.

import type { Ticks } from "../../../clock.ts";
import type { HangupCause } from "../../calls/causes.ts";
import type { Leg } from "../../calls/leg.ts";
import type { Decision, WaitingCaller } from "./assign.ts";

/** What becomes of one agent's phone that was rung; `callUuid` where it rang in a call of its own. */
export type Rung = { answered: Leg; callUuid?: string } | { failed: HangupCause };

/** Somebody who joins the line, and how his call is put to an agent. */
export type Joining = {
  id: string;
  queue: string;
  callUuid: string;
  caller: string;
  callerName: string;
  /** Since when he waits, where that is not from now on. */
  joined?: Ticks;
  /** Agents whose phones ring for him already. */
  rung?: readonly string[];
  /** To be called back: he is not on the line. */
  single?: boolean;
  ring(agent: string, signal: AbortSignal): Promise<Rung>;
  /** What the agent hears before the two are joined; false when he hung up meanwhile. */
  greet(agent: Leg): Promise<boolean>;
  onDecision(decision: Decision): void;
  /** Tells an agent of him whose phone is closed; kept with how many browsers were told. */
  rouse?(agent: string): Promise<number>;
};

export type LeftBecause = "empty" | "queue gone" | "floor closed";
export type Outcome = { served: Leg; agent: string } | { out: LeftBecause } | { left: true };

export type Place = {
  joined: Ticks;
  /** 1 is next. */
  position(): number;
  isOffered(): boolean;
  outcome: Promise<Outcome>;
  /** Hung up, waited too long, or wants to be called back. Whoever has been served stays served. */
  leave(): void;
};

export type Waiter = WaitingCaller & Joining & { joinedMs: number; waitedMs(): number; tried: Map<string, number> };
