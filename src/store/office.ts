// Whether an exchange's office is open, and the switch by which somebody says so by hand.

import type { OfficeSwitch } from "../nouns/choices.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Office = { switch: OfficeSwitch; hours: string[]; timeZone: string };

export async function readOffice(db: Db, exchangeId: number): Promise<Office | undefined> {
  const [office] = await db.query<Office>(
    sql`select office_switch as switch, office_hours as hours, time_zone as "timeZone" from exchanges where id = $1`,
    [exchangeId],
  );
  return office;
}

export async function switchOffice(db: Db, exchangeId: number, to: OfficeSwitch): Promise<void> {
  await db.query(sql`update exchanges set office_switch = $2 where id = $1`, [exchangeId, to]);
}
