// Every table that belongs to an exchange, asked by a node whose life is over, and by one on which the exchange does not
// live: neither changes a row. The list of tables is the database's own, so that a new one is tried without a line here.

import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type Db, openDatabase } from "../../src/store/db.ts";
import { SERVER, TENANT } from "../../src/store/embedded-roles.ts";
import { type ActingLife, NotOwner } from "../../src/store/fences.ts";
import { nameOwnersOfJobs } from "../../src/store/nodes.ts";
import { joined, quoted, sql } from "../../src/store/sql.ts";
import { raiseWalls } from "../../src/store/walls.ts";
import { freshDatabase } from "../ground/database.ts";
import { eventually } from "../ground/eventually.ts";
import { whenOver } from "../ground/when-over.ts";
import { neighboursIn } from "./neighbours.ts";

const { owner, urls } = await freshDatabase();
const as = (life: ActingLife | undefined) => {
  const opened = openDatabase(urls, realClock, { connections: 2, life });
  whenOver(() => opened.close());
  return opened;
};
const db = as("command");
const { theirs, fingerprintOf } = await neighboursIn(db);
await raiseWalls(owner, { server: SERVER, tenant: TENANT, fenced: true });
await nameOwnersOfJobs(db);
await owner.query(
  sql`insert into nodes (name, seen_at, life, state, until) values
   ('owner', now(), 1, 'up', now() + interval '1 hour'), ('other', now(), 2, 'up', now() + interval '1 hour'),
   ('dead', now(), 3, 'up', now() - interval '1 second')`,
);
await owner.query(sql`insert into exchange_owners (exchange_id, node, epoch) values ($1, 'owner', 1)`, [
  theirs.exchangeId,
]);

const [its, others, dead, looks] = [as(1), as(2), as(3), as("look")];

type Table = { name: string; columns: string[] };

const tables = await owner.query<Table>(
  sql`select relname as name, array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0
       and not attisdropped and attgenerated = '' order by attnum) as columns
   from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and exists (select from pg_attribute
     where attrelid = pg_class.oid and attname = 'exchange_id' and not attisdropped) and relname <> 'exchange_owners'
   order by 1`,
);
const untouched = await fingerprintOf(theirs.exchangeId);

/** What came of it: the rows it changed, or that it was refused. */
async function tried(db: Db, work: (db: Db) => Promise<unknown[]>): Promise<number | "refused"> {
  try {
    return (await db.transaction(work)).length;
  } catch (error) {
    if (error instanceof NotOwner) return "refused";
    throw error;
  }
}

const touch =
  ({ name, columns: [first = ""] }: Table) =>
  (db: Db) =>
    db.query(sql`update ${quoted(name)} set ${quoted(first)} = ${quoted(first)} where exchange_id = $1 returning 1`, [
      theirs.exchangeId,
    ]);
const clear =
  ({ name }: Table) =>
  (db: Db) =>
    db.query(sql`delete from ${quoted(name)} where exchange_id = $1 returning 1`, [theirs.exchangeId]);
const add =
  ({ name, columns }: Table, row: unknown) =>
  (db: Db) => {
    const named = joined(columns.map(quoted), ", ");
    return db.query(
      sql`insert into ${quoted(name)} (${named}) overriding system value
     select ${named} from jsonb_populate_record(null::${quoted(name)}, $1) returning 1`,
      [JSON.stringify(row)],
    );
  };

async function rowOf({ name }: Table): Promise<Record<string, unknown>> {
  const [found] = await owner.query<{ row: Record<string, unknown> }>(
    sql`select to_jsonb(t) as row from ${quoted(name)} t where exchange_id = $1 limit 1`,
    [theirs.exchangeId],
  );
  return found?.row ?? { exchange_id: theirs.exchangeId };
}

test.each(tables.map((it) => [it.name, it] as const))(
  "%s is written by nobody but who owns its exchange",
  async (_, table) => {
    const row = await rowOf(table);
    for (const work of [touch(table), clear(table), add(table, row)]) {
      expect(await tried(dead, work), "a life that is over").toBe("refused");
      for (const db of [dead, others, looks].map((it) => it.forExchange(theirs.exchangeId)))
        expect(["refused", 0], "by the tenants' role").toContain(await tried(db, work));
    }
    for (const db of [others, looks]) {
      expect(["refused", 0]).toContain(await tried(db, touch(table)));
      expect(["refused", 0]).toContain(await tried(db, clear(table)));
      expect(await tried(db, add(table, row))).toBe("refused");
    }
    expect(await fingerprintOf(theirs.exchangeId)).toEqual(untouched);
    const own = await owner.query(sql`select 1 from ${quoted(table.name)} where exchange_id = $1`, [theirs.exchangeId]);
    expect(await tried(its, touch(table)), "and by its owner").toBe(own.length);
  },
);

test("who sees nothing of what lives elsewhere sees his own, and who only looks sees all", async () => {
  const seen = async (db: Db) =>
    (await db.query(sql`select from extensions where exchange_id = $1`, [theirs.exchangeId])).length;
  expect(await seen(others)).toBe(0);
  expect(await seen(its)).toBeGreaterThan(0);
  expect(await seen(looks)).toBe(await seen(its));
  await expect(seen(dead)).rejects.toThrow(NotOwner);
});

test("a connection that was told of no life writes nothing", async () => {
  const nobody = as(undefined);
  const rename = sql`update exchanges set name = 'x' where id = $1 returning 1`;
  await expect(nobody.query(rename, [theirs.exchangeId])).rejects.toThrow(NotOwner);
});

test("what was begun before a take-over is committed before it, and nothing after it", async () => {
  const contact = sql`insert into contacts (exchange_id, name, surname, phone) values ($1, 'a', 'b', '0')`;
  const contacts = async (db: Db) =>
    (await db.query(sql`select from contacts where exchange_id = $1`, [theirs.exchangeId])).length;
  const before = await contacts(owner);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let isIn = () => {};
  const wrote = new Promise<void>((resolve) => (isIn = resolve));
  const writing = its.transaction(async (db) => {
    await db.query(contact, [theirs.exchangeId]);
    isIn();
    await held;
  });
  await wrote;
  const taking = owner.transaction(async (db) => {
    await db.query(sql`select pg_advisory_xact_lock(7268741, $1)`, [theirs.exchangeId]);
    const committed = await contacts(db);
    await db.query(sql`update exchange_owners set node = 'other', epoch = 2 where exchange_id = $1`, [
      theirs.exchangeId,
    ]);
    return committed;
  });
  await eventually("it waits for who writes", async () => {
    const waiting = await db.query(
      sql`select from pg_locks join pg_database on pg_database.oid = database
       where datname = current_database() and classid = 7268741 and not granted`,
    );
    return waiting.length > 0;
  });
  goOn();
  await writing;
  expect(await taking, "seen by whoever takes it").toBe(before + 1);
  await expect(its.query(contact, [theirs.exchangeId])).rejects.toThrow(NotOwner);
  await others.query(contact, [theirs.exchangeId]);
});

test("a server that is alone again takes the fences away", async () => {
  await raiseWalls(owner, { server: SERVER, tenant: TENANT });
  expect(
    await db.query(sql`update exchanges set name = name where id = $1 returning 1`, [theirs.exchangeId]),
  ).toHaveLength(1);
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("raised"); // without what was to be taken away
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("stood already");
});
