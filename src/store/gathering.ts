// Work of one kind that is asked for by many at once, done together: whatever came in the same turn of the event loop, or
// while the last of it was under way. Nobody waits for company, and what is under way already is never joined: it may have
// been read before the change that the newcomer knows of.

import type { Clock } from "../clock.ts";
import type { Database, Db } from "./db.ts";
import { GivenUp, type Limit, shortestOf } from "./limit.ts";
import { isOver } from "./pool.ts";

/** What became of one of those that were done together. */
export type Outcome<Result> = { is: Result } | { failed: unknown };

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

/** So that one statement stays small, and nobody waits for a crowd. */
const MOST_AT_ONCE = 250;

/** Of one key only one batch is under way; `work` answers for each of its items, in their order. */
export function gathering<Key, Item, Result>(
  work: (key: Key, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  mostAtOnce = MOST_AT_ONCE,
): (key: Key, item: Item) => Promise<Result> {
  const lines = new Map<Key, Waiting<Item, Result>[]>();
  return (key, item) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key);
      if (line) return void line.push({ item, resolve, reject });
      const begun = [{ item, resolve, reject }];
      lines.set(key, begun);
      setImmediate(() => void serve(key, begun));
    });

  async function serve(key: Key, line: Waiting<Item, Result>[]): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0, mostAtOnce);
      const items = batch.map(({ item }) => item);
      const outcomes = await work(key, items).catch((failed: unknown) => items.map(() => ({ failed })));
      for (const [place, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[place] ?? { failed: new Error("work that was done together has no outcome") };
        if ("is" in outcome) resolve(outcome.is);
        else reject(outcome.failed);
      }
    }
    lines.delete(key);
  }
}

/**
 * All of them by one go; where one of them spoils it and nothing of it stays, each by itself, so that who fails fails alone.
 */
export async function allOrEach<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Outcome<Result>[]> {
  try {
    const results = await work(items);
    return items.map((_, place) => ({ is: results[place]! })); // `work` answers for each of its items
  } catch (failed) {
    if (items.length === 1 || !isUndone(failed)) return items.map(() => ({ failed }));
    const outcomes: Outcome<Result>[] = [];
    for (const item of items) outcomes.push(...(await allOrEach([item], work)));
    return outcomes;
  }
}

/** Who asked for a row to be written waits only so long. */
export type Written = { limit: Limit };

export type OfExchange = { db: Database; clock: Clock; exchangeId: number };

/** Rows of one exchange, in one transaction: each is answered after the commit that holds it. */
export async function writeTogether<Item extends Written, Result>(
  { db, clock, exchangeId }: OfExchange,
  items: readonly Item[],
  write: (db: Db, items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Outcome<Result>[]> {
  const inTime = items.filter(({ limit }) => limit.leftMs() > 0);
  if (inTime.length === 0) return items.map(() => ({ failed: new GivenUp() }));
  const outcomes = await allOrEach(inTime, (together) => {
    const limits = together.map(({ limit }) => limit);
    return db.forExchange(exchangeId, shortestOf(clock, limits)).transaction((db) => write(db, together));
  });
  if (inTime.length === items.length) return outcomes;
  const ofEach = new Map(inTime.map((item, place) => [item, outcomes[place]]));
  return items.map((item) => ofEach.get(item) ?? { failed: new GivenUp() });
}

/** Thrown by what is written together where one row is more than there is room for: nothing of it stays. */
export class Spoilt extends Error {}

/** Whether nothing of a transaction stays for certain. Of a commit whose answer was lost nobody knows. */
function isUndone(failure: unknown): boolean {
  return failure instanceof Spoilt || failure instanceof GivenUp || !isOver(failure);
}
