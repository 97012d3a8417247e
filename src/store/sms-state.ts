// The life of one message as a table: where it is, what may happen to it there, and the word the interface has for it.

import { joined, literal, type Sql, sql } from "./sql.ts";

/** Every one of these is the end: nothing that is heard later changes it. */
export const FINAL_STATES = [
  "DELIVERED",
  "SENT",
  "NOT_DELIVERED",
  "EXPIRED",
  "INVALID_DESTINATION_ADDRESS",
  "REJECTED",
  "DOUBLE_SEND_ERROR",
  "BLACKLISTED_DESTINATION_ADDRESS",
  "NOT_ALLOWED_BY_IYS",
  "MISSING_TARIFF",
  "ROUTE_NOT_AVAILABLE",
  "NETWORK_NOTCOVERED",
  "SEND_ERROR",
  "INTERNATIONAL_DENIED",
] as const;

export type FinalState = (typeof FINAL_STATES)[number];

/**
 * `held`: the campaign has not begun. `queued`: for a carrier to take; what it is being told just now stands in a claim, so that
 * a crash cannot hide that it may have it. `uncertain`: the carrier's answer was cut off. `accepted`: it has it.
 */
export type MessageState = "held" | "queued" | "uncertain" | "accepted" | FinalState;

export type Happening = "start" | "refuse" | "accept" | "hand-over" | "fail" | "cut-off" | "receipt" | "expire";

/** Row: where the message is. Column: what happens. An empty cell means: it cannot, and nothing changes. */
const MOVES: { [State in MessageState]: { [What in Happening]?: MessageState | "final" } } = {
  held: { start: "queued", refuse: "final" },
  queued: { accept: "accepted", "hand-over": "SENT", fail: "final", "cut-off": "uncertain", expire: "EXPIRED" },
  uncertain: { receipt: "final", expire: "EXPIRED" },
  accepted: { receipt: "final", expire: "EXPIRED" },
  DELIVERED: {},
  SENT: {},
  NOT_DELIVERED: {},
  EXPIRED: {},
  INVALID_DESTINATION_ADDRESS: {},
  REJECTED: {},
  DOUBLE_SEND_ERROR: {},
  BLACKLISTED_DESTINATION_ADDRESS: {},
  NOT_ALLOWED_BY_IYS: {},
  MISSING_TARIFF: {},
  ROUTE_NOT_AVAILABLE: {},
  NETWORK_NOTCOVERED: {},
  SEND_ERROR: {},
  INTERNATIONAL_DENIED: {},
};

export const MESSAGE_STATES = Object.keys(MOVES) as MessageState[]; // its own keys

export function statesBefore(what: Happening): MessageState[] {
  return MESSAGE_STATES.filter((state) => MOVES[state][what] !== undefined);
}

/** The states a happening applies to, as SQL: every statement that moves messages has them in its WHERE. */
export function before(what: Happening): Sql {
  return sql`state in (${joined(statesBefore(what).map(literal), ", ")})`;
}

export function isFinal(state: MessageState): state is FinalState {
  return Object.keys(MOVES[state]).length === 0;
}

/** The word of the interface. */
export function statusWord(state: MessageState): string {
  if (state === "held" || state === "queued") return "SENDING";
  if (state === "uncertain" || state === "accepted") return "WAITING";
  return state;
}
