// The roles of the embedded server: its superuser makes them at a start, and is not used for anything else.

import type { Clock } from "../clock.ts";
import { type DatabaseUrls, openDatabase } from "./db.ts";
import { connectionTo } from "./embedded.ts";
import { literal, quoted, sql } from "./sql.ts";

export const OWNER = "santral_owner";
export const SERVER = "santral_server";
export const TENANT = "santral_tenant";

export function embeddedUrls(socketFolder: string, database = "postgres"): DatabaseUrls {
  const as = (role: string) => connectionTo(socketFolder, database, role);
  return { owner: as(OWNER), server: as(SERVER), tenants: as(TENANT) };
}

/** Also hands over what was made while the superuser still did everything. */
export async function prepareRoles(superuser: string, clock: Clock): Promise<void> {
  const db = openDatabase(superuser, clock, { connections: 1 });
  try {
    await db.transaction(async (db) => {
      const known = await db.query<{ name: string }>(sql`select rolname as name from pg_roles`);
      for (const role of [OWNER, SERVER, TENANT])
        if (!known.some(({ name }) => name === role)) await db.query(sql`create role ${quoted(role)} login`);
      const [database] = await db.query<{ name: string; owner: string }>(
        sql`select datname as name, pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()`,
      );
      if (!database || database.owner === OWNER) return;
      await db.query(sql`alter database ${quoted(database.name)} owner to ${quoted(OWNER)}`);
      await db.query(sql`alter schema public owner to ${quoted(OWNER)}`);
      // For filling tables by the million: see demo/fill.ts.
      await db.query(sql`grant set on parameter session_replication_role to ${quoted(OWNER)}`);
      await db.query(HAND_OVER);
    });
  } finally {
    await db.close();
  }
}

// Indexes and the sequences of columns follow their tables.
const HAND_OVER = sql`do $$
  declare thing record;
  begin
    for thing in select oid::regclass as name from pg_class
        where relnamespace = 'public'::regnamespace and (relkind in ('r', 'p') or relkind = 'S'
          and not exists (select from pg_depend where objid = pg_class.oid and deptype in ('i', 'a'))) loop
      execute format('alter table %s owner to %I', thing.name, ${literal(OWNER)});
    end loop;
    for thing in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace loop
      execute format('alter routine %s owner to %I', thing.name, ${literal(OWNER)});
    end loop;
  end $$`;
