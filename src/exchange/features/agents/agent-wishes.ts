// An agent logs in or out, takes a break or comes back: one way for phone codes, the command line and the console.

import { changeAgent } from "../../../store/agents.ts";
import type { Doer } from "../../../store/audit-facts.ts";
import type { Db } from "../../../store/db.ts";
import { type AgentStatus, type AgentWish, statusOf, wished } from "./agent-status.ts";

export type WishedMove = {
  exchangeId: number;
  extension: string;
  wish: AgentWish | "tire";
  description?: string;
  by: Doer;
};

export type WishOutcome =
  | { status: AgentStatus }
  | { refused: "no-agent" }
  /** Such as coming back from a break that was never begun. */
  | { refused: "not-now"; status: AgentStatus };

export async function carryOutWish(db: Db, move: WishedMove): Promise<WishOutcome> {
  const { exchangeId, extension, wish, description, by } = move;
  const changed = await changeAgent(db, {
    exchangeId,
    extension,
    by,
    change: (from) => wished(from, wish, description),
  });
  if (!changed) return { refused: "no-agent" };
  const { before, after } = changed;
  return after ? { status: statusOf(after) } : { refused: "not-now", status: statusOf(before) };
}
