// The name behind a calling number, as the exchange's own contacts know it.

import type { Db } from "./db.ts";
import { spellingsOf } from "./known-phones.ts";
import { sql } from "./sql.ts";

/**
 * `number` in the form 0…, or 00… abroad; contacts are stored as people typed them, so the usual spellings are tried. Of
 * several who have it the exchange's own contact goes before one of a source, a first number before a second one, and
 * the one that was there first before the others.
 */
export async function nameOfCaller(
  db: Db,
  { exchangeId, number }: { exchangeId: number; number: string },
): Promise<string | undefined> {
  const [found] = await db.query<{ name: string }>(
    sql`select trim(name || ' ' || surname) as name from contacts
     where exchange_id = $1 and (phone = any($2) or phone1 = any($2) or phone2 = any($2))
     order by source_id is not null, phone <> all($2), id limit 1`,
    [exchangeId, spellingsOf(number)],
  );
  return found?.name;
}
