// Tickets: codes in temporary URLs. Only their hash is kept, so that a copy of the database opens nothing.

import { createHash, randomUUID } from "node:crypto";
import type { Db } from "./db.ts";
import { type KeptSound, outsideOf } from "./kept-sounds.ts";
import { sql } from "./sql.ts";

export type TicketSubject = "recording" | "voicemail" | "fax";

const letters: Record<TicketSubject, string> = { recording: "R", voicemail: "R", fax: "F" };

const TICKET_LIFE_MS = 60 * 60_000;

const TICKET_FORM = /^[RF][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export async function issueTicket(
  db: Db,
  { exchangeId, opens, subject, now }: { exchangeId: number; opens: TicketSubject; subject: string; now: number },
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = letters[opens] + randomUUID();
  const expiresAt = new Date(now + TICKET_LIFE_MS);
  // Each new ticket clears away a few that have expired, so that nobody has to sweep after them.
  await db.query(
    sql`with expired as (
       delete from tickets where ticket_hash in (select ticket_hash from tickets where expires_at <= $6 limit 10)
     )
     insert into tickets (ticket_hash, exchange_id, opens, subject, expires_at) values ($1, $2, $3, $4, $5)`,
    [hashOf(ticket), exchangeId, opens, subject, expiresAt, new Date(now)],
  );
  return { ticket, expiresAt };
}

export type Opened = {
  exchangeId: number;
  opens: TicketSubject;
  subject: string;
} & KeptSound;

/** What an unexpired ticket opens, as long as the thing itself still exists. */
export async function openWithTicket(db: Db, ticket: string, now: number): Promise<Opened | undefined> {
  if (!TICKET_FORM.test(ticket)) return undefined;
  const [row] = await db.query<Opened>(
    sql`select t.exchange_id as "exchangeId", t.opens, t.subject,
       coalesce(r.object_key, v.object_key, f.pdf_key) as "objectKey",
       coalesce(r.media_type, v.media_type, 'application/pdf') as "mediaType", ${outsideOf} as outside
     from tickets t
       left join recordings r on t.opens = 'recording' and r.exchange_id = t.exchange_id
         and r.call_uuid = t.subject and r.deleted_at is null
       left join voicemail_messages v on t.opens = 'voicemail' and v.exchange_id = t.exchange_id
         and v.uuid = t.subject and v.deleted_at is null
       left join fax_records f on t.opens = 'fax' and f.exchange_id = t.exchange_id
         and f.call_uuid = t.subject and f.deleted_at is null
     where t.ticket_hash = $1 and t.expires_at > $2
       and coalesce(r.object_key, v.object_key, f.pdf_key) is not null`,
    [hashOf(ticket), new Date(now)],
  );
  return row;
}

export async function hasRecording(db: Db, exchangeId: number, callUuid: string): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from recordings where exchange_id = $1 and call_uuid = $2 and deleted_at is null`,
    [exchangeId, callUuid],
  );
  return found.length > 0;
}

function hashOf(ticket: string): Buffer {
  return createHash("sha256").update(ticket).digest();
}
