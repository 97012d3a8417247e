import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { santral, startProcess, temporaryFolder } from "../santral-process.ts";
import { whenOver } from "../when-over.ts";

test("a database server of the operator's own serves instead of the embedded one, and keeps what was said to it", async () => {
  const env = { DATABASE_URL: await emptyDatabase() };
  const folder = temporaryFolder();
  const first = await startProcess(folder, { env });
  const key = keyOf(folder);
  const contact = new URLSearchParams({ key, name: "Deniz", surname: "Ak", phone: "05321234567" });
  const said = await fetch(`http://${first.run.http}/contacts`, { method: "POST", body: contact });
  expect(said.status).toBe(200);
  await first.end("SIGKILL");
  expect(existsSync(join(folder, "pg")), "no database of our own beside it").toBe(false);

  const second = await startProcess(folder, { env });
  const { contacts } = (await (await second.get(`/contacts?key=${key}`)).json()) as { contacts: { name: string }[] };
  expect(contacts).toMatchObject([{ name: "Deniz" }]);
  expect((await santral(folder, ["doctor"], { env })).stdout).toContain("database");
  await second.end("SIGTERM");
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

/** On the server that the tests share: the program neither started it nor can stop it. */
async function emptyDatabase(): Promise<string> {
  const folder = inject("databaseFolder");
  const name = `own_${randomUUID().replaceAll("-", "")}`;
  const root = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 1 });
  await root.query(sql`create database ${quoted(name)}`);
  whenOver(async () => {
    await root.query(sql`drop database ${quoted(name)} with (force)`);
    await root.close();
  });
  return connectionTo(folder, name);
}

function keyOf(folder: string): string {
  const { exchange } = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as {
    exchange: { key: string };
  };
  return exchange.key;
}
