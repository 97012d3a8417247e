// Which exchange an API key opens. Remembered for a moment, forgotten the instant a key is revoked.

import type { Clock } from "../../clock.ts";
import { exchangeOfKey, KEY_REMEMBERED_MS } from "../../store/api-keys.ts";
import type { Db } from "../../store/db.ts";
import { findExchange } from "../../store/exchanges.ts";
import type { Tenant } from "./context.ts";
import { type Memory, memory } from "./memory.ts";

export type KeyRing = Memory<string, Tenant | undefined>;

const KEY_LENGTH = 37;

export function keyRing(db: Db, clock: Clock): KeyRing {
  const known = memory(clock, (key: string) => tenantOf(db, key), KEY_REMEMBERED_MS);
  return {
    ...known,
    // A text of another length is nobody's key; it need not pass through the memory.
    get: (key) => (key.length === KEY_LENGTH ? known.get(key) : undefined),
  };
}

async function tenantOf(db: Db, key: string): Promise<Tenant | undefined> {
  const exchangeId = await exchangeOfKey(db, key);
  return exchangeId === undefined ? undefined : findExchange(db, exchangeId);
}
