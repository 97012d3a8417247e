// What a handler gets beside its parameters: the tenant who asks, and the parts of the exchange that can answer.

import type { Clock } from "../../clock.ts";
import type { Archives } from "../../exchange/archiving/archives.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { FaxOffice } from "../../exchange/features/faxes/fax-office.ts";
import type { WebLogins } from "../../exchange/signalling/registrar/web-logins.ts";
import type { Sounds } from "../../exchange/sounds.ts";
import type { Log } from "../../log.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Readers } from "../../readers/task.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { OrderDesk } from "../../sms/order-desk.ts";
import type { ContactDesk } from "../../store/contact-desk.ts";
import type { Database } from "../../store/db.ts";
import type { RequestLimit } from "../../store/limit.ts";
import type { ExtensionState } from "../../store/statuses.ts";
import type { Memory } from "./memory.ts";
import type { PhoneStates } from "./phone-states.ts";

/** A trial POST, of `{}` unless said: whether a URL that wants to be notified answers with 200. */
export type ProbeUrl = (url: string, body?: "{}" | "") => Promise<boolean>;

/** Parts that not every server has: an operation says which of them it needs. */
export type Parts = { exchange: Exchange; faxes: FaxOffice; webLogins: WebLogins };

export type Services = { [Part in keyof Parts]?: Parts[Part] | undefined } & {
  db: Database;
  clock: Clock;
  log: Log;
  objects: Objects;
  presence: PhoneStates;
  sounds: Sounds;
  probeUrl: ProbeUrl | undefined;
  /** Where recordings lie outside; without it only those here are served. */
  archives?: Archives | undefined;
  /** Without it nothing sealed is shown. */
  openSecret?: Secrets["open"] | undefined;
  extensionStates: Memory<number, ExtensionState[]>;
  orders: OrderDesk;
  /** What reads files and long bodies of strangers. */
  readers: Readers;
  contacts: ContactDesk;
  /** What temporary URLs begin with, for a caller on this line. */
  baseUrl(line: Connection): string;
};

export type Tenant = { id: number; sipDomain: string; timeZone: string };

/** Stands for the tenant where a ticket opens the door: no row has this id, so a query that trusts it finds nothing. */
export const NOBODY: Tenant = { id: 0, sipDomain: "", timeZone: "UTC" };

/** The connection a request came by. */
export type Connection = { localAddress?: string | undefined };

/** What one request adds to the services. */
type Asked = {
  tenant: Tenant;
  clientAddress: string;
  method: string;
  accept: string;
  line: Connection;
  /** Nothing begins when it is over; what is waited for on purpose is held. `db` knows it already. */
  limit: RequestLimit;
};

export type Context = Services &
  Asked & {
    /** Every query names it, and the database knows it too: `db` holds no other's rows. Behind a ticket there is none: the ticket's row says whose it is. */
    exchangeId: number;
  };

/** Field by field, because a spread of this many costs as much as the rest of a small request. */
export function contextOf(services: Services, { tenant, clientAddress, method, accept, line, limit }: Asked): Context {
  return {
    db: tenant === NOBODY ? services.db.within(limit) : services.db.forExchange(tenant.id, limit),
    clock: services.clock,
    log: services.log,
    objects: services.objects,
    readers: services.readers,
    presence: services.presence,
    sounds: services.sounds,
    probeUrl: services.probeUrl,
    archives: services.archives,
    openSecret: services.openSecret,
    extensionStates: services.extensionStates,
    orders: services.orders,
    contacts: services.contacts,
    baseUrl: services.baseUrl,
    exchange: services.exchange,
    faxes: services.faxes,
    webLogins: services.webLogins,
    exchangeId: tenant.id,
    tenant,
    clientAddress,
    method,
    accept,
    line,
    limit,
  };
}
