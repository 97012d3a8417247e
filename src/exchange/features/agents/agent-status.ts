// What an agent can be doing, and what he may wish from there: for phone codes, the command line, the queue desk and
// whoever shows buttons. What happens to him is a matter of the queues.

import type { StoredAgent, StoredAgentStatus } from "../../../store/agents.ts";

export type AgentStatus = "logged-out" | "available" | "ringing" | "talking" | "wrapping-up" | "on-break";

export type AgentWish = "logIn" | "logOut" | "pause" | "resume";

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

const storing: Record<AgentStatus, StoredAgentStatus> = {
  "logged-out": "LOGGED_OUT",
  "on-break": "ON_BREAK",
  available: "AVAILABLE",
  ringing: "AVAILABLE",
  talking: "AVAILABLE",
  "wrapping-up": "AVAILABLE",
};

/** Only what an agent wishes is stored; what happens to him is gone with the calls of a stopped server. */
const wishes: Record<StoredAgentStatus, Partial<Record<AgentWish | "tire", StoredAgentStatus>>> = {
  LOGGED_OUT: { logIn: "AVAILABLE" },
  AVAILABLE: { pause: "ON_BREAK", tire: "ON_BREAK", logOut: "LOGGED_OUT" },
  ON_BREAK: { resume: "AVAILABLE", pause: "ON_BREAK", logOut: "LOGGED_OUT" },
};

export function statusOf({ status }: Pick<StoredAgent, "status">): AgentStatus {
  return stored[status];
}

export function mayWish(status: AgentStatus, wish: AgentWish): boolean {
  return wishes[storing[status]][wish] !== undefined;
}

/** The wish carried out on what is stored, `tire` being the queue's own; undefined when the table does not allow it. */
export function wished(from: StoredAgent, wish: AgentWish | "tire", description = ""): StoredAgent | undefined {
  const status = wishes[from.status][wish];
  return status && { status, description: status === "ON_BREAK" ? description.slice(0, 100) : null };
}
