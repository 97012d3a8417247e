// Which call events an exchange wants to be told, and where.

import type { EventSwitch } from "../nouns/exchange.ts";
import type { Db } from "./db.ts";
import { eventSwitchColumns } from "./event-receivers.ts";
import { updateExchange } from "./exchanges.ts";
import { sql } from "./sql.ts";

export type CrmSettings = Record<EventSwitch, boolean> & { url: string | null };

export async function readCrmSettings(
  db: Db,
  exchangeId: number,
): Promise<(CrmSettings & { probe: boolean }) | undefined> {
  const [row] = await db.query<CrmSettings & { probe: boolean }>(
    sql`select ${eventSwitchColumns}, crm_url as url, crm_probe as probe
     from exchanges where id = $1`,
    [exchangeId],
  );
  return row;
}

/** What is left out stays as it is. */
export function changeCrmSettings(
  db: Db,
  exchangeId: number,
  changes: { [Name in keyof CrmSettings]?: CrmSettings[Name] | undefined },
): Promise<void> {
  return updateExchange(
    db,
    exchangeId,
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [`crm_${name}`, value])),
  );
}
