// Who wrote when, as the database itself saw it: from the first question on a trigger on every table notes the life in which
// each row was written. Only what was committed is noted.

import type { Database } from "../../src/store/db.ts";
import { quoted, sql } from "../../src/store/sql.ts";

/** Rows by a life before the end of its lease, the tables of those after it, and how many everybody else wrote then. */
export type Noted = { before: number; after: string[]; othersAfter: number };

export type WatchedWrites = {
  of(life: number, leaseEnd: Date): Promise<Noted>;
};

export async function watchWrites(db: Database): Promise<WatchedWrites> {
  await db.query(sql`create schema drill`);
  await db.query(sql`create table drill.writes (at timestamptz not null, life text not null, what text not null)`);
  await db.query(sql`create function drill.note() returns trigger language plpgsql security definer as $$
    begin
      insert into drill.writes values (clock_timestamp(), public.acting_life(), tg_table_name);
      return null;
    end $$`);
  const tables = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables)
    await db.query(sql`create trigger drill_notes after insert or update or delete on public.${quoted(name)}
      for each row execute function drill.note()`);
  return {
    async of(life, leaseEnd) {
      // That it is over a node says itself in its own row of nodes, and may.
      const [noted] = await db.query<Noted>(
        sql`select count(*) filter (where life = $1 and at <= $2)::int as before,
             coalesce(array_agg(what) filter (where life = $1 and at > $2), '{}') as after,
             count(*) filter (where life <> $1 and at > $2)::int as "othersAfter"
           from drill.writes where what <> 'nodes'`,
        [String(life), leaseEnd],
      );
      return noted!; // a sum has a row
    },
  };
}

/** Which it is now, and until when it holds. */
export async function lifeOf(db: Database, name: string): Promise<{ life: number; until: Date }> {
  const [row] = await db.query<{ life: number; until: Date }>(
    sql`select life::float8, until from nodes where name = $1`,
    [name],
  );
  if (!row) throw new Error(`no node is called ${name}`);
  return row;
}
