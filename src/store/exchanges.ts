// Exchanges: the tenants. Whatever is stored belongs to one, and goes with it.

import type { Db } from "./db.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";

export type Exchange = {
  id: number;
  name: string;
  sipDomain: string;
  timeZone: string;
  createdAt: Date;
};

const columns = `id, name, sip_domain as "sipDomain", time_zone as "timeZone", created_at as "createdAt"`;

export function createExchange(
  db: Db,
  { name, sipDomain, timeZone = "Europe/Istanbul" }: { name: string; sipDomain: string; timeZone?: string },
): Promise<Exchange | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "SIP domain", name: sipDomain }, async (db) => {
    const [row] = await db.query<Exchange>(
      `insert into exchanges (name, sip_domain, time_zone) values ($1, $2, $3) returning ${columns}`,
      [name, sipDomain.toLowerCase(), timeZone],
    );
    return row!; // an insert without a condition returns its row
  });
}

export function listExchanges(db: Db): Promise<Exchange[]> {
  return db.query<Exchange>(`select ${columns} from exchanges order by id`);
}

export async function findExchange(db: Db, id: number): Promise<Exchange | undefined> {
  const [row] = await db.query<Exchange>(`select ${columns} from exchanges where id = $1`, [id]);
  return row;
}

/** Everything there is to know of one exchange, by column name. */
export async function describeExchange(db: Db, id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.query("select * from exchanges where id = $1", [id]);
  return row;
}

/** `changes` is keyed by column: the caller has checked both names and values. */
export async function updateExchange(db: Db, id: number, changes: Record<string, unknown>): Promise<void> {
  const names = Object.keys(changes);
  if (names.length === 0) return;
  const assignments = names.map((name, index) => `${name} = $${index + 2}`).join(", ");
  await db.query(`update exchanges set ${assignments} where id = $1`, [id, ...Object.values(changes)]);
}

export async function deleteExchange(db: Db, id: number): Promise<boolean> {
  const deleted = await db.query("delete from exchanges where id = $1 returning id", [id]);
  return deleted.length > 0;
}
