// What the store refuses when something is set up: expected answers, as values that the doors put into words.

import type { Db } from "./db.ts";

export type Noun = "extension" | "queue" | "group" | "menu";

export type SetupRefusal =
  | { refused: "number-taken"; number: string; by: Noun | "exchange" }
  | { refused: "bad-number"; number: string; form: string }
  | { refused: "name-taken"; what: string; name: string }
  | { refused: "not-found"; what: string; which: string }
  | { refused: "twice-in-list"; number: string }
  | { refused: "in-use"; what: string; which: string; by: string };

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
