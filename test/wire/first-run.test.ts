import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { FirstRun } from "../../src/first-run/credentials.ts";
import { succeeds } from "../../src/store/ordinary-user.ts";
import { sql } from "../../src/store/sql.ts";
import { santral, startProcess, temporaryFolder } from "../ground/santral-process.ts";

vi.setConfig({ testTimeout: 240_000 }); // whole programs are started, on whatever else the machine is doing

/** Root gives the database somebody else to be in a user namespace; a chroot and many containers refuse it that. */
const isRoot = process.getuid?.() === 0;
const hasNamespaces = !isRoot || succeeds("unshare", "--user", "--map-user=65534", "--map-group=65534", "--", "true");
const NO_NAMESPACES = "root may make no user namespace here, so the database runs as nobody, who is let through (710)";

/** Below a folder that is root's alone, such as /root, no ordinary user can read the program at all. */
const PROGRAM = resolve("dist/santral.js");
const isReadable =
  !isRoot || succeeds("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-r", PROGRAM);
const UNREADABLE = `ordinary users cannot read ${PROGRAM}: the clone lies below a folder that is closed to them`;

const credentialsIn = (folder: string) => JSON.parse(readFileSync(join(folder, "first-run.json"), "utf8")) as FirstRun;

describe("a first run in an empty folder", () => {
  const folder = join(temporaryFolder(), "data");

  test("opens the exchange, writes its credentials for the owner alone, and keeps everything over a restart", async () => {
    const first = await startProcess(folder);
    const somewhere = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    expect(first.run).toEqual({
      ...{ pid: first.child.pid, began: expect.stringMatching(/./), http: somewhere, sip: somewhere },
      ...{ sipDoors: [somewhere], sipTlsDoors: [], publicIp: [] },
    });
    expect(statSync(join(folder, "first-run.json")).mode & 0o777).toBe(0o600);
    const credentials = credentialsIn(folder);
    expect(credentials).toEqual({
      exchange: { id: 101, key: expect.stringMatching(/^K[0-9a-f]{8}-/), sip_domain: expect.stringMatching(/./) },
      extensions: ["1000", "1001", "1002", "1003", "1004", "1005"].map((number) => ({
        number,
        password: expect.stringMatching(/^\w{20,}$/),
      })),
      sms: { username: expect.any(String), password: expect.stringMatching(/^.{20,}$/), title: expect.any(String) },
      console: {
        url: expect.stringContaining(first.run.http),
        email: expect.any(String),
        password: expect.stringMatching(/^\w{20,}$/),
      },
    });
    // It says so once its doors are open, which is what was waited for.
    await expect.poll(() => first.output()).toContain("first-run.json");
    expect(first.output()).not.toContain(credentials.exchange.key);

    const key = credentials.exchange.key;
    const numbers = await (await first.get(`/caller_ids?key=${key}`)).json();
    expect(JSON.stringify(numbers)).toContain("8505320000");
    expect((await first.get("/caller_ids?key=Knobody")).status).toBe(401);

    expect(await first.end("SIGTERM")).toBe(0);
    expect(existsSync(join(folder, "run.json"))).toBe(false);

    const second = await startProcess(folder);
    expect(credentialsIn(folder)).toEqual(credentials);
    expect(await (await second.get(`/caller_ids?key=${key}`)).json()).toEqual(numbers);
    expect(await second.end("SIGINT")).toBe(0);
  });

  test("closes its folder to everybody else", ({ skip }) => {
    skip(!hasNamespaces, NO_NAMESPACES);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("tells operators' machines how it is, and strangers nothing", async () => {
    const server = await startProcess(folder);
    expect(await (await server.get("/healthz")).text()).toBe("alive");
    expect(await (await server.get("/readyz")).text()).toBe("ready");
    const metrics = await (await server.get("/metrics")).text();
    expect(metrics).toContain("santral_http_requests_total");
    for (const work of ["sounds", "recordings", "documents", "previews", "sentences"])
      expect(metrics).toContain(`santral_fair_turns{work="${work}",what="refused"} 0`);
    expect(metrics).toContain('santral_locked{state="staff"} 0');
    const forwarded = await fetch(`http://${server.run.http}/metrics`, {
      headers: { "x-forwarded-for": "203.0.113.9" },
    });
    expect(forwarded.status).toBe(403);
    await server.end("SIGTERM");
  });

  test("refuses a second server on the same folder, in one sentence", async () => {
    const server = await startProcess(folder);
    const second = await santral(folder, ["start"]);
    expect(second.code).toBe(4);
    expect(second.stderr).toMatch(
      new RegExp(`^santral: .* in use by another Santral \\(process ${server.run.pid}\\).*\n$`),
    );
    await server.end("SIGTERM");
  });

  test("refuses a port that is taken, in one sentence", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const refused = await santral(folder, ["start"], { env: { SANTRAL_HTTP: `127.0.0.1:${port}` } });
    other.close();
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stderr).toBe(
      `santral: 127.0.0.1:${port} is already in use: set SANTRAL_HTTP to another host:port\n`,
    );
  });

  test("refuses a database made by a newer version and leaves it alone", async () => {
    const server = await startProcess(folder);
    await server.end("SIGKILL");
    const { connectionTo, startEmbeddedServer } = await import("../../src/store/embedded.ts");
    const { openDatabase } = await import("../../src/store/db.ts");
    const { realClock } = await import("../../src/clock.ts");
    const database = await startEmbeddedServer(join(folder, "pg"), realClock);
    const db = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock);
    await db.query(sql`insert into migrations (name) values ('9999-from-the-future.sql')`);
    await db.close();
    await database.stop();
    const refused = await santral(folder, ["start"]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/^santral: this database was made by a newer version of Santral.*\n$/);
  });
});

test("a crash after the credentials were written leads to the exchange they belong to", async () => {
  const folder = join(temporaryFolder(), "data");
  const first = await startProcess(folder);
  await first.end("SIGTERM");
  const written = credentialsIn(folder);
  const another = join(temporaryFolder(), "data");
  mkdirSync(another, { mode: 0o700 });
  writeFileSync(join(another, "first-run.json"), JSON.stringify(written), { mode: 0o600 });
  const server = await startProcess(another);
  expect(credentialsIn(another).exchange).toEqual(written.exchange);
  expect((await server.get(`/caller_ids?key=${written.exchange.key}`)).status).toBe(200);
  await server.end("SIGTERM");
});

test.runIf(isRoot).for([
  [65_534, "an ordinary user can run it too"],
  [12_345, "one without a name can run it too"],
] as const)("user %i: %s", async ([uid], { skip }) => {
  skip(!isReadable, UNREADABLE);
  skip(uid === 12_345 && !mayNameItself(uid), "a user without a name needs a user namespace, and may make none here");
  const parent = temporaryFolder();
  chownSync(parent, uid, uid);
  const folder = join(parent, "data");
  const server = await startProcess(folder, { uid });
  expect(statSync(join(folder, "first-run.json"))).toMatchObject({ uid });
  const { key } = credentialsIn(folder).exchange;
  expect((await server.get(`/caller_ids?key=${key}`)).status).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
});

function mayNameItself(uid: number): boolean {
  const become = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  return succeeds(...become, "unshare", "--user", "--map-user=65534", "--map-group=65534", "--", "true");
}

test.runIf(isRoot)("root in a container that refuses user namespaces can run it too", async () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o755);
  const commands = join(parent, "bin");
  mkdirSync(commands);
  writeFileSync(join(commands, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const server = await startProcess(join(parent, "data"), { env: { PATH: `${commands}:${process.env.PATH}` } });
  expect((await server.get("/readyz")).status).toBe(200);
  expect(statSync(join(parent, "data", "pg")).uid).toBe(65_534);
  expect(statSync(join(parent, "data")).mode & 0o777).toBe(0o710);
  expect(await server.end("SIGTERM")).toBe(0);
});

test("a data folder with somebody else's files in it is not taken over", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "shared"), { mode: 0o755 });
  writeFileSync(join(folder, "shared", "letter.txt"), "hello");
  const refused = await santral(join(folder, "shared"), ["start"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("is open to other users and holds other files");
  expect(statSync(join(folder, "shared")).mode & 0o777).toBe(0o755);
});
