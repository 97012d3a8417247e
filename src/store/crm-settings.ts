// Which call events an exchange wants to be told, and where.

import type { Db } from "./db.ts";
import { updateExchange } from "./exchanges.ts";
import { sql } from "./sql.ts";

export type CrmSettings = { ringing: boolean; answered: boolean; hangup: boolean; url: string | null };

export async function readCrmSettings(
  db: Db,
  exchangeId: number,
): Promise<(CrmSettings & { probe: boolean }) | undefined> {
  const [row] = await db.query<CrmSettings & { probe: boolean }>(
    sql`select crm_ringing as ringing, crm_answered as answered, crm_hangup as hangup, crm_url as url, crm_probe as probe
     from exchanges where id = $1`,
    [exchangeId],
  );
  return row;
}

/** What is left out stays as it is. */
export function changeCrmSettings(
  db: Db,
  exchangeId: number,
  { ringing, answered, hangup, url }: { [Name in keyof CrmSettings]?: CrmSettings[Name] | undefined },
): Promise<void> {
  const changes = { crm_ringing: ringing, crm_answered: answered, crm_hangup: hangup, crm_url: url };
  return updateExchange(db, exchangeId, changes);
}
