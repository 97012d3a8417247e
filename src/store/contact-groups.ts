// The groups of an exchange's contacts.

import { type ContactRefusal, refuseWrite } from "./contacts.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type ContactGroup = { id: number; name: string };

export function listContactGroups(db: Db, exchangeId: number): Promise<ContactGroup[]> {
  return db.query<ContactGroup>(sql`select id, name from contact_groups where exchange_id = $1 order by id`, [
    exchangeId,
  ]);
}

export function createContactGroup(db: Db, exchangeId: number, name: string): Promise<number | ContactRefusal> {
  return db.transaction(async (db) => {
    const refusal = await refuseWrite(db, exchangeId);
    if (refusal) return refusal;
    const [row] = await db.query<{ id: number }>(
      sql`insert into contact_groups (exchange_id, name) values ($1, $2) returning id`,
      [exchangeId, name],
    );
    return row!.id; // an insert without a condition returns its row
  });
}

export function renameContactGroup(
  db: Db,
  { exchangeId, id, name }: { exchangeId: number; id: number; name: string },
): Promise<undefined | ContactRefusal> {
  return write(db, exchangeId, (db) =>
    db.query(sql`update contact_groups set name = $3 where exchange_id = $1 and id = $2 returning id`, [
      exchangeId,
      id,
      name,
    ]),
  );
}

/** Its contacts stay; they only leave the group. */
export function deleteContactGroup(db: Db, exchangeId: number, id: number): Promise<undefined | ContactRefusal> {
  return write(db, exchangeId, (db) =>
    db.query(sql`delete from contact_groups where exchange_id = $1 and id = $2 returning id`, [exchangeId, id]),
  );
}

function write(
  db: Db,
  exchangeId: number,
  change: (db: Db) => Promise<unknown[]>,
): Promise<undefined | ContactRefusal> {
  return db.transaction(async (db) => {
    const refusal = await refuseWrite(db, exchangeId);
    if (refusal) return refusal;
    const changed = await change(db);
    return changed.length > 0 ? undefined : { refused: "not-found" };
  });
}
