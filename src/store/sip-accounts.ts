// What is compared when a phone logs in: the numbers and digests of an exchange's extensions.

import type { SipDigests } from "../nouns/security.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** How often phones are asked whether they are there, and how often the way to one behind a NAT is kept open. */
export type Pace = { qualifySeconds: number; keepAliveSeconds: number };

export type SipExchange = Pace & {
  id: number;
  sipDomain: string;
  emergencyNumbers: string[];
  /** A phone that has used SHA-256 may be asked for MD5 first. */
  md5Again: boolean;
  sipDigests: SipDigests;
  /** Phones that speak by UDP are asked for a password before they send a call or its voice elsewhere. */
  proofWithinCalls: boolean;
};

export type SipAccount = {
  exchangeId: number;
  extensionId: number;
  number: string;
  name: string;
  active: boolean;
  /** The lamps of its phone tell who is on a colleague's line. */
  seesCallers: boolean;
  /** Its own, or else those of its exchange. */
  codecs: string[];
  /** From where it may register and call; none: from everywhere. */
  networks: string[];
  ha1Md5: string;
  ha1Sha256: string;
};

/** Says the id of an exchange whose domain or extensions have just changed; a trigger speaks, so nobody can forget to. */
export const DIRECTORY_CHANNEL = "directory";

export function sipExchanges(db: Db): Promise<SipExchange[]> {
  return db.query<SipExchange>(
    sql`select id, sip_domain as "sipDomain", qualify_seconds as "qualifySeconds",
       keep_alive_seconds as "keepAliveSeconds", emergency_numbers as "emergencyNumbers", md5_again as "md5Again",
       sip_digests as "sipDigests", proof_within_calls as "proofWithinCalls"
     from exchanges order by id`,
  );
}

export function sipAccounts(db: Db, exchangeId: number): Promise<SipAccount[]> {
  return db.query<SipAccount>(
    sql`select e.exchange_id as "exchangeId", e.id as "extensionId", e.number, e.name, e.active,
       e.sees_callers as "seesCallers", coalesce(e.codecs, x.codecs) as codecs,
       array(select address::text from unnest(e.networks) as address) as networks,
       e.ha1_md5 as "ha1Md5", e.ha1_sha256 as "ha1Sha256"
     from extensions e join exchanges x on x.id = e.exchange_id where e.exchange_id = $1`,
    [exchangeId],
  );
}
