// One numbering for everything a phone inside can dial: extensions, queues, ring groups and voice menus.

import { ALWAYS_EMERGENCY } from "../nouns/choices.ts";
import type { Db } from "./db.ts";
import type { Noun, SetupRefusal, User } from "./refusal.ts";
import { joined, literal, type Sql, sql } from "./sql.ts";

const homes: Record<Noun, Sql> = {
  extension: sql`extensions`,
  queue: sql`queues`,
  group: sql`ring_groups`,
  menu: sql`menus`,
};

const IN_ANY_HOME = joined(
  Object.entries(homes).map(
    ([noun, table]) => sql`select ${literal(noun)} as noun from ${table} where exchange_id = $1 and number = $2`,
  ),
  " union all ",
);

const forms: Record<Noun, RegExp> = {
  extension: /^[0-9]{2,8}$/,
  queue: /^[0-9]{1,8}$/,
  group: /^[0-9]{1,8}$/,
  menu: /^[0-9]{1,8}$/,
};

/** Why a new extension, queue, group or menu cannot have this number; nothing when it can. */
export async function whyNumberIsNotFree(
  db: Db,
  { exchangeId, noun, number }: { exchangeId: number; noun: Noun; number: string },
): Promise<SetupRefusal | undefined> {
  if (!forms[noun].test(number)) return { refused: "bad-number", number, least: noun === "extension" ? 2 : 1, most: 8 };
  if ((await emergencyNumbers(db, exchangeId)).has(number)) return { refused: "emergency-number", number };
  return whoHas(db, exchangeId, number);
}

/** Why these cannot become the exchange's emergency numbers: whoever has one inside could no longer be called by it. */
export async function whyNotForHelp(
  db: Db,
  exchangeId: number,
  wanted: readonly string[],
): Promise<SetupRefusal | undefined> {
  const already = await emergencyNumbers(db, exchangeId);
  for (const number of wanted) {
    const taken = already.has(number) ? undefined : await whoHas(db, exchangeId, number);
    if (taken) return taken;
  }
  return undefined;
}

export type EmergencyNumberInside = { exchangeId: number; number: string; noun: Noun };

/** Inside numbers that were there before: whoever dials one of them calls for help, and nobody else. */
export function emergencyNumbersInside(db: Db): Promise<EmergencyNumberInside[]> {
  const inside = Object.entries(homes).map(
    ([noun, table]) => sql`select exchange_id, number, ${literal(noun)} as noun from ${table}`,
  );
  return db.query<EmergencyNumberInside>(
    sql`select exchange_id as "exchangeId", inside.number, noun from (${joined(inside, " union all ")}) as inside
       join exchanges on exchanges.id = exchange_id
     where inside.number = any(emergency_numbers || $1::text) order by exchange_id, inside.number`,
    [ALWAYS_EMERGENCY],
  );
}

async function emergencyNumbers(db: Db, exchangeId: number): Promise<ReadonlySet<string>> {
  const [row] = await db.query<{ numbers: string[] }>(
    sql`select emergency_numbers as numbers from exchanges where id = $1`,
    [exchangeId],
  );
  return new Set([ALWAYS_EMERGENCY, ...(row?.numbers ?? [])]);
}

async function whoHas(db: Db, exchangeId: number, number: string): Promise<SetupRefusal | undefined> {
  const [taken] = await db.query<{ noun: Noun }>(IN_ANY_HOME, [exchangeId, number]);
  return taken && { refused: "number-taken", number, by: taken.noun };
}

export async function isInDialPlan(
  db: Db,
  { exchangeId, noun, number }: { exchangeId: number; noun: Noun; number: string },
): Promise<boolean> {
  const found = await db.query(sql`select 1 from ${homes[noun]} where exchange_id = $1 and number = $2`, [
    exchangeId,
    number,
  ]);
  return found.length > 0;
}

/** Where calls are sent to `target` (in the form `queue/200`), so that it is not deleted under them. */
export async function usersOfTarget(db: Db, exchangeId: number, target: string): Promise<User[]> {
  return db.query<User>(
    sql`select 'number' as noun, number as which from external_numbers
       where exchange_id = $1 and $2 in (target, closed_target)
     union all select 'queue', number from queues where exchange_id = $1 and overflow_target = $2
     union all select 'group', number from ring_groups where exchange_id = $1 and no_answer_target = $2
     union all select 'holiday', day::text from holidays where exchange_id = $1 and target = $2
     union all select 'menu', number from menus
       where exchange_id = $1 and ($2 in (timeout_target, invalid_target)
         or exists (select 1 from jsonb_each_text(key_targets) where value = $2))`,
    [exchangeId, target],
  );
}
