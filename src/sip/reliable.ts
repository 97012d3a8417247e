// Reliable provisional responses (RFC 3262): a numbered 18x repeated until its PRACK, and the PRACK we owe for theirs.

import type { Clock } from "../clock.ts";
import { Machine, type ReportUnexpected, type StartTimer, type Step, type Table } from "../machine.ts";
import { cseqOf } from "./headers/cseq.ts";
import { rack, rackOf, rseq, rseqOf } from "./headers/reliable.ts";
import { knowsOption, requireOf, requiresOption, tokenList } from "./headers/token-lists.ts";
import { isMalformed } from "./message/malformed.ts";
import type { Header, Request, Response } from "./message/message.ts";
import { PATIENCE_MS, T1_MS } from "./transaction/timers.ts";

/** Whether a caller lets us, or makes us, number our ringing. */
export function wantsReliable(invite: Request): "required" | "supported" | "no" {
  if (requiresOption(invite, "100rel")) return "required";
  return knowsOption(invite, "100rel") ? "supported" : "no";
}

/** The headers that make a provisional response reliable. */
export function reliableHeaders(number: number): Header[] {
  return [tokenList("Require", ["100rel"]), rseq(number)];
}

type State = { at: "waiting"; resendMs: number } | { at: "over" };
type Input = { is: "prack" | "answered" | Timer };
type Effect = { do: "send" } | { do: "giveUp" } | StartTimer<Timer>;
type Timer = "resend" | "patience";
type Move = Step<State, Effect>;

/** §3: sent again like an answer is, but without the longest pause an answer has. */
const table: Table<State, Input, Effect> = {
  waiting: { prack: finish, answered: finish, resend, patience: giveUp },
  // An INVITE is answered after its ringing was acknowledged, as a rule.
  over: { answered: "ignored" },
};

function begin(): Move {
  const effects: Effect[] = [
    { do: "send" },
    { do: "start", timer: "resend", afterMs: T1_MS },
    { do: "start", timer: "patience", afterMs: PATIENCE_MS },
  ];
  return { next: { at: "waiting", resendMs: T1_MS }, effects };
}

function resend({ resendMs }: State & { at: "waiting" }): Move {
  const again: Effect = { do: "start", timer: "resend", afterMs: resendMs * 2 };
  return { next: { at: "waiting", resendMs: resendMs * 2 }, effects: [{ do: "send" }, again] };
}

function finish(): Move {
  return { next: { at: "over" }, effects: [] };
}

function giveUp(): Move {
  return { next: { at: "over" }, effects: [{ do: "giveUp" }] };
}

export type ReliableRinging = {
  /** True when this PRACK is for the response that waits: answer it 200, and 481 otherwise. */
  takePrack(prack: Request): boolean;
  /** Its PRACK is not here. */
  isWaiting(): boolean;
  /** The INVITE got its final response: nothing is waited for any more. */
  stop(): void;
};

export type RingingOptions = {
  clock: Clock;
  invite: Request;
  number: number;
  /** Sends the response, which carries `reliableHeaders(number)`; called again and again. */
  send(): void;
  /** 32 s without a PRACK: §3 wants the INVITE refused with a 5xx. */
  giveUp(): void;
  unexpected: ReportUnexpected;
};

/** Until its PRACK is here no second reliable response may go out (§3). */
export function ringReliably({ clock, invite, number, send, giveUp, unexpected }: RingingOptions): ReliableRinging {
  const run: Machine<State, Input, Effect> = new Machine(table, begin(), clock, {
    perform: (effect) => (effect.do === "send" ? send() : giveUp()),
    unexpected: (state, input) => unexpected({ machine: "reliable ringing", state, input }),
  });
  const { number: inviteNumber } = cseqOf(invite);
  return {
    takePrack(prack) {
      const named = rackOf(prack);
      if (named === undefined || isMalformed(named) || run.state().at !== "waiting") return false;
      const { rseq, cseq } = named;
      if (rseq !== number || cseq.number !== inviteNumber || cseq.method !== "INVITE") return false;
      run.receive({ is: "prack" });
      return true;
    },
    isWaiting: () => run.state().at === "waiting",
    stop: () => run.receive({ is: "answered" }),
  };
}

export type PrackDue = { due: false } | { due: true; rack: Header; rseq: number };

/**
 * What the PRACK for a provisional response of theirs says, when one is owed. `lastRSeq` is the last one acknowledged in
 * this dialog: a repeat is not acknowledged again, and one out of order not at all (§4).
 */
export function prackFor(response: Response, lastRSeq: number | undefined): PrackDue {
  const number = rseqOf(response);
  const isReliable = response.status > 100 && response.status < 200 && requireOf(response).includes("100rel");
  if (!isReliable || number === undefined || isMalformed(number)) return { due: false };
  if (lastRSeq !== undefined && number !== lastRSeq + 1) return { due: false };
  return { due: true, rack: rack({ rseq: number, cseq: cseqOf(response) }), rseq: number };
}
