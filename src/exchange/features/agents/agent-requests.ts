// An agent logs in or out, takes a break or comes back: one way for phone codes, the command line and the console.

import { changeAgent } from "../../../store/agents.ts";
import type { Doer } from "../../../store/audit-facts.ts";
import type { Db } from "../../../store/db.ts";
import { type AgentRequest, type AgentStatus, requested, statusOf } from "./agent-status.ts";

export type RequestedMove = {
  exchangeId: number;
  extension: string;
  request: AgentRequest | "giveBreak";
  description?: string;
  by: Doer;
};

export type RequestOutcome =
  | { status: AgentStatus }
  | { refused: "no-agent" }
  /** Such as coming back from a break that was never begun. */
  | { refused: "not-now"; status: AgentStatus };

export async function carryOutRequest(db: Db, move: RequestedMove): Promise<RequestOutcome> {
  const { exchangeId, extension, request, description, by } = move;
  const changed = await changeAgent(db, {
    exchangeId,
    extension,
    by,
    change: (from) => requested(from, request, description),
  });
  if (!changed) return { refused: "no-agent" };
  const { before, after } = changed;
  return after ? { status: statusOf(after) } : { refused: "not-now", status: statusOf(before) };
}
