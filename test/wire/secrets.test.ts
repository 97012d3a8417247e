// Sealed secrets of a whole server: set by every door, rotated beside it, killed in the middle, lost, moved away.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import { readRing } from "../../src/secrets/key-file.ts";
import type { Ring } from "../../src/secrets/ring.ts";
import { openDatabase } from "../../src/store/db.ts";
import { embeddedUrls } from "../../src/store/embedded-roles.ts";
import { sql } from "../../src/store/sql.ts";
import { ownCommand } from "../ground/own-command.ts";
import { tablesWith } from "../ground/readable.ts";
import { type SantralProcess, santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";

vi.setConfig({ testTimeout: 600_000 }); // several servers are started, one after the other

const home = temporaryFolder();
const folder = join(home, "data");
const keyFile = join(folder, "secret.keys");
const ringNow = () => readRing(keyFile) as Ring;
const KILLS = Number(process.env.SANTRAL_TEST_KILLS ?? 4);

const json = async (words: string[], where = folder) => {
  const { code, stdout, stderr } = await ownCommand(where, [...words, "--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
};

type Status = { sealed: number; locked: number; current: string; secrets: { kind: string; key: string | null }[] };
const status = async (where = folder) => (await json(["secrets", "status"], where)) as unknown as Status;
const signingSecret = async (where = folder) => String((await json(["exchange", "secret"], where)).secret);

/** Works while the server runs. */
async function inDatabase<Result>(work: (db: ReturnType<typeof openDatabase>) => Promise<Result>): Promise<Result> {
  const db = openDatabase(embeddedUrls(join(folder, "pg")).server, realClock, { connections: 2 });
  return work(db).finally(() => db.close());
}

const PASSWORD = "a staff member's password";

/** Asks the console as a browser would. */
async function visitor(server: SantralProcess) {
  const post = (path: string, body: object, cookie = "") =>
    fetch(`http://${server.run.http}/console/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-santral-console": "1", cookie },
      body: JSON.stringify(body),
    });
  const entered = await post("session.signIn", { email: "ann@example.com", password: PASSWORD });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (operation: string, parameters: object) => {
    const response = await post(operation, parameters, cookie);
    expect(response.status, operation).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  };
}

test("what the command line and the first run set is sealed, and keys change beside a running server", async () => {
  const server = await startProcess(folder);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  await json(["trunk", "create", "carrier", "127.0.0.1", "password=created-61", "active=no"]);
  await json(["trunk", "set", "carrier", "password=changed-62"]);
  await json(["mailbox", "set", "1000", "--pin", "604517283"]);
  await json(["sms", "carrier", "create", "smsc", "127.0.0.1", "9", "system", "password=smsc-63"]);
  await json(["staff", "create", "ann@example.com", "Ann", "--role", "administrator", "--password", PASSWORD]);
  const signing = await signingSecret();
  for (const plain of ["created-61", "changed-62", "604517283", "smsc-63", signing])
    expect(await inDatabase((db) => tablesWith(db, plain)), plain).toEqual([]);
  const first = ringNow().current;
  expect(await status()).toMatchObject({ sealed: 4, locked: 0, current: first });

  const ask = await visitor(server);
  expect(await ask("crm.secret", {})).toEqual({ secret: signing });
  expect(await json(["secrets", "rotate"])).toMatchObject({ resealed: 4, removed: [first], kept: [] });
  expect(ringNow().keys).toHaveLength(1);
  expect(await ask("crm.secret", {})).toEqual({ secret: signing }); // a key that the server had not heard of
  await ask("trunks.update", { name: "carrier", changes: { password: "console-64" } });
  const now = await status();
  expect(new Set(now.secrets.map(({ key }) => key))).toEqual(new Set([ringNow().current]));
  expect(await inDatabase((db) => tablesWith(db, "console-64"))).toEqual([]);
  const renewed = String((await json(["exchange", "secret", "--new"])).secret);
  expect(await ask("crm.secret", {})).toEqual({ secret: renewed });
  for (const plain of ["created-61", "changed-62", "604517283", "smsc-63", "console-64", signing])
    expect(server.output()).not.toContain(plain);
  await server.end("SIGTERM");
});

test("a rotation that is killed in the middle leaves everything readable, beside a server and without one", async () => {
  const signing = await signingSecret();
  const server = await startProcess(folder);
  await inDatabase((db) =>
    db.query(
      sql`insert into trunks (exchange_id, name, host, password, active)
       select id, 'trunk ' || n, 'h.example', 'plain-' || n, false from exchanges, generate_series(1, 3000) as n`,
    ),
  );
  let caught = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await killedRotation(kill * 15);
    if (ringNow().keys.length > 1) caught += 1;
    expect(await status()).toMatchObject({ locked: 0 });
    expect(await signingSecret()).toBe(signing);
  }
  expect(caught).toBeGreaterThan(0);
  const ask = await visitor(server);
  expect(await ask("crm.secret", {})).toEqual({ secret: signing });
  await server.end("SIGKILL");
  await killedRotation(5);
  expect(await json(["secrets", "rotate"])).toMatchObject({ kept: [] });
  expect(ringNow().keys).toHaveLength(1);
  expect(await status()).toMatchObject({ sealed: 3004, locked: 0 });
  expect(await signingSecret()).toBe(signing);
});

/** Killed so long after its new key has become current. */
async function killedRotation(afterMs: number): Promise<void> {
  const before = ringNow().current;
  const child = spawn(process.execPath, [resolve("dist/santral.js"), "secrets", "rotate"], {
    env: { ...process.env, SANTRAL_DATA: folder },
    cwd: tmpdir(),
    stdio: "ignore",
  });
  const ended = new Promise((settle) => child.once("exit", settle));
  while (ringNow().current === before && child.exitCode === null) await pause(realClock, 1);
  await pause(realClock, afterMs);
  child.kill("SIGKILL");
  await ended;
}

test("secrets that lay readable are sealed at a start, and gone from the tables' files", async () => {
  const server = await startProcess(folder);
  await inDatabase(async (db) => {
    await db.query(sql`delete from trunks where name like 'trunk %'`);
    await db.query(sql`update trunks set password = 'of-before-keys-65'`);
    await db.query(sql`update mailboxes set pin = '615243798'`);
  });
  await server.end("SIGKILL");
  const next = await startProcess(folder);
  expect(next.output()).toContain("secrets that lay readable in the database are sealed now");
  for (const plain of ["of-before-keys-65", "615243798"])
    expect(await inDatabase((db) => tablesWith(db, plain))).toEqual([]);
  expect(await status()).toMatchObject({ sealed: 4, locked: 0 });
  await next.end("SIGTERM");
  expect(filesWith(join(folder, "pg", "base"), "of-before-keys-65")).toEqual([]);
});

function filesWith(place: string, text: string): string[] {
  const names = readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => join(place, name));
  return names.filter((name) => statSync(name).isFile() && readFileSync(name).includes(text));
}

test("without its keys the server starts, says what is missing and what to do, and makes no new ones", async () => {
  const signing = await signingSecret();
  await json(["trunk", "set", "carrier", "active=yes", "port=9", "username=u", "health-check=no"]);
  renameSync(keyFile, join(home, "away.keys"));
  const server = await startProcess(folder);
  expect(server.output()).toContain(
    `the file of keys ${keyFile} is not there: 4 secrets in the database cannot be opened`,
  );
  expect(server.output()).toContain("santral secrets add FILE");
  const ask = await visitor(server);
  const trunk = async () =>
    ((await ask("trunks.list", {})) as unknown as { now: { lastError: string | null } }[])[0]?.now;
  expect(await trunk()).toMatchObject({ lastError: "password-lost" });
  const { exchange } = JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as {
    exchange: { key: string };
  };
  expect((await server.get(`/caller_ids?key=${exchange.key}`)).status).toBe(200);
  const doctor = await ownCommand(folder, ["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("4 secrets in the database cannot be opened");
  const refused = await ownCommand(folder, ["exchange", "create", "Second"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nothing can be sealed: the file of keys"),
  });
  expect(await ownCommand(folder, ["exchange", "secret"])).toMatchObject({ code: 1 });
  expect(await ownCommand(folder, ["secrets", "rotate"])).toMatchObject({ code: 1 });
  expect(existsSync(keyFile)).toBe(false);

  await json(["secrets", "add", join(home, "away.keys")]);
  expect(await signingSecret()).toBe(signing);
  expect(await trunk()).toMatchObject({ lastError: null, up: true });
  expect((await ownCommand(folder, ["doctor"])).stdout).toContain("4 secrets are sealed and open");
  await server.end("SIGTERM");
});

test("an archive moves to another machine with its keys, and without them only when they are brought", async () => {
  const signing = await signingSecret();
  const [whole, bare] = [join(home, "whole.tar.gz"), join(home, "bare.tar.gz")];
  expect(await json(["backup", whole])).toMatchObject({ keys: "inside" });
  expect(statSync(whole).mode & 0o777).toBe(0o600);
  expect(await json(["backup", bare, "--without-keys"])).toMatchObject({ keys: "left-out" });
  const kept = join(home, "kept.keys");
  renameSync(keyFile, kept);

  const there = join(home, "there");
  await json(["restore", whole], there);
  expect(await signingSecret(there)).toBe(signing);
  expect(await status(there)).toMatchObject({ sealed: 4, locked: 0 });

  const elsewhere = join(home, "elsewhere");
  const refused = await santral(elsewhere, ["restore", bare]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--keys FILE") });
  await json(["restore", bare, "--keys", kept], elsewhere);
  expect(await signingSecret(elsewhere)).toBe(signing);
  renameSync(kept, keyFile);
});

test("the keys lie where the setting says", async () => {
  const [data, keys] = [join(home, "third"), join(home, "elsewhere.keys")];
  const env = { SANTRAL_SECRET_KEYS: keys };
  const server = await startProcess(data, { env });
  expect(existsSync(join(data, "secret.keys"))).toBe(false);
  expect(statSync(keys).mode & 0o777).toBe(0o600);
  const { code, stdout } = await santral(data, ["secrets", "status"], { env });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(keys) });
  await server.end("SIGTERM");
});
