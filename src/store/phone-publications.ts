// What phones publish of their owners, kept so that a restart does not call back whoever is away.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type PhonePublication = { tag: string; isOpen: boolean; note: string; expiresAtMs: number };

/** Those that had not run out at that time, of every exchange; the one that runs out last comes last. */
export function livePublications(
  db: Db,
  atMs: number,
): Promise<(PhonePublication & { exchangeId: number; number: string })[]> {
  return db.query(
    sql`select p.exchange_id as "exchangeId", e.number, p.tag, p.is_open as "isOpen", p.note,
       extract(epoch from p.expires_at)::float8 * 1000 as "expiresAtMs"
     from phone_publications p join extensions e on e.id = p.extension_id and e.exchange_id = p.exchange_id
     where p.expires_at > to_timestamp($1::float8 / 1000) order by p.expires_at`,
    [atMs],
  );
}

/** In place of whatever the extension's phones had published before. */
export function savePublications(
  db: Db,
  { exchangeId, number, publications }: { exchangeId: number; number: string; publications: PhonePublication[] },
): Promise<void> {
  return db.transaction(async (db) => {
    await db.query(
      sql`delete from phone_publications p using extensions e
       where e.exchange_id = $1 and e.number = $2 and p.exchange_id = $1 and p.extension_id = e.id`,
      [exchangeId, number],
    );
    await db.query(
      sql`insert into phone_publications (exchange_id, extension_id, tag, is_open, note, expires_at)
       select e.exchange_id, e.id, tag, "isOpen", note, to_timestamp("expiresAtMs" / 1000)
       from extensions e, json_to_recordset($3::json)
         as saved (tag text, "isOpen" boolean, note text, "expiresAtMs" float8)
       where e.exchange_id = $1 and e.number = $2`,
      [exchangeId, number, JSON.stringify(publications)],
    );
  });
}
