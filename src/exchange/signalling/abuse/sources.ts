// What is remembered of the addresses that write to us: a fixed number of them, the quietest forgotten first.

import { octetsOf, printed } from "../../../addresses.ts";
import { LONG_AGO, type Ticks } from "../../../clock.ts";
import { type Budget, fullBudget } from "./budget.ts";

export type Offence = "scanner" | "flood" | "malformed" | "wrong-password" | "unknown-user";

export type Allowances = {
  /** Messages of any kind. */
  messages: { burst: number; perSecond: number };
  /** Points for what honest phones seldom do: see `POINTS`. */
  faults: { burst: number; perSecond: number };
};

/** Somebody who never logged in; roomy enough for an office of phones that all start at once behind one address. */
export const STRANGER: Allowances = {
  messages: { burst: 400, perSecond: 40 },
  faults: { burst: 30, perSecond: 1 / 30 },
};

/** Somebody who logged in lately. One phone with a wrong password must not silence its neighbours. */
export const GUEST: Allowances = {
  messages: { burst: 6_000, perSecond: 2_000 },
  faults: { burst: 300, perSecond: 1 },
};

export type SourceRecord = {
  messages: Budget;
  faults: Budget;
  guestUntil: Ticks;
  boxedUntil: Ticks;
  /** How often it was boxed: each time the penalty doubles. */
  strikes: number;
  offence: Offence | undefined;
};

export type Sources = {
  find(address: string): SourceRecord | undefined;
  /** Makes one when there is none, which may push out the one that has been quiet longest. */
  meet(address: string, now: Ticks): SourceRecord;
  all(): IterableIterator<[string, SourceRecord]>;
  size(): number;
};

export function boundedSources(most: number): Sources {
  const records = new Map<string, SourceRecord>();
  return {
    find: (address) => records.get(keyOf(address)),
    meet(address, now) {
      const key = keyOf(address);
      const known = records.get(key);
      const record = known ?? newRecord(now);
      // Put last, so that the first in the map is the one that has been quiet longest.
      if (known) records.delete(key);
      records.set(key, record);
      if (records.size > most) forgetOne(records, now);
      return record;
    },
    all: () => records.entries(),
    size: () => records.size,
  };
}

/** Whoever has one IPv6 address has the 64 bits below it too. */
export function keyOf(address: string): string {
  if (!address.includes(":")) return address;
  const octets = octetsOf(address);
  if (!octets) return address;
  return octets.length === 4 ? printed(octets) : `${printed([...octets.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0])}/64`;
}

function newRecord(now: Ticks): SourceRecord {
  return {
    messages: fullBudget(STRANGER.messages, now),
    faults: fullBudget(STRANGER.faults, now),
    guestUntil: LONG_AGO,
    boxedUntil: LONG_AGO,
    strikes: 0,
    offence: undefined,
  };
}

// Guests are spared while any stranger is among the oldest: a flood of made-up addresses must not push phones out.
function forgetOne(records: Map<string, SourceRecord>, now: Ticks): void {
  let looked = 0;
  for (const [key, record] of records) {
    if (record.guestUntil <= now && record.boxedUntil <= now) {
      records.delete(key);
      return;
    }
    if (++looked >= LOOK_AT) break;
  }
  for (const key of records.keys()) {
    records.delete(key);
    return;
  }
}

const LOOK_AT = 32;
