// What an agent can be doing, and what he may request from there: for phone codes, the command line, the queue desk and
// whoever shows buttons. What happens to him is a matter of the queues.

import type { StoredAgent, StoredAgentStatus } from "../../../store/agents.ts";

export type AgentStatus = "logged-out" | "available" | "ringing" | "talking" | "wrapping-up" | "on-break";

export type AgentRequest = "logIn" | "logOut" | "pause" | "resume";

/** What each request is about: whoever is there already has what he wanted. */
const wantedStatus: Record<AgentRequest, AgentStatus> = {
  logIn: "available",
  logOut: "logged-out",
  pause: "on-break",
  resume: "available",
};

export function isAlready(status: AgentStatus, request: AgentRequest): boolean {
  return status === wantedStatus[request];
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

/** Only what an agent wants is stored; what happens to him is gone with the calls of a stopped server. */
const wanted: Record<StoredAgentStatus, Partial<Record<AgentRequest | "giveBreak", StoredAgentStatus>>> = {
  LOGGED_OUT: { logIn: "AVAILABLE" },
  AVAILABLE: { pause: "ON_BREAK", giveBreak: "ON_BREAK", logOut: "LOGGED_OUT" },
  ON_BREAK: { resume: "AVAILABLE", pause: "ON_BREAK", logOut: "LOGGED_OUT" },
};

export function statusOf({ status }: Pick<StoredAgent, "status">): AgentStatus {
  return stored[status];
}

/** What is stored of an agent who is doing that. */
export function storedFor(status: AgentStatus): StoredAgentStatus {
  return storing[status];
}

export function mayRequest(status: AgentStatus, request: AgentRequest): boolean {
  return wanted[storing[status]][request] !== undefined;
}

/** The request carried out on what is stored, `giveBreak` being the queue's own; undefined when the table does not allow it. */
export function requested(
  from: StoredAgent,
  request: AgentRequest | "giveBreak",
  description = "",
): StoredAgent | undefined {
  const status = wanted[from.status][request];
  return status && { status, description: status === "ON_BREAK" ? description.slice(0, 100) : null };
}
