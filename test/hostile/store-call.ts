// One call of a function of the store: which, and with what, so that both can be named and looked for.

import type { Db } from "../../src/store/db.ts";
import type { Furnished } from "./handles.ts";

// The arguments belong to their function; what a list of calls holds has forgotten which.
type StoreFunction = (db: Db, ...rest: never[]) => unknown;

export type Call = { asked: StoreFunction; with: readonly unknown[] };

/** Who calls, and whose handles he calls with. */
export type Both = { us: Furnished; them: Furnished };

export function call<Rest extends unknown[]>(asked: (db: Db, ...rest: Rest) => unknown, ...rest: Rest): Call {
  return { asked: asked as unknown as StoreFunction, with: rest };
}

/** What it gives, all of it. */
export async function result(db: Db, { asked, with: rest }: Call): Promise<unknown> {
  const given = (await asked(db, ...(rest as never[]))) as unknown;
  if (typeof given !== "object" || given === null || !(Symbol.asyncIterator in given)) return given;
  const pieces: unknown[] = [];
  for await (const piece of given as AsyncIterable<unknown>) pieces.push(piece);
  return pieces;
}

/** Maps and sets have their entries, too. */
export function inFull(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (inner instanceof Map || inner instanceof Set ? [...inner] : inner));
  return text ?? "";
}
