// What is remembered of the addresses that write to us: a fixed number of them, the quietest forgotten first. Those who
// proved something are remembered apart, so that made-up addresses push none of them out.

import { holderOf } from "../../../addresses.ts";
import { LONG_AGO, type Ticks } from "../../../clock.ts";
import { type Allowance, type Budget, fullBudget } from "./budget.ts";

export type Offence = "scanner" | "flood" | "malformed" | "wrong-password" | "unknown-user";

export type Allowances = {
  /** Messages of any kind. */
  messages: Allowance;
  /** Points for what honest phones seldom do: see `POINTS`. */
  faults: Allowance;
};

/** Somebody who never logged in; roomy enough for an office of phones that all start at once behind one address. */
export const STRANGER: Allowances = {
  messages: { burst: 400, perSecond: 40 },
  faults: { burst: 30, perSecond: 1 / 30 },
};

/** Somebody who logged in lately. One phone with a wrong password must not silence its neighbours. */
export const GUEST: Allowances = {
  messages: { burst: 6_000, perSecond: 2_000 },
  faults: { burst: 300, perSecond: 1 / 4 },
};

/** A carrier: more calls than a machine can carry. */
export const CARRIER: Allowances = { messages: { burst: 20_000, perSecond: 10_000 }, faults: GUEST.faults };

/** Answers to a stranger that are larger than his question: enough for a phone of few words, and nothing to flood others with. */
export const FAVOURS: Allowance = { burst: 5, perSecond: 1 / 10 };

export type SourceRecord = {
  /** Messages by connection. */
  connections: Budget;
  /** Those of a guest. What comes in strangers' names is counted apart, so that it pushes nobody out of here. */
  datagrams: Budget;
  faults: Budget;
  guestUntil: Ticks;
  boxedUntil: Ticks;
  /** How often it was boxed: each time the penalty doubles. */
  strikes: number;
  offence: Offence | undefined;
};

export type Sources = {
  find(address: string): SourceRecord | undefined;
  /** Makes one when there is none, which may push out the stranger who has been quiet longest. */
  meet(address: string, now: Ticks): SourceRecord;
  /** The same of somebody who has proved where he is: from now on no stranger. */
  know(address: string, now: Ticks): SourceRecord;
  all(): IterableIterator<[string, SourceRecord]>;
  size(): number;
};

/** `most` of strangers, and as many of those who are known. */
export function boundedSources(most: number): Sources {
  const strangers = new Map<string, SourceRecord>();
  const known = new Map<string, SourceRecord>();
  return {
    find(address) {
      const key = holderOf(address);
      return known.get(key) ?? strangers.get(key);
    },
    meet(address, now) {
      const key = holderOf(address);
      return touched(known, key) ?? kept(strangers, key, { record: newRecord(now), most });
    },
    know(address, now) {
      const key = holderOf(address);
      const record = touched(known, key) ?? kept(known, key, { record: strangers.get(key) ?? newRecord(now), most });
      strangers.delete(key);
      return record;
    },
    all: () => known.entries(),
    size: () => strangers.size + known.size,
  };
}

/** Put last, so that the first in the map is the one that has been quiet longest. */
function touched<Value>(records: Map<string, Value>, key: string): Value | undefined {
  const record = records.get(key);
  if (record === undefined) return undefined;
  records.delete(key);
  records.set(key, record);
  return record;
}

/** What is remembered under that key, or this from now on. */
export function kept<Value>(
  records: Map<string, Value>,
  key: string,
  { record, most }: { record: Value; most: number },
): Value {
  const known = touched(records, key);
  if (known !== undefined) return known;
  records.set(key, record);
  if (records.size > most) forgetEighth(records);
  return record;
}

/** At once, since taking out the first of a large map is dear: the places of those before it are walked over each time. */
function forgetEighth(records: Map<string, unknown>): void {
  let left = Math.ceil(records.size / 8);
  for (const key of records.keys()) {
    if (left-- === 0) return;
    records.delete(key);
  }
}

function newRecord(now: Ticks): SourceRecord {
  return {
    connections: fullBudget(STRANGER.messages, now),
    datagrams: fullBudget(GUEST.messages, now),
    faults: fullBudget(STRANGER.faults, now),
    guestUntil: LONG_AGO,
    boxedUntil: LONG_AGO,
    strikes: 0,
    offence: undefined,
  };
}
