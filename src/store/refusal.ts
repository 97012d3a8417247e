// What the store refuses when something is set up: expected answers, as values that the doors put into words.

import type { Db } from "./db.ts";

export type Noun = "extension" | "queue" | "group" | "menu";

/** Whatever can be missing, taken or in use. */
export type Thing =
  | Noun
  | (
      | "announcement"
      | "archive"
      | "call"
      | "backup"
      | "campaign"
      | "carrier"
      | "contact"
      | "contact source"
      | "delivery"
      | "exchange"
      | "external number"
      | "fax"
      | "fax order"
      | "import"
      | "form"
    )
  | (
      | "holiday"
      | "key"
      | "mailbox"
      | "message"
      | "number"
      | "recording"
      | "report plan"
      | "rule"
      | "session"
      | "SIP domain"
      | "SMS user name"
    )
  | ("sound" | "staff account" | "text" | "title" | "trunk" | "wall board");

/** What uses something: `which` is empty for a setting of the exchange itself. */
export type User = { noun: Thing | "default caller ID" | "programming" | "single sign-on"; which: string };

export type SetupRefusal =
  | { refused: "number-taken"; number: string; by: Noun | "exchange" }
  /** Who dials it calls for help. */
  | { refused: "emergency-number"; number: string }
  | { refused: "bad-number"; number: string; least: number; most: number }
  | { refused: "bad-title"; name: string }
  | { refused: "name-taken"; what: Thing; name: string }
  | { refused: "not-found"; what: Thing; which: string }
  | { refused: "twice-in-list"; number: string }
  /** It overlaps what a carrier of another exchange has. */
  | { refused: "network-taken"; network: string }
  | { refused: "most-reached"; what: Thing; most: number }
  | { refused: "in-use"; what: Thing; which: string; by: User };

export function isRefusal(result: unknown): result is SetupRefusal {
  return typeof result === "object" && result !== null && "refused" in result;
}

const UNIQUE_VIOLATION = "23505";

/** Turns the database's word on a duplicate, the only one that two writers at once cannot get around, into a refusal. */
export async function unlessTaken<Result>(
  db: Db,
  refusal: SetupRefusal,
  work: (db: Db) => Promise<Result | SetupRefusal>,
): Promise<Result | SetupRefusal> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) return refusal;
    throw error;
  }
}
