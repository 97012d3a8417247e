// The database's own walls. Three roles: one owns the schema and is used for migrations alone; the server's sees every
// row and owns nothing; what a tenant asks for runs under a third, to which only the rows of his exchange exist.

import { createHash } from "node:crypto";
import type { Db } from "./db.ts";
import { despiteDeadlocks } from "./deadlocks.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { fencesFor } from "./raise-fences.ts";
import { literal, quoted, type Sql, sql } from "./sql.ts";

/**
 * Without a role for tenants there is no wall between them but our own statements. `fenced`: several nodes share the
 * database, and each sees and writes what lives on it alone.
 */
export type Roles = { server: string; tenant: string | undefined; fenced?: boolean };

/** The session's setting that says whose rows exist. Where it was not set there are none. */
const OWN = sql`(select nullif(current_setting('santral.exchange', true), '')::bigint)`;

/** Rows that have no exchange of their own are seen by whoever sees what they belong to. */
const throughParent: Readonly<Record<string, Sql>> = {
  exchanges: sql`id = ${OWN}`,
  cdr_legs: sql`exists (select from cdrs where cdrs.call_uuid = cdr_legs.call_uuid)`,
  call_stories: sql`exists (select from cdrs where cdrs.call_uuid = call_stories.call_uuid)`,
  sip_traces: sql`exists (select from cdrs where cdrs.call_uuid = sip_traces.call_uuid)`,
  campaign_counts: sql`exists (select from call_campaigns where call_campaigns.id = campaign_counts.campaign_id)`,
  staff_sessions: sql`exists (select from staff where staff.id = staff_sessions.staff_id)`,
  trunk_states: sql`exists (select from trunks where trunks.id = trunk_states.trunk_id)`,
  sms_parts: sql`exists (select from sms_messages where sms_messages.id = sms_parts.message_id)`,
  sms_owed_pushes: sql`exists (select from sms_accounts where sms_accounts.id = sms_owed_pushes.account_id)`,
  sms_claims: sql`exists (select from sms_carriers where sms_carriers.id = sms_claims.carrier_id)`,
};

/** Of the nodes' own business a tenant's role sees nothing, though its rows name an exchange. */
const withoutWall: readonly string[] = ["exchange_owners"];

/** A tenant neither makes nor ends exchanges. */
const lesserRights: Readonly<Record<string, Sql>> = { exchanges: sql`select, update` };

/** Run by the owner of the tables, after the migrations and under their lock. Does nothing where the walls stand as they should. */
export function raiseWalls(db: Db, roles: Roles): Promise<"raised" | "stood already"> {
  // Our own signs of life, and other nodes, hold tables meanwhile, and in another order.
  return despiteDeadlocks(() => db.transaction((db) => raise(db, roles)));
}

async function raise(db: Db, roles: Roles): Promise<"raised" | "stood already"> {
  await db.query(sql`select pg_advisory_xact_lock($1)`, [MIGRATION_LOCK]);
  const statements = await wallsFor(db, roles);
  // Rights are given on all tables at once: one that is new changes no statement, and needs them all the same.
  const tables = await db.query<{ oid: number }>(
    sql`select oid::int8 as oid from pg_class where relnamespace = current_schema()::regnamespace
         and relkind in ('r', 'p', 'S') order by 1`,
  );
  const text = `${statements.join("\n")}\n${tables.map(({ oid }) => oid).join(" ")}`;
  const plan = `walls ${createHash("sha256").update(text).digest("hex")}`;
  // Noted at a table, which is ours in any case: the schema may be the operator's.
  const [noted] = await db.query<{ plan: string | null }>(
    sql`select obj_description('migrations'::regclass, 'pg_class') as plan`,
  );
  if (noted?.plan === plan) return "stood already";
  for (const statement of statements) await db.query(statement);
  await db.query(sql`comment on table migrations is ${literal(plan)}`);
  return "raised";
}

async function wallsFor(db: Db, { server, tenant, fenced = false }: Roles): Promise<Sql[]> {
  const tables = await db.query<{ name: string; tenants: boolean }>(
    sql`select relname as name, exists (select from pg_attribute
         where attrelid = pg_class.oid and attname = 'exchange_id' and not attisdropped) as tenants
       from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`,
  );
  const roles = { server: quoted(server), tenant: tenant === undefined ? undefined : quoted(tenant) };
  const all = [roles.server, ...(roles.tenant ? [roles.tenant] : [])];
  const [schema] = await db.query<{ isOurs: boolean }>(
    sql`select pg_has_role(nspowner, 'usage') as "isOurs" from pg_namespace where nspname = 'public'`,
  );
  const ofSchema = [
    sql`revoke create on schema public from public`,
    ...all.map((role) => sql`grant usage on schema public to ${role}`),
  ];
  return [
    ...(schema?.isOurs ? ofSchema : []),
    sql`grant select, insert, update, delete on all tables in schema public to ${roles.server}`,
    sql`grant usage, select, update on all sequences in schema public to ${roles.server}`,
    ...tables.flatMap(({ name, tenants }) => {
      const seen = throughParent[name] ?? (tenants ? sql`exchange_id = ${OWN}` : undefined);
      const isWalled = seen !== undefined && roles.tenant !== undefined && !withoutWall.includes(name);
      return isWalled ? wallAround(name, seen, { ...roles, tenant: roles.tenant! }) : []; // known by the line before
    }),
    ...(await fencesFor(db, { tables, throughParent, server: roles.server, fenced })),
  ];
}

function wallAround(name: string, seen: Sql, { server, tenant }: { server: Sql; tenant: Sql }): Sql[] {
  const table = quoted(name);
  return [
    sql`alter table ${table} enable row level security`,
    sql`drop policy if exists server on ${table}`,
    sql`create policy server on ${table} to ${server} using (true) with check (true)`,
    sql`drop policy if exists tenant on ${table}`,
    sql`create policy tenant on ${table} to ${tenant} using (${seen}) with check (${seen})`,
    sql`grant ${lesserRights[name] ?? sql`select, insert, update, delete`} on ${table} to ${tenant}`,
  ];
}
