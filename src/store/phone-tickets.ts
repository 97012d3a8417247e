// Tickets by which a phone fetches its settings: nobody can guess one, each is good for minutes and opens once.

import { createHash, randomUUID } from "node:crypto";
import { writeAuditLine } from "./audit.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** Where a phone finds the server. */
export type SipDoor = { host: string; port: number; transport: "udp" | "tcp" | "tls" };

export type PhoneSettings = SipDoor & {
  exchangeId: number;
  number: string;
  name: string;
  sipDomain: string;
  /** What a registrar compares: the password itself is kept nowhere. */
  ha1: string;
};

const PHONE_TICKET_MS = 10 * 60_000;

const FORM = /^P[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined when there is no such extension. What was given out for it before opens nothing any more. */
export async function issuePhoneTicket(
  db: Db,
  { exchangeId, number, door, now }: { exchangeId: number; number: string; door: SipDoor; now: number },
): Promise<{ ticket: string; expiresAt: Date } | undefined> {
  const ticket = `P${randomUUID()}`;
  const expiresAt = new Date(now + PHONE_TICKET_MS);
  const made = await db.query(
    sql`with gone as (
       delete from tickets where opens = 'phone' and exchange_id = $2
         and extension_id = (select id from extensions where exchange_id = $2 and number = $3)
     )
     insert into tickets (ticket_hash, exchange_id, opens, subject, extension_id, details, expires_at)
     select $1, exchange_id, 'phone', gen_random_uuid(), id, $4, $5 from extensions
     where exchange_id = $2 and number = $3 and active returning exchange_id`,
    [hashOf(ticket), exchangeId, number, door, expiresAt],
  );
  return made.length > 0 ? { ticket, expiresAt } : undefined;
}

/** Whoever comes second finds nothing, and the audit trail knows who came first. */
export function takePhoneSettings(
  db: Db,
  { ticket, now, address }: { ticket: string; now: number; address: string },
): Promise<PhoneSettings | undefined> {
  if (!FORM.test(ticket)) return Promise.resolve(undefined);
  return db.transaction(async (db) => {
    const [found] = await db.query<PhoneSettings & { door: SipDoor }>(
      sql`with taken as (delete from tickets where ticket_hash = $1 and opens = 'phone' and expires_at > $2
         returning exchange_id, extension_id, details)
       select e.exchange_id as "exchangeId", e.number, e.name, e.ha1_md5 as ha1, x.sip_domain as "sipDomain",
         taken.details as door
       from taken join extensions e on e.id = taken.extension_id and e.active join exchanges x on x.id = e.exchange_id`,
      [hashOf(ticket), new Date(now)],
    );
    if (!found) return undefined;
    const { door, ...rest } = found;
    const about = { did: "phone-settings-fetched", details: { extension: rest.number, address } } as const;
    await writeAuditLine(db, { doer: "exchange", who: "", ...about, exchangeId: rest.exchangeId });
    return { ...rest, ...door };
  });
}

function hashOf(ticket: string): Buffer {
  return createHash("sha256").update(ticket).digest();
}
