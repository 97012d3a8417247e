import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { realClock } from "../clock.ts";
import { type Db, openDatabase } from "./db.ts";
import { SERVER, TENANT } from "./embedded-roles.ts";
import { createExchange } from "./exchanges.ts";
import { createExtension } from "./extensions.ts";
import { isRefusal } from "./refusal.ts";
import { quoted, sql } from "./sql.ts";
import { raiseWalls } from "./walls.ts";

const { db, owner, urls } = await freshDatabase();
const [ours, theirs] = [await exchange("ours"), await exchange("theirs")];

async function exchange(name: string): Promise<number> {
  const made = await createExchange(db, secrets, { name, sipDomain: `${name}.example.com` });
  if (isRefusal(made)) throw new Error(made.refused);
  await createExtension(db, { exchangeId: made.id, number: "1000", password: "a long password", name });
  return made.id;
}

/** Tables of which a tenant's role sees nothing at all. */
const SERVERS_OWN = [
  "exchange_owners",
  "migrations",
  "nodes",
  "server_lease",
  "sms_inbound_parts",
  "sms_stray_receipts",
  "written_batches",
];

test("a tenant's statement that forgets its exchange finds his own rows and no other", async () => {
  const own = db.forExchange(ours);
  expect(await own.query(sql`select name from extensions`)).toEqual([{ name: "ours" }]);
  expect(await own.query(sql`select name from exchanges`)).toEqual([{ name: "ours" }]);
  expect(await own.query(sql`update extensions set name = 'stolen' returning exchange_id`)).toEqual([
    { exchange_id: ours },
  ]);
  expect(await own.query(sql`delete from extensions where exchange_id = $1 returning id`, [theirs])).toEqual([]);
  expect(await db.query(sql`select name from extensions where exchange_id = $1`, [theirs])).toEqual([
    { name: "theirs" },
  ]);
});

test("a tenant writes nothing into another exchange, and moves nothing there", async () => {
  const own = db.forExchange(ours);
  const foreign = sql`insert into contacts (exchange_id, name, surname, phone) values ($1, 'a', 'b', '0')`;
  await expect(own.query(foreign, [theirs])).rejects.toThrow(/row-level security/);
  await expect(own.query(sql`update extensions set exchange_id = $1`, [theirs])).rejects.toThrow(/row-level security/);
  await expect(own.query(sql`insert into exchanges (name, sip_domain) values ('x', 'x')`)).rejects.toThrow(/denied/);
  await expect(own.query(sql`delete from exchanges`)).rejects.toThrow(/denied/);
});

test("connections that serve many tenants in turn mix nobody up, in transactions as well", async () => {
  const looks = Array.from({ length: 200 }, async (_, turn) => {
    const id = turn % 3 === 0 ? theirs : ours;
    const look = async (db: Db) => (await db.query<{ id: number }>(sql`select id from exchanges`)).map(({ id }) => id);
    const own = db.forExchange(id);
    expect(await (turn % 2 === 0 ? look(own) : own.transaction(look))).toEqual([id]);
  });
  await Promise.all(looks);
});

test("a transaction that fails leaves its connection to the next tenant as it should be", async () => {
  for (let turn = 0; turn < 20; turn++) {
    const failing = db.forExchange(ours).transaction((db) => db.query(sql`select 1 / 0`));
    await expect(failing).rejects.toThrow(/division/);
    expect(await db.forExchange(theirs).query(sql`select id from exchanges`)).toEqual([{ id: theirs }]);
  }
});

test("neither role is a superuser, passes by the walls, owns anything or may make anything", async () => {
  const roles = await owner.query(
    sql`select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = any($1)`,
    [[SERVER, TENANT]],
  );
  expect(roles).toHaveLength(2);
  for (const { rolname, ...rights } of roles)
    expect(Object.values(rights), String(rolname)).toEqual([false, false, false, false]);
  expect(
    await owner.query(sql`select relname from pg_class where pg_get_userbyid(relowner) = any($1)`, [[SERVER, TENANT]]),
  ).toEqual([]);
  for (const who of [db, db.forExchange(ours)]) {
    await expect(who.query(sql`create table mine (id int)`)).rejects.toThrow(/denied/);
    await expect(who.query(sql`select pg_read_file('/etc/passwd')`)).rejects.toThrow(/denied/);
    await expect(who.query(sql`copy extensions to '/tmp/never'`)).rejects.toThrow(/denied/);
    await expect(who.query(sql`copy extensions to program 'true'`)).rejects.toThrow(/denied/);
    await expect(who.query(sql`set role santral_owner`)).rejects.toThrow(/denied/);
    await expect(who.query(sql`alter table extensions disable row level security`)).rejects.toThrow(/owner/);
  }
});

test("every table is behind a wall or closed to tenants, the new ones too", async () => {
  const tables = await owner.query<{ name: string; walled: boolean; open: boolean }>(
    sql`select relname as name, relrowsecurity and exists (select from pg_policy
         where polrelid = pg_class.oid and polname = 'tenant') as walled,
       has_table_privilege($1, pg_class.oid, 'select, insert, update, delete') as open
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    [TENANT],
  );
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter(({ walled }) => !walled).map(({ name }) => name)).toEqual(SERVERS_OWN);
  for (const { name, walled, open } of tables) expect(open, name).toBe(walled);
});

test("rows without an exchange of their own are seen through what they belong to", async () => {
  const own = db.forExchange(ours);
  const tables = await owner.query<{ name: string }>(
    sql`select relname as name from pg_policy join pg_class on pg_class.oid = polrelid where polname = 'tenant'`,
  );
  for (const { name } of tables) await own.query(sql`select * from ${quoted(name)} limit 1`);
});

test("walls that stand are left alone, and a new table gets its own", async () => {
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("stood already");
  await owner.query(sql`create table novelties (exchange_id bigint not null)`);
  await expect(db.query(sql`select from novelties`)).rejects.toThrow(/denied/);
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("raised");
  await db.query(sql`insert into novelties values ($1)`, [theirs]);
  expect(await db.forExchange(ours).query(sql`select from novelties`)).toEqual([]);
});

test("a session that was told of no exchange has no rows", async () => {
  expect(await db.forExchange(0).query(sql`select id from exchanges`)).toEqual([]);
});

test("two servers that start at once on one database raise the walls once", async () => {
  await owner.query(sql`create table later (exchange_id bigint not null)`);
  const second = openDatabase(urls.owner, realClock, { connections: 1 });
  const roles = { server: SERVER, tenant: TENANT };
  const done = await Promise.all([raiseWalls(owner, roles), raiseWalls(second, roles)]).finally(() => second.close());
  expect(done.sort()).toEqual(["raised", "stood already"]);
});

test("a connection that the server ended with a statement serves no other one", async () => {
  const own = db.forExchange(101);
  for (let round = 0; round < 20; round++) {
    await expect(own.query(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow();
    expect(await own.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  }
});

test("a new table that is no tenant's can be used by the server, too", async () => {
  await owner.query(sql`create table servers_own (id bigint)`);
  expect(await raiseWalls(owner, { server: SERVER, tenant: TENANT })).toBe("raised");
  expect(await db.query(sql`select * from servers_own`)).toEqual([]);
  await owner.query(sql`drop table servers_own`);
  await raiseWalls(owner, { server: SERVER, tenant: TENANT });
});

test("whoever holds tables in another order does not keep walls from being raised", async () => {
  const { db: look, owner } = await freshDatabase();
  let raising: Promise<string> | undefined;
  await look.transaction(async (db) => {
    await db.query(sql`lock table webphone_tokens in row exclusive mode`);
    raising = raiseWalls(owner, { server: SERVER, tenant: TENANT, fenced: true }); // another plan than the one that stands
    await eventually("the walls wait for it", async () => {
      const waiting = await look.query(sql`select from pg_locks where not granted and database =
        (select oid from pg_database where datname = current_database())`);
      return waiting.length > 0;
    });
    await db.query(sql`lock table announcements in access share mode`);
  });
  expect(await raising).toBe("raised");
});
