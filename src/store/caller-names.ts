// The name behind a calling number, as the exchange's own contacts know it.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `number` in the national form 0…; contacts are stored as people typed them, so the usual spellings are tried. */
export async function nameOfCaller(
  db: Db,
  { exchangeId, number }: { exchangeId: number; number: string },
): Promise<string | undefined> {
  const significant = number.replace(/^(\+90|0090|90|0)/, "");
  const spellings = [number, significant, `0${significant}`, `90${significant}`, `+90${significant}`];
  const [found] = await db.query<{ name: string }>(
    sql`select trim(name || ' ' || surname) as name from contacts
     where exchange_id = $1 and phone = any($2) order by id limit 1`,
    [exchangeId, spellings],
  );
  return found?.name;
}
