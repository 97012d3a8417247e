// What belongs to an exchange, table by table, as the database itself says it: by a column that names the exchange, or
// by a foreign key to a row that does.

import type { Db } from "../../src/store/db.ts";
import { joined, literal, quoted, type Sql, sql } from "../../src/store/sql.ts";

/** Belonging that no foreign key tells. */
const told: Record<string, Sql> = {
  exchanges: sql`t.id = $1`,
  cdr_legs: sql`t.call_uuid in (select call_uuid from cdrs where exchange_id = $1)`,
  call_stories: sql`t.call_uuid in (select call_uuid from cdrs where exchange_id = $1)`,
  sip_traces: sql`t.call_uuid in (select call_uuid from cdrs where exchange_id = $1)`,
  jobs: sql`t.payload->>'exchangeId' = $1::text`,
};

/** Tables of the machine, in which nothing of an exchange stands. */
const nobodys: Record<string, string> = {
  exchange_owners: "which exchange lives on which server",
  migrations: "which migrations have run",
  nodes: "which servers live",
  server_lease: "which server has the database",
  written_batches: "how far streams of writes have come",
};

export type Fingerprint = Record<string, string>;

/** Which rows of which table belong to exchange $1. */
type Belongings = ReadonlyMap<string, Sql>;

type Link = { child: string; parent: string; columns: string[]; parents: string[] };

export async function belongingsIn(db: Db): Promise<{ belongings: Belongings; unclaimed: string[] }> {
  const tables = await db.query<{ name: string; hasExchange: boolean }>(
    sql`select relname as name, exists (select from pg_attribute where attrelid = c.oid and attname = 'exchange_id'
       and not attisdropped) as "hasExchange"
     from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  const links = await db.query<Link>(
    sql`select child.relname as child, parent.relname as parent,
       array(select attname::text from unnest(conkey) with ordinality as k (number, place)
         join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns,
       array(select attname::text from unnest(confkey) with ordinality as k (number, place)
         join pg_attribute on attrelid = confrelid and attnum = number order by place) as parents
     from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2, conname`,
  );
  const belongings = new Map<string, Sql>();
  for (const { name, hasExchange } of tables) {
    if (name in nobodys) continue;
    const condition = told[name] ?? (hasExchange ? sql`t.exchange_id = $1` : undefined);
    if (condition) belongings.set(name, condition);
  }
  for (let found = -1; found !== belongings.size; ) {
    found = belongings.size;
    for (const link of links) {
      const above = belongings.get(link.parent);
      if (above && !belongings.has(link.child) && !(link.child in nobodys))
        belongings.set(link.child, below(link, above));
    }
  }
  const unclaimed = tables.map(({ name }) => name).filter((name) => !belongings.has(name) && !(name in nobodys));
  return { belongings, unclaimed };
}

function below({ parent, columns, parents }: Link, above: Sql): Sql {
  const named = (names: string[]) =>
    joined(
      names.map((name) => sql`t.${quoted(name)}`),
      ", ",
    );
  return sql`(${named(columns)}) in (select ${named(parents)} from ${quoted(parent)} t where ${above})`;
}

/** Seen from inside a transaction, if one is given. */
export type FingerprintOf = (exchangeId: number, inside?: Db) => Promise<Fingerprint>;

/** How many rows each table has of an exchange, and the sum of what stands in them. */
export async function openFingerprints(db: Db): Promise<FingerprintOf> {
  const { belongings } = await belongingsIn(db);
  const sums = [...belongings].map(
    ([name, condition]) =>
      sql`select ${literal(name)} as name,
         count(*) || ' rows ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as sum
       from ${quoted(name)} t where ${condition}`,
  );
  const statement = joined(sums, " union all ");
  return async (exchangeId, inside = db) => {
    const rows = await inside.query<{ name: string; sum: string }>(statement, [exchangeId]);
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
  };
}
