// What an agent can be doing and which moves lead on from there: the one table that phone codes, the command line,
// the queue desk and whoever shows buttons read.

import type { StoredAgent, StoredAgentStatus } from "../../../store/agents.ts";

export type AgentStatus = "logged-out" | "available" | "ringing" | "talking" | "wrapping-up" | "on-break";

/** The first four are the agent's own wish, the rest happens to him. */
export type AgentMove =
  | "logIn"
  | "logOut"
  | "pause"
  | "resume"
  | "offer"
  | "answer"
  /** Did not take the offer: the next one may come. */
  | "miss"
  /** Did not take it once too often. */
  | "tire"
  | "callerGone"
  | "hangUp"
  | "finish";

/** A break or log-out in the middle of a call lets that call go on; only nothing new comes. */
export const agentMoves: Record<AgentStatus, Partial<Record<AgentMove, AgentStatus>>> = {
  "logged-out": { logIn: "available" },
  available: { offer: "ringing", pause: "on-break", logOut: "logged-out" },
  ringing: {
    answer: "talking",
    miss: "available",
    tire: "on-break",
    callerGone: "available",
    pause: "on-break",
    logOut: "logged-out",
  },
  talking: { hangUp: "wrapping-up", pause: "on-break", logOut: "logged-out" },
  "wrapping-up": { finish: "available", pause: "on-break", logOut: "logged-out" },
  "on-break": { resume: "available", pause: "on-break", logOut: "logged-out" },
};

export function moved(status: AgentStatus, move: AgentMove): AgentStatus | undefined {
  return agentMoves[status][move];
}

export type AgentWish = Extract<AgentMove, "logIn" | "logOut" | "pause" | "resume">;

/** What each wish is about: whoever is there already has what he wished. */
const wishedFor: Record<AgentWish, AgentStatus> = {
  logIn: "available",
  logOut: "logged-out",
  pause: "on-break",
  resume: "available",
};

export function isAlready(status: AgentStatus, wish: AgentWish): boolean {
  return status === wishedFor[wish];
}

const stored: Record<StoredAgentStatus, AgentStatus> = {
  AVAILABLE: "available",
  LOGGED_OUT: "logged-out",
  ON_BREAK: "on-break",
};

/** Only what an agent wishes is stored; what happens to him is gone with the calls of a stopped server. */
const storing: Record<AgentStatus, StoredAgentStatus> = {
  "logged-out": "LOGGED_OUT",
  "on-break": "ON_BREAK",
  available: "AVAILABLE",
  ringing: "AVAILABLE",
  talking: "AVAILABLE",
  "wrapping-up": "AVAILABLE",
};

export function statusOf({ status }: Pick<StoredAgent, "status">): AgentStatus {
  return stored[status];
}

/** The wish carried out on what is stored; undefined when the table does not allow it. */
export function wished(from: StoredAgent, wish: AgentWish | "tire", description = ""): StoredAgent | undefined {
  const now = wish === "tire" && from.status === "AVAILABLE" ? "ringing" : stored[from.status];
  const next = moved(now, wish);
  if (next === undefined) return undefined;
  return { status: storing[next], description: next === "on-break" ? description.slice(0, 100) : null };
}
