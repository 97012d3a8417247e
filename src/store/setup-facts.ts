// How far an exchange is set up, as its own rows say it.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type SetupFacts = {
  name: string;
  language: string;
  extensions: number;
  menus: number;
  numbers: number;
  trunks: number;
  hasCalls: boolean;
  /** Hours that somebody chose, or a holiday. */
  hasOwnHours: boolean;
};

export async function readSetupFacts(db: Db, exchangeId: number): Promise<SetupFacts> {
  const [facts] = await db.query<SetupFacts>(
    sql`select name, language,
       (select count(*) from extensions where exchange_id = $1 and active) as extensions,
       (select count(*) from menus where exchange_id = $1) as menus,
       (select count(*) from external_numbers where exchange_id = $1) as numbers,
       (select count(*) from trunks where exchange_id = $1) as trunks,
       exists (select from cdrs where exchange_id = $1) as "hasCalls",
       office_hours is distinct from week_of('08:00', '18:00', '{1,2,3,4,5}')
         or exists (select from holidays where exchange_id = $1) as "hasOwnHours"
     from exchanges where id = $1`,
    [exchangeId],
  );
  return facts!; // of the exchange of whoever is signed in
}
