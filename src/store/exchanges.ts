// Exchanges: the tenants. Whatever is stored belongs to one, and goes with it.

import { exchange } from "../nouns/exchange.ts";
import type { Changes } from "../nouns/field.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Db } from "./db.ts";
import { newSigningSecret, signingSecretOf } from "./event-receivers.ts";
import { type SetupRefusal, unlessTaken } from "./refusal.ts";
import { sealing } from "./sealing.ts";
import { joined, sql } from "./sql.ts";
import { approveOfTheOnlyOne } from "./trunk-approvals.ts";
import { assignments, shownColumn } from "./update.ts";

export type Exchange = {
  id: number;
  name: string;
  sipDomain: string;
  timeZone: string;
  createdAt: Date;
};

const columns = sql`id, name, sip_domain as "sipDomain", time_zone as "timeZone", created_at as "createdAt"`;

export function createExchange(
  db: Db,
  secrets: Secrets,
  { name, sipDomain, timeZone = "Europe/Istanbul" }: { name: string; sipDomain: string; timeZone?: string },
): Promise<Exchange | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "SIP domain", name: sipDomain }, (db) =>
    sealing(db, secrets, async (db, seal) => {
      await approveOfTheOnlyOne(db);
      const id = await nextExchangeId(db); // first, since its secret is bound to it
      const [row] = await db.query<Exchange>(
        sql`insert into exchanges (id, name, sip_domain, time_zone, crm_secret) values ($1, $2, $3, $4, $5)
         returning ${columns}`,
        [id, name, sipDomain.toLowerCase(), timeZone, seal(signingSecretOf(id), newSigningSecret())],
      );
      return row!; // an insert without a condition returns its row
    }),
  );
}

export async function nextExchangeId(db: Db): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('exchanges', 'id')) as id`);
  return row!.id; // a select without a source has one row
}

export function listExchanges(db: Db): Promise<Exchange[]> {
  return db.query<Exchange>(sql`select ${columns} from exchanges order by id`);
}

export async function findExchange(db: Db, id: number): Promise<Exchange | undefined> {
  const [row] = await db.query<Exchange>(sql`select ${columns} from exchanges where id = $1`, [id]);
  return row;
}

/** Everything there is to know of one exchange, by column name. */
export async function describeExchange(db: Db, id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await db.query(sql`select * from exchanges where id = $1`, [id]);
  return row;
}

/** Settings by column name; a time of day as hours and minutes. */
export async function readExchangeSettings<Row>(
  db: Db,
  id: number,
  wanted: readonly (keyof typeof exchange.fields)[],
): Promise<Row | undefined> {
  const columns = wanted.map((name) => shownColumn(name, exchange.fields[name]));
  const [row] = await db.query<Row>(sql`select ${joined(columns, ", ")} from exchanges where id = $1`, [id]);
  return row;
}

export async function updateExchange(db: Db, id: number, changes: Changes<typeof exchange>): Promise<void> {
  const { list, values } = assignments(exchange, changes, 2);
  if (values.length > 0) await db.query(sql`update exchanges set ${list} where id = $1`, [id, ...values]);
}

export async function deleteExchange(db: Db, id: number): Promise<boolean> {
  const deleted = await db.query(sql`delete from exchanges where id = $1 returning id`, [id]);
  return deleted.length > 0;
}

/** Those that may call numbers which cost far more than a call does. */
export async function exchangesWithPremiumCalls(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`select id from exchanges where premium_calls order by id`);
  return rows.map(({ id }) => id);
}
