import { expect, inject, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { databaseProxy } from "../../test/ground/database-proxy.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { realClock, since, until, within } from "../clock.ts";
import { type Database, openDatabase } from "./db.ts";
import { connectionTo, startEmbeddedServer } from "./embedded.ts";
import { addressOf } from "./hosts.ts";
import { GivenUp, type Limit, whileWanted } from "./limit.ts";
import { sql } from "./sql.ts";

const PATIENCE = { timeout: 120_000 };

const { owner, urls } = await freshDatabase();
await owner.query(sql`create table kept (name text not null)`);
await owner.query(sql`grant all on kept to santral_server, santral_tenant`);
const proxy = await databaseProxy(inject("databaseFolder"));
const throughProxy = (url: string) => {
  const { username, pathname } = new URL(url.replace("@/", "@nowhere/"));
  return `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
};
const far = openDatabase({ server: throughProxy(urls.server), tenants: throughProxy(urls.tenants ?? "") }, realClock, {
  connections: 3,
  statementSeconds: 2,
});
whenOver(() => far.close());

const names = async () => (await owner.query<{ name: string }>(sql`select name from kept`)).map(({ name }) => name);
const keep = (db: Pick<Database, "query">, name: string) => db.query(sql`insert into kept values ($1)`, [name]);
const ONE = sql`select 1 as one`;

/** That of a request which is given up after so long. */
function requestOf(ms: number): Limit {
  const end = within(realClock, ms);
  return { strict: true, leftMs: () => until(realClock, end) };
}

/** Everything that was said before has been done or refused by then. */
async function allIsQuiet(): Promise<void> {
  const busy = sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and (state <> 'idle' or backend_xid is not null)`;
  await expect.poll(() => owner.query(busy), PATIENCE).toEqual([]);
}

test(
  "a database that hangs fails what is asked of it after its time, and serves again when it wakes up",
  PATIENCE,
  async () => {
    const wanted = far.within(whileWanted(new AbortController().signal));
    const both = () => [far, wanted].map((it) => it.query(ONE));
    await expect(Promise.all(both())).resolves.toEqual([[{ one: 1 }], [{ one: 1 }]]);
    proxy.freeze();
    const asked = realClock.ticks();
    await Promise.all(both().map((it) => expect(it).rejects.toThrow("timeout")));
    // A new connection is not waited for any longer, and neither is one out of a pool in which all hang.
    await Promise.all(Array.from({ length: 6 }, () => expect(far.query(ONE)).rejects.toThrow(/timeout|terminated/i)));
    expect(since(realClock, asked)).toBeLessThan(20_000);
    proxy.thaw();
    await expect.poll(() => far.query(ONE).catch(() => "not yet"), PATIENCE).toEqual([{ one: 1 }]);
  },
);

test("connections that are cut are made anew", PATIENCE, async () => {
  await far.query(ONE);
  proxy.cut();
  await expect.poll(() => far.query(ONE).catch(() => "not yet"), PATIENCE).toEqual([{ one: 1 }]);
});

test.each(["server", "tenants"])(
  "what a request of %s wrote while the database hung is not carried out when it wakes up",
  PATIENCE,
  async (role) => {
    await owner.query(sql`delete from kept`);
    const handle = (ms: number) => (role === "server" ? far.within(requestOf(ms)) : far.forExchange(1, requestOf(ms)));
    await keep(handle(5_000), "in time");
    proxy.freeze();
    await expect(keep(handle(500), "alone")).rejects.toThrow();
    await expect(handle(500).transaction((db) => keep(db, "in a transaction"))).rejects.toThrow();
    proxy.thaw();
    await expect.poll(() => far.query(ONE).catch(() => "not yet"), PATIENCE).toEqual([{ one: 1 }]);
    await allIsQuiet();
    expect(await names()).toEqual(["in time"]);
  },
);

test("a commit that reaches the database too late is refused there", PATIENCE, async () => {
  await owner.query(sql`delete from kept`);
  const late = far.within(requestOf(800)).transaction(async (db) => {
    await keep(db, "late");
    proxy.freeze(); // from here on nothing but the commit is said
  });
  await expect(late).rejects.toThrow();
  await new Promise((resolve) => realClock.after(1_000, () => resolve(undefined)));
  proxy.thaw();
  await allIsQuiet();
  expect(await names()).toEqual([]);
});

test("nothing is sent for a request that was given up, and its transaction is taken back", PATIENCE, async () => {
  await owner.query(sql`delete from kept`);
  let leftMs = 5_000;
  const limit: Limit = { strict: true, leftMs: () => leftMs };
  const work = far.within(limit).transaction(async (db) => {
    await keep(db, "begun");
    leftMs = 0;
    await keep(db, "not begun");
  });
  await expect(work).rejects.toThrow(GivenUp);
  await expect(far.within(limit).query(ONE)).rejects.toThrow(GivenUp);
  expect(await names()).toEqual([]);
});

test("a statement that waits for a lock gives up while the server lives", PATIENCE, async () => {
  await owner.transaction(async (db) => {
    await db.query(sql`lock table kept`);
    await expect(keep(far, "behind a lock")).rejects.toMatchObject({ code: expect.stringMatching(/^(55P03|57014)$/) });
  });
});

test(
  "a line on which nothing comes any more is found, and whoever listens on it is told to read again",
  PATIENCE,
  async () => {
    const heard: string[] = [];
    const stop = await far.listen("anything", (payload) => heard.push(payload));
    const before = proxy.accepted();
    proxy.freeze();
    const asked = realClock.ticks();
    await far.heard();
    expect(since(realClock, asked), "nobody waits for it for ever").toBeLessThan(10_000);
    await expect.poll(() => proxy.accepted(), PATIENCE).toBeGreaterThan(before); // it is being made anew
    proxy.thaw();
    await expect.poll(() => heard, PATIENCE).toContain("");
    await owner.query(sql`select pg_notify('anything', 'after')`);
    await expect.poll(() => heard, PATIENCE).toContain("after");
    await stop();
  },
);

test("of several hosts the one that takes writes is used, and after a failover the other", PATIENCE, async () => {
  const [one, two] = await Promise.all([ownServer(), ownServer()]);
  await two.takeWrites(false);
  const address = `postgres://santral@/postgres?host=${one.folder},${two.folder}&target_session_attrs=read-write`;
  const db = openDatabase(address, realClock, { connections: 3, statementSeconds: 5 });
  whenOver(() => db.close());
  const heard: string[] = [];
  const stop = await db.listen("news", (payload) => heard.push(payload));
  const where = async () => (await db.query(sql`show data_directory`))[0];
  const write = () => db.query(sql`create table if not exists written (name text)`);
  await write();
  await Promise.all([write(), write(), db.query(ONE)]);
  expect(await where()).toEqual({ data_directory: one.folder });

  await one.takeWrites(false);
  await two.takeWrites(true);
  await expect.poll(() => write().then(where, () => undefined), PATIENCE).toEqual({ data_directory: two.folder });
  // Connections from before are gone with the first refusal: nobody else meets the old server.
  for (let times = 0; times < 5; times++) await write();
  await expect.poll(() => heard, PATIENCE).toContain("");
  await two.db.query(sql`select pg_notify('news', 'from the second')`);
  await expect.poll(() => heard, PATIENCE).toContain("from the second");

  await two.takeWrites(false);
  await expect.poll(() => write().then(() => "", String), PATIENCE).toContain("no database server takes writes");
  await one.takeWrites(true);
  await expect.poll(() => write().then(where, () => undefined), PATIENCE).toEqual({ data_directory: one.folder });
  await stop();
});

test.each([
  ["postgres://u:p@one/db", "postgres://u:p@one/db", []],
  ["postgres://u@one,two:5433/db?target_session_attrs=primary", "postgres://u@one/db", ["one:5432", "two:5433"]],
  ["postgresql://u@[::1]:5,two/db?sslmode=require", "postgresql://u@[::1]:5/db?sslmode=require", ["::1:5", "two:5432"]],
  ["postgres://u@/db?host=/a,/b&port=1,2", "postgres://u@/db?host=%2Fa&port=1", ["/a:1", "/b:2"]],
  ["postgres://u@one/db?target_session_attrs=read-write", "postgres://u@one/db", ["one:5432"]],
])("%s is read as libpq reads it", (text, url, places) => {
  expect(addressOf(text)).toEqual({
    url,
    places: places.map((it) => ({
      host: it.slice(0, it.lastIndexOf(":")),
      port: Number(it.slice(it.lastIndexOf(":") + 1)),
    })),
  });
});

test.each([
  "postgres://u@one,two/db?target_session_attrs=standby",
  "postgres://u@one:99999,two/db",
  "postgres://u@one,,two/db",
])("%s is refused", (text) => expect(addressOf(text)).toHaveProperty("unreadable"));

async function ownServer() {
  const folder = `${temporaryFolder()}/pg`;
  const server = await startEmbeddedServer(folder, realClock);
  const db = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  whenOver(async () => {
    await db.close();
    await server.stop();
  });
  return {
    folder,
    db,
    async takeWrites(yes: boolean) {
      await db.query(
        yes
          ? sql`alter system set default_transaction_read_only = off`
          : sql`alter system set default_transaction_read_only = on`,
      );
      await db.query(sql`select pg_reload_conf()`);
      const shown = sql`select current_setting('default_transaction_read_only') as now`;
      await expect.poll(() => db.query(shown), PATIENCE).toEqual([{ now: yes ? "off" : "on" }]);
    },
  };
}
