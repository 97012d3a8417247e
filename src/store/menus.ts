// Voice menus: a welcome sound, and a target for each key.

import type { Changes } from "../nouns/field.ts";
import { menu } from "../nouns/menu.ts";
import type { Db } from "./db.ts";
import { usersOfTarget, whyNumberIsNotFree } from "./dial-plan.ts";
import type { SetupRefusal } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type Menu = {
  id: number;
  number: string;
  name: string;
  welcomeAnnouncementId: number | null;
  /** Key ("0" to "9", "*" or "#") to target. */
  keyTargets: Record<string, string>;
  timeoutTarget: string | null;
  invalidTarget: string | null;
  retries: number;
  keySeconds: number;
};

const columns = sql`id, number, name, welcome_announcement_id as "welcomeAnnouncementId", key_targets as "keyTargets",
  timeout_target as "timeoutTarget", invalid_target as "invalidTarget", retries, key_seconds as "keySeconds"`;

export async function createMenu(
  db: Db,
  wanted: { exchangeId: number; number: string; name: string; changes?: Changes<typeof menu> },
): Promise<Menu | SetupRefusal> {
  const { exchangeId, number, name, changes = {} } = wanted;
  return db.transaction(async (db) => {
    await db.query(sql`select 1 from exchanges where id = $1 for update`, [exchangeId]);
    const notFree = await whyNumberIsNotFree(db, { exchangeId, noun: "menu", number });
    if (notFree) return notFree;
    await db.query(sql`insert into menus (exchange_id, number, name) values ($1, $2, $3)`, [exchangeId, number, name]);
    await updateMenu(db, { exchangeId, number, changes });
    const menu = await findMenu(db, exchangeId, number);
    return menu!; // written above in this transaction
  });
}

export function listMenus(db: Db, exchangeId: number): Promise<Menu[]> {
  return db.query<Menu>(sql`select ${columns} from menus where exchange_id = $1 order by length(number), number`, [
    exchangeId,
  ]);
}

export async function findMenu(db: Db, exchangeId: number, number: string): Promise<Menu | undefined> {
  const [row] = await db.query<Menu>(sql`select ${columns} from menus where exchange_id = $1 and number = $2`, [
    exchangeId,
    number,
  ]);
  return row;
}

export function updateMenu(
  db: Db,
  { exchangeId, number, changes }: { exchangeId: number; number: string; changes: Changes<typeof menu> },
): Promise<boolean> {
  return updateOwn(db, menu, { exchangeId, which: number, changes });
}

export async function deleteMenu(db: Db, exchangeId: number, number: string): Promise<SetupRefusal | undefined> {
  const [by] = await usersOfTarget(db, exchangeId, `ivr/${number}`);
  if (by) return { refused: "in-use", what: "menu", which: number, by };
  const deleted = await db.query(sql`delete from menus where exchange_id = $1 and number = $2 returning id`, [
    exchangeId,
    number,
  ]);
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "menu", which: number };
}
