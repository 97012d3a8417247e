// How far people have set an exchange up. What a first run makes is nobody's doing: of what it makes as well, the audit
// trail says whether somebody has put a hand to it.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** As the first run calls it. */
export const DEMO_NAME = "Demo exchange";

export type SetupFacts = {
  /** It has a name, language or time zone that somebody chose. */
  isNamed: boolean;
  /** A phone is connected, or was in a call. */
  hasPhone: boolean;
  hasCalls: boolean;
  /** Hours that somebody chose, or a holiday. */
  hasOwnHours: boolean;
  hasOwnMenu: boolean;
  hasOwnNumber: boolean;
  hasTrunk: boolean;
};

export async function readSetupFacts(db: Db, exchangeId: number): Promise<SetupFacts> {
  const [facts] = await db.query<SetupFacts>(
    sql`with calls as (select exists (select from cdrs where exchange_id = $1) as had)
     select
       name <> $2 or exists (select from audit_lines where exchange_id = $1 and did = 'settings.update'
         and details -> 'changes' ?| array['name', 'language', 'time_zone']) as "isNamed",
       calls.had or exists (select from registrations where exchange_id = $1) as "hasPhone",
       calls.had as "hasCalls",
       office_hours is distinct from week_of('08:00', '18:00', '{1,2,3,4,5}')
         or exists (select from holidays where exchange_id = $1) as "hasOwnHours",
       exists (select from audit_lines where exchange_id = $1 and (did in ('menus.create', 'menus.update')
         or (did = 'command' and details ->> 'command' ~ '^santral menu (create|set) '))) as "hasOwnMenu",
       exists (select from audit_lines where exchange_id = $1 and (did in ('numbers.create', 'numbers.update')
         or (did = 'command' and details ->> 'command' ~ '^santral number (create|set) '))) as "hasOwnNumber",
       exists (select from trunks where exchange_id = $1) as "hasTrunk"
     from exchanges, calls where id = $1`,
    [exchangeId, DEMO_NAME],
  );
  return facts!; // of the exchange of whoever is signed in
}
