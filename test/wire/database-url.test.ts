import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { emptyDatabase } from "../ground/empty-database.ts";
import { santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { whenOver } from "../ground/when-over.ts";

test("a database server of the operator's own serves instead of the embedded one, and keeps what was said to it", async () => {
  const env = { DATABASE_URL: await emptyDatabase() };
  const folder = temporaryFolder();
  const first = await startProcess(folder, { env });
  const key = keyOf(folder);
  const contact = new URLSearchParams({ key, name: "Deniz", surname: "Ak", phone: "05321234567" });
  const said = await fetch(`http://${first.run.http}/contacts`, { method: "POST", body: contact });
  expect(said.status).toBe(200);
  const beside = await santral(temporaryFolder(), ["start"], { env });
  expect(beside.code, beside.stderr).toBe(4);
  expect(beside.stderr).toContain(`in use by another Santral (process ${first.run.pid} on `);
  expect(beside.stderr).toContain(`data folder ${folder}, since 20`);
  expect((await santral(folder, ["exchange", "list"], { env })).code, "commands work beside it").toBe(0);
  expect((await first.get("/readyz")).status).toBe(200);
  await first.end("SIGKILL");
  expect(existsSync(join(folder, "pg")), "no database of our own beside it").toBe(false);

  const second = await startProcess(folder, { env });
  const { contacts } = (await (await second.get(`/contacts?key=${key}`)).json()) as { contacts: { name: string }[] };
  expect(contacts).toMatchObject([{ name: "Deniz" }]);
  const { stdout } = await santral(folder, ["doctor"], { env });
  expect(stdout).toContain("may do anything in the database server");
  expect(stdout).toContain("tenants are kept apart by our statements alone");

  // Another one has taken it while ours was cut off: it acts no more, and says so.
  const root = openDatabase(env.DATABASE_URL, realClock, { connections: 1 });
  const ended = once(second.child, "exit");
  await root.query(sql`update server_lease set epoch = epoch + 1`);
  expect((await ended)[0], second.output()).toBe(4);
  expect(second.output()).toContain("another server has taken the database");
  await root.close();
}, 300_000);

test("with three roles the server's owns nothing, and what a tenant asks for stays inside his walls", async () => {
  const superuser = await emptyDatabase();
  const root = openDatabase(superuser, realClock, { connections: 1 });
  whenOver(() => root.close());
  const as = async (role: string) => {
    const name = `${role}_${randomUUID().slice(0, 8)}`;
    await root.query(sql`create role ${quoted(name)} login`);
    return { name, url: superuser.replace("//santral@", `//${name}@`) };
  };
  const [owner, server, tenant] = [await as("owner"), await as("server"), await as("tenant")];
  const [{ name } = { name: "" }] = await root.query<{ name: string }>(sql`select current_database() as name`);
  await root.query(sql`alter database ${quoted(name)} owner to ${quoted(owner.name)}`);
  const urls = { SANTRAL_DATABASE_OWNER_URL: owner.url, SANTRAL_DATABASE_TENANT_URL: tenant.url };
  const folder = temporaryFolder();
  const running = await startProcess(folder, { env: { DATABASE_URL: server.url, ...urls } });
  const contact = new URLSearchParams({ key: keyOf(folder), name: "Deniz", surname: "Ak", phone: "05321234567" });
  expect((await fetch(`http://${running.run.http}/contacts`, { method: "POST", body: contact })).status).toBe(200);
  const owners = await root.query(
    sql`select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace`,
  );
  expect(owners).toEqual([{ owner: owner.name }]);
  const [used] = await root.query(sql`select count(*) from pg_stat_activity where usename = $1`, [tenant.name]);
  expect(used).not.toEqual({ count: 0 });
  const doctor = await santral(folder, ["doctor"], { env: { DATABASE_URL: server.url, ...urls } });
  expect(doctor.stdout).toContain("no more rights than it needs");
  expect(doctor.stdout).toContain("tenants' requests run under a role that sees one exchange");
  await running.end("SIGTERM");
}, 300_000);

test("a role that may use the schema but does not own it serves as before", async () => {
  const superuser = await emptyDatabase();
  const root = openDatabase(superuser, realClock, { connections: 1 });
  whenOver(() => root.close());
  const name = `guest_${randomUUID().slice(0, 8)}`;
  await root.query(sql`create role ${quoted(name)} login`);
  await root.query(sql`grant usage, create on schema public to ${quoted(name)}`);
  const folder = temporaryFolder();
  const env = { DATABASE_URL: superuser.replace("//santral@", `//${name}@`) };
  for (let start = 0; start < 2; start++) {
    const running = await startProcess(folder, { env });
    expect((await running.get(`/caller_ids?key=${keyOf(folder)}`)).status).toBe(200);
    await running.end("SIGTERM");
  }
}, 300_000);

test("the role for tenants' requests can be left out and taken in again, and the doctor says so", async () => {
  const folder = temporaryFolder();
  for (const walls of ["false", "true", "false"]) {
    const env = { SANTRAL_TENANT_WALLS: walls };
    const running = await startProcess(folder, { env });
    expect((await running.get(`/caller_ids?key=${keyOf(folder)}`)).status).toBe(200);
    const { stdout } = await santral(folder, ["doctor"], { env });
    expect(stdout.includes("tenants are kept apart by our statements alone")).toBe(walls === "false");
    await running.end("SIGTERM");
  }
}, 300_000);

test("a database server that is not there is named without its password, and nothing is left behind", async () => {
  const folder = temporaryFolder();
  const env = { DATABASE_URL: "postgres://owner:geheim@127.0.0.1:1/santral" };
  const { code, stdout, stderr } = await santral(folder, ["start"], { env });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("127.0.0.1:1");
  expect(stdout + stderr).not.toContain("geheim");
  expect(existsSync(join(folder, "first-run.json"))).toBe(false);
}, 120_000);

function keyOf(folder: string): string {
  const { exchange } = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as {
    exchange: { key: string };
  };
  return exchange.key;
}
