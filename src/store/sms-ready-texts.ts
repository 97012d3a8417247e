// Texts that are kept ready for sending, each under a name.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ReadyText = { id: number; name: string; text: string };

export function listReadyTexts(db: Db, exchangeId: number): Promise<ReadyText[]> {
  return db.query<ReadyText>(
    sql`select id, name, text from sms_ready_texts where exchange_id = $1 order by lower(name), id`,
    [exchangeId],
  );
}

/** Under a name that is there already it takes the place of the former text. */
export async function setReadyText(
  db: Db,
  exchangeId: number,
  { name, text }: { name: string; text: string },
): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into sms_ready_texts (exchange_id, name, text) values ($1, $2, $3)
     on conflict (exchange_id, name) do update set text = excluded.text returning id`,
    [exchangeId, name, text],
  );
  return row!.id; // written either way
}

export async function deleteReadyText(db: Db, exchangeId: number, name: string): Promise<boolean> {
  const deleted = await db.query(sql`delete from sms_ready_texts where exchange_id = $1 and name = $2 returning id`, [
    exchangeId,
    name,
  ]);
  return deleted.length > 0;
}
