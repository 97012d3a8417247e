// Which numbers the exchange's contacts have already, however they were typed.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** `number` in the form 0…, or 00… abroad; contacts are stored as people typed them, so the usual spellings are tried. */
export function spellingsOf(number: string): string[] {
  const significant = number.replace(/^(\+90|0090|90|0)/, "");
  const abroad = /^00[1-9]/.test(number) ? [`+${number.slice(2)}`] : [];
  return [number, significant, `0${significant}`, `90${significant}`, `+90${significant}`, ...abroad];
}

/** Of these numbers, the spellings that are there. */
export async function knownPhones(db: Db, exchangeId: number, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ phone: string }>(
    sql`select phone from contacts where exchange_id = $1 and phone = any($2)`,
    [exchangeId, numbers.flatMap(spellingsOf)],
  );
  return new Set(rows.map(({ phone }) => phone));
}
