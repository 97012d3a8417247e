// What is compared when a phone logs in: the numbers and digests of an exchange's extensions.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** How often phones are asked whether they are there, and how often the way to one behind a NAT is kept open. */
export type Pace = { qualifySeconds: number; keepAliveSeconds: number };

export type SipExchange = Pace & { id: number; sipDomain: string };

export type SipAccount = {
  exchangeId: number;
  extensionId: number;
  number: string;
  name: string;
  active: boolean;
  ha1Md5: string;
  ha1Sha256: string;
};

/** Says the id of an exchange whose domain or extensions have just changed; a trigger speaks, so nobody can forget to. */
export const DIRECTORY_CHANNEL = "directory";

export function sipExchanges(db: Db): Promise<SipExchange[]> {
  return db.query<SipExchange>(
    sql`select id, sip_domain as "sipDomain", qualify_seconds as "qualifySeconds",
       keep_alive_seconds as "keepAliveSeconds"
     from exchanges order by id`,
  );
}

export function sipAccounts(db: Db, exchangeId: number): Promise<SipAccount[]> {
  return db.query<SipAccount>(
    sql`select exchange_id as "exchangeId", id as "extensionId", number, name, active,
       ha1_md5 as "ha1Md5", ha1_sha256 as "ha1Sha256"
     from extensions where exchange_id = $1`,
    [exchangeId],
  );
}
