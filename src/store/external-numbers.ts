// External numbers: the numbers the world dials to reach an exchange, and where their calls go.

import { externalNumber } from "../nouns/external-number.ts";
import type { Changes } from "../nouns/field.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, type User, unlessTaken } from "./refusal.ts";
import { sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

export type ExternalNumber = {
  id: number;
  number: string;
  description: string;
  target: string;
  closedTarget: string | null;
  officeHours: string[] | null;
  trunk: string | null;
};

const columns = sql`external_numbers.id, number, description, target, closed_target as "closedTarget",
  office_hours as "officeHours", trunks.name as trunk`;

const source = sql`external_numbers left join trunks on trunks.id = trunk_id`;

export function createExternalNumber(
  db: Db,
  wanted: { exchangeId: number; number: string; target: string; changes?: Changes<typeof externalNumber> },
): Promise<ExternalNumber | SetupRefusal> {
  const { exchangeId, number, target, changes = {} } = wanted;
  // A number belongs to one exchange in the whole server, or nobody would know whom to ring.
  return unlessTaken(db, { refused: "number-taken", number, by: "exchange" }, async (db) => {
    await db.query(sql`insert into external_numbers (exchange_id, number, target) values ($1, $2, $3)`, [
      exchangeId,
      number,
      target,
    ]);
    await updateExternalNumber(db, { exchangeId, number, changes });
    const row = await findExternalNumber(db, exchangeId, number);
    return row!; // written above in this transaction
  });
}

export function listExternalNumbers(db: Db, exchangeId: number): Promise<ExternalNumber[]> {
  return db.query<ExternalNumber>(
    sql`select ${columns} from ${source} where external_numbers.exchange_id = $1 order by number`,
    [exchangeId],
  );
}

export async function findExternalNumber(
  db: Db,
  exchangeId: number,
  number: string,
): Promise<ExternalNumber | undefined> {
  const [row] = await db.query<ExternalNumber>(
    sql`select ${columns} from ${source} where external_numbers.exchange_id = $1 and number = $2`,
    [exchangeId, number],
  );
  return row;
}

export function updateExternalNumber(
  db: Db,
  { exchangeId, number, changes }: { exchangeId: number; number: string; changes: Changes<typeof externalNumber> },
): Promise<boolean> {
  return updateOwn(db, externalNumber, { exchangeId, which: number, changes });
}

export async function deleteExternalNumber(
  db: Db,
  exchangeId: number,
  number: string,
): Promise<SetupRefusal | undefined> {
  const [by] = await db.query<User>(
    sql`select 'extension' as noun, number as which from extensions where exchange_id = $1 and outbound_caller_id = $2
     union all select 'rule', name from outbound_rules where exchange_id = $1 and caller_id = $2
     union all select 'default caller ID', '' from exchanges where id = $1 and default_caller_id = $2`,
    [exchangeId, number],
  );
  if (by) return { refused: "in-use", what: "external number", which: number, by };
  const deleted = await db.query(
    sql`delete from external_numbers where exchange_id = $1 and number = $2 returning id`,
    [exchangeId, number],
  );
  return deleted.length > 0 ? undefined : { refused: "not-found", what: "external number", which: number };
}
