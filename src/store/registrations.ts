// Where phones can be reached, kept so that a restart forgets none of them.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Registration = {
  exchangeId: number;
  extensionId: number;
  /** Tells the contacts of one extension apart. */
  key: string;
  contact: string;
  path: string[];
  callId: string;
  cseq: number;
  preference: number;
  transport: string;
  sourceAddress: string;
  sourcePort: number;
  listener: string;
  /** Whose word a proxy of ours at the edge passed on; null where there is none between. */
  clientAddress: string | null;
  clientPort: number | null;
  userAgent: string;
  /** It picks up when told to. */
  takesTalk: boolean;
  registeredAtMs: number;
  expiresAtMs: number;
};

export type RegistrationKey = { extensionId: number; key: string };

/** Those that had not expired at that time, the oldest first. */
export function liveRegistrations(db: Db, atMs: number): Promise<Registration[]> {
  return db.query<Registration>(
    sql`select exchange_id as "exchangeId", extension_id as "extensionId", key, contact, path, call_id as "callId", cseq,
       preference, transport, source_address as "sourceAddress", source_port as "sourcePort", listener,
       client_address as "clientAddress", client_port as "clientPort", user_agent as "userAgent", takes_talk as "takesTalk", extract(epoch from registered_at)::float8 * 1000 as "registeredAtMs",
       extract(epoch from expires_at)::float8 * 1000 as "expiresAtMs"
     from registrations where expires_at > to_timestamp($1::float8 / 1000) order by registered_at`,
    [atMs],
  );
}

/**
 * All of a moment's changes in one statement, so that thousands of phones a second cost a few dozen commits.
 * One document in, because binding as many arrays costs more than the rest of the write. No key may be there twice.
 */
export async function saveRegistrations(db: Db, saved: Registration[]): Promise<void> {
  if (saved.length === 0) return;
  await db.query(
    sql`insert into registrations (exchange_id, extension_id, key, contact, path, call_id, cseq, preference, transport,
       source_address, source_port, listener, client_address, client_port, user_agent, takes_talk, registered_at,
       expires_at)
     select "exchangeId", "extensionId", key, contact, path, "callId", cseq, preference, transport,
       "sourceAddress", "sourcePort", listener, "clientAddress", "clientPort", "userAgent", "takesTalk",
       to_timestamp("registeredAtMs" / 1000), to_timestamp("expiresAtMs" / 1000)
     from json_to_recordset($1::json) as saved ("exchangeId" bigint, "extensionId" bigint, key text, contact text,
       path jsonb, "callId" text, cseq bigint, preference real, transport text, "sourceAddress" text,
       "sourcePort" integer, listener text, "clientAddress" text, "clientPort" integer, "userAgent" text, "takesTalk" boolean, "registeredAtMs" float8, "expiresAtMs" float8)
     on conflict (extension_id, key) do update set contact = excluded.contact, path = excluded.path,
       call_id = excluded.call_id, cseq = excluded.cseq, preference = excluded.preference,
       transport = excluded.transport, source_address = excluded.source_address, source_port = excluded.source_port,
       listener = excluded.listener, client_address = excluded.client_address, client_port = excluded.client_port,
       user_agent = excluded.user_agent, takes_talk = excluded.takes_talk, registered_at = excluded.registered_at,
       expires_at = excluded.expires_at
       where registrations.exchange_id = excluded.exchange_id`,
    [JSON.stringify(saved)],
  );
}

export async function removeRegistrations(db: Db, removed: RegistrationKey[]): Promise<void> {
  if (removed.length === 0) return;
  await db.query(
    sql`delete from registrations using unnest($1::bigint[], $2::text[]) as gone (extension_id, key)
     where registrations.extension_id = gone.extension_id and registrations.key = gone.key`,
    [removed.map(({ extensionId }) => extensionId), removed.map(({ key }) => key)],
  );
}

/** Rows of phones that went silent while nobody was there to notice. */
export async function removeExpiredRegistrations(db: Db, beforeMs: number): Promise<void> {
  await db.query(sql`delete from registrations where expires_at <= to_timestamp($1::float8 / 1000)`, [beforeMs]);
}
