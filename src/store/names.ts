// What an exchange has, by number and name.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type Named = { number: string; name: string };
export type Names = { extensions: Named[]; queues: Named[]; groups: Named[]; numbers: Named[] };

export async function listNames(db: Db, exchangeId: number): Promise<Names> {
  const rows = await db.query<Named & { what: keyof Names }>(
    sql`select * from (
       select 'extensions' as what, number, name from extensions where exchange_id = $1
       union all select 'queues', number, name from queues where exchange_id = $1
       union all select 'groups', number, name from ring_groups where exchange_id = $1
       union all select 'numbers', number, description from external_numbers where exchange_id = $1) named
     order by length(number), number`,
    [exchangeId],
  );
  const names: Names = { extensions: [], queues: [], groups: [], numbers: [] };
  for (const { what, number, name } of rows) names[what].push({ number, name });
  return names;
}
