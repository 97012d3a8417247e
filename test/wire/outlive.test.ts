// `santral start` as it is typed: a supervisor, its server, and a database that outlives the server.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { isRunning } from "../../src/process-mark.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { databaseIn, databasePidIn } from "../ground/embedded-database.ts";
import { eventually } from "../ground/eventually.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { type Run, runIn, santral, temporaryFolder } from "../ground/santral-process.ts";
import { startSupervised } from "../ground/supervised-process.ts";

vi.setConfig({ testTimeout: 300_000 });

const folder = join(temporaryFolder(), "data");
const env = { SANTRAL_TRUSTED_PROXIES: "127.0.0.1" };

const databasePid = () => databasePidIn(folder);

const key = () =>
  (JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as { exchange: { key: string } }).exchange.key;

async function writeContact({ http }: Run, surname: string): Promise<void> {
  const body = JSON.stringify({ key: key(), name: "Deniz", surname, phone: "05321234567" });
  const headers = { "content-type": "application/json" };
  expect((await fetch(`http://${http}/contacts`, { method: "POST", headers, body })).status).toBe(200);
}

const contacts = async ({ http }: Run) => (await fetch(`http://${http}/contacts?key=${key()}`)).text();

test("a server that is killed is back with the database that went on, and a restart by command leaves it running", async () => {
  await putMadeFolder(folder);
  const supervisor = startSupervised(folder, env);
  const first = await supervisor.ready;
  expect(first.pid).not.toBe(supervisor.pid);
  await eventually("the banner", async () => supervisor.output().includes("Ctrl-C stops it."));
  const database = databasePid();
  await writeContact(first, "Before the kill");

  const killed = performance.now();
  process.kill(first.pid, "SIGKILL");
  const second = await supervisor.serverAfter(first.pid);
  console.log(`ready again ${Math.round(performance.now() - killed)} ms after kill -9`);
  expect(databasePid()).toBe(database);
  expect(await contacts(second)).toContain("Before the kill");
  await writeContact(second, "After the kill");

  const restarted = await santral(folder, ["restart", "--json"], { env });
  expect(restarted).toMatchObject({ code: 0, stderr: "" });
  const third = await supervisor.serverAfter(second.pid);
  expect(JSON.parse(restarted.stdout)).toMatchObject({
    restarted: true,
    pid: third.pid,
    calls_before: 0,
    calls_now: 0,
  });
  expect(databasePid()).toBe(database);
  expect(await contacts(third)).toContain("After the kill");

  // The database alone: the supervisor starts it for the same server.
  process.kill(database, "SIGKILL");
  const last = await eventually("the database is back", async () => {
    const next = databaseIn(folder);
    const isReady = (await (await fetch(`http://${third.http}/readyz`)).text()) === "ready";
    return isReady && next !== database && next;
  });

  const stopped = await santral(folder, ["stop"], { env });
  expect(stopped).toMatchObject({ code: 0, stdout: "stopped\n" });
  expect(await supervisor.ended).toBe(0);
  expect([third.pid, last].filter((pid) => isRunning({ pid }))).toEqual([]);
  expect(existsSync(join(folder, "run.json"))).toBe(false);
  expect((await santral(folder, ["stop"], { env })).stdout).toContain("no server runs on");
  expect((await santral(folder, ["restart"], { env })).stderr).toContain("no server runs on");
});

test("a server is upgraded into what lies there, and one whose supervisor is killed goes on until the next start takes over from it", async () => {
  const supervisor = startSupervised(folder, env);
  let left = await supervisor.ready;
  await writeContact(left, "By the first");
  await refusesNewerDatabase(left);
  const upgraded = await santral(folder, ["upgrade", "--json"], { env });
  expect(upgraded).toMatchObject({ code: 0, stderr: "" });
  left = await supervisor.serverAfter(left.pid);
  expect(JSON.parse(upgraded.stdout)).toMatchObject({ restarted: true, pid: left.pid, migrations: [] });

  process.kill(supervisor.pid, "SIGKILL");
  await supervisor.ended;
  await eventually("it has its database again, or still", async () => {
    return (await (await fetch(`http://${left.http}/readyz`)).text()) === "ready";
  });
  const refused = await santral(folder, ["restart"], { env });
  expect(refused.stderr).toContain("nobody would start it again");
  await writeContact(left, "By the one left alone");

  const next = startSupervised(folder, env);
  const server = await next.ready;
  expect(isRunning(left)).toBe(false);
  const kept = await contacts(server);
  expect(kept).toContain("By the first");
  expect(kept).toContain("By the one left alone");

  // As Ctrl-C does it: to everybody in the terminal's group.
  const database = databasePid();
  process.kill(-next.pid, "SIGINT");
  expect(await next.ended).toBe(0);
  expect(next.output()).toContain(`"calls":"cut","msg":"stopping"`);
  expect([server.pid, database].filter((pid) => isRunning({ pid }))).toEqual([]);
});

/** What could not start is not even tried: the server that runs goes on. */
async function refusesNewerDatabase({ pid, http }: Run): Promise<void> {
  const db = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 1 });
  await db.query(sql`insert into migrations (name) values ('9999-from-the-future.sql')`);
  const refused = await santral(folder, ["upgrade"], { env });
  await db.query(sql`delete from migrations where name = '9999-from-the-future.sql'`);
  await db.close();
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("nothing was restarted") });
  expect(runIn(folder)?.pid).toBe(pid);
  expect((await fetch(`http://${http}/healthz`)).status).toBe(200);
}

test("everything that is killed at once leaves nothing running, and the next start finds all of it", async () => {
  const supervisor = startSupervised(folder, env);
  const server = await supervisor.ready;
  const database = databasePid();
  process.kill(-supervisor.pid, "SIGKILL");
  await supervisor.ended;
  await eventually("the database has ended", async () => !isRunning({ pid: database }));
  expect(isRunning(server)).toBe(false);

  const next = startSupervised(folder, env);
  expect(await contacts(await next.ready)).toContain("By the one left alone");
  process.kill(next.pid, "SIGTERM");
  expect(await next.ended).toBe(0);
  expect(next.output()).toContain(`"calls":"handOver","msg":"stopping"`);
});
