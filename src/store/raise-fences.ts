// The database's fences between nodes: what a node whose life is over writes, or one in whose hands an exchange is not, the
// database itself refuses; and of what lives elsewhere a node sees nothing. Where one server is alone there are none.

import type { Db } from "./db.ts";
import { quoted, type Sql, sql } from "./sql.ts";

/** Tables that say who is alive and what lives where; and those of a schema's own history. */
const unfenced: readonly string[] = ["exchange_owners", "migrations", "nodes", "server_lease"];

type Fenced = {
  tables: readonly { name: string; tenants: boolean }[];
  throughParent: Readonly<Record<string, Sql>>;
  server: Sql;
  fenced: boolean;
};

export async function fencesFor(db: Db, { tables, throughParent, server, fenced }: Fenced): Promise<Sql[]> {
  const known = await db.query<{ name: string }>(
    sql`select relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid where tgname = 'fence'`,
  );
  const isFenced = new Set(known.map(({ name }) => name));
  // A server that is alone finds nothing to take away, as long as it always was.
  if (!fenced) return [...isFenced].sort().flatMap((name) => withoutFence(name, server));
  const [owner] = await db.query<{ isServer: boolean }>(sql`select quote_ident(current_user) = $1 as "isServer"`, [
    server.replaceAll('"', ""),
  ]);
  return tables
    .filter(({ name }) => !unfenced.includes(name))
    .flatMap(({ name, tenants }) => fenceAround(name, { tenants, server, parent: throughParent[name], ...owner }));
}

type Around = { tenants: boolean; server: Sql; parent: Sql | undefined; isServer?: boolean };

function fenceAround(name: string, { tenants, server, parent, isServer = false }: Around): Sql[] {
  const table = quoted(name);
  const seen = seenOf(name, { tenants, parent });
  const check = tenants || name === "exchanges" ? seen : sql`true`; // what it belongs to may come with the same statement
  return [
    ...(seen
      ? [
          sql`alter table ${table} enable row level security`,
          // Who owns the tables is not held by their walls unless it is said.
          isServer
            ? sql`alter table ${table} force row level security`
            : sql`alter table ${table} no force row level security`,
          sql`drop policy if exists server on ${table}`,
          sql`create policy server on ${table} to ${server} using (${seen}) with check (${check ?? seen})`,
        ]
      : []),
    sql`drop trigger if exists fence on ${table}`,
    sql`create trigger fence before insert or update or delete on ${table} for each row execute function ${fenceOf(name, tenants)}()`,
  ];
}

const EVERY = sql`(select sees_every_exchange())`;
const OWN = sql`(select own_exchanges())`;

function seenOf(name: string, { tenants, parent }: Pick<Around, "tenants" | "parent">): Sql | undefined {
  if (name === "exchanges") return sql`${EVERY} or id in ${OWN}`;
  if (name === "jobs") return sql`${EVERY} or exchange_id is null or exchange_id in ${OWN}`;
  if (parent) return sql`${EVERY} or ${parent}`;
  return tenants ? sql`${EVERY} or exchange_id in ${OWN}` : undefined;
}

function fenceOf(name: string, tenants: boolean): Sql {
  if (name === "exchanges") return sql`fence_exchange`;
  if (name === "jobs") return sql`fence_job`;
  return tenants ? sql`fence_row` : sql`fence_life`;
}

function withoutFence(name: string, server: Sql): Sql[] {
  const table = quoted(name);
  return [
    sql`drop trigger if exists fence on ${table}`,
    sql`alter table ${table} no force row level security`,
    sql`drop policy if exists server on ${table}`,
    sql`create policy server on ${table} to ${server} using (true) with check (true)`,
  ];
}
