// What a handler gets beside its parameters: the tenant who asks, and the parts of the exchange that can answer.

import type { Clock } from "../clock.ts";
import type { Sounds } from "../exchange/sounds.ts";
import type { Log } from "../log.ts";
import type { Objects } from "../objects/objects.ts";
import type { Database } from "../store/db.ts";
import type { ExtensionState } from "../store/statuses.ts";
import type { Memory } from "./memory.ts";
import type { Presence } from "./presence.ts";

/** A trial POST: whether a URL that wants to be notified answers with 200. */
export type ProbeUrl = (url: string) => Promise<boolean>;

export type Services = {
  db: Database;
  clock: Clock;
  log: Log;
  objects: Objects;
  presence: Presence;
  sounds: Sounds;
  probeUrl?: ProbeUrl;
  extensionStates: Memory<number, ExtensionState[]>;
  /** What temporary URLs begin with. */
  baseUrl(): string;
};

export type Tenant = { id: number; sipDomain: string; timeZone: string };

export type Context = Services & {
  /** Every query names it. Behind a ticket there is none: the ticket's row says whose it is. */
  exchangeId: number;
  tenant: Tenant;
  clientAddress: string;
  method: string;
  accept: string;
};
