// A process that carries calls is killed without warning, again and again; nothing it owed is lost.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openArrears } from "../../src/arrears/arrears.ts";
import { pause, realClock } from "../../src/clock.ts";
import { catchUp, recoverCalls } from "../../src/exchange/journal/recovery.ts";
import { journalParts } from "../../src/exchange/recordings/journal-parts.ts";
import { adoptLeftovers } from "../../src/exchange/recordings/leftovers.ts";
import { startWorkers } from "../../src/jobs/workers.ts";
import { silentLog } from "../../src/log.ts";
import { type Objects, openObjects } from "../../src/objects/objects.ts";
import type { Database } from "../../src/store/db.ts";
import { sql } from "../../src/store/sql.ts";
import { deliverEvents } from "../../src/webhooks/deliver.ts";
import { openRequester } from "../../src/webhooks/requester.ts";
import { DELIVER_EVENT } from "../../src/webhooks/tell.ts";
import { freshDatabase } from "../ground/database.ts";
import { type DatabaseProxy, databaseProxy } from "../ground/database-proxy.ts";
import { eventually } from "../ground/eventually.ts";
import { secrets } from "../ground/secrets.ts";

const KILLS = 5;

let db: Database;
let connection: string;
let proxy: DatabaseProxy;
let folder: string;
let program: string;
let crm: Server;
let received: { delivery: string; event: string; call: string }[];
let exchangeId: number;

beforeAll(async () => {
  const fresh = await freshDatabase();
  db = fresh.db;
  proxy = await databaseProxy(inject("databaseFolder"));
  const { username, pathname } = new URL(fresh.connection.replace("@/", "@nowhere/"));
  connection = `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`;
  folder = await mkdtemp(join(tmpdir(), "crash-"));
  program = join(process.cwd(), "node_modules", ".cache", `crash-journal-${process.pid}.mjs`);
  await build({
    entryPoints: ["test/wire/crash-journal-program.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });
  received = [];
  crm = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // whoever told it was killed in the middle of the sentence
    const form = new URLSearchParams(body);
    const delivery = String(request.headers["x-santral-delivery"]);
    received.push({ delivery, event: form.get("event_type")!, call: form.get("call_uuid")! });
    response.end();
  });
  await new Promise<void>((resolve) => crm.listen(0, "127.0.0.1", resolve));
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_url, crm_secret) values ('Crash', 'crash.example', $1, 'secret') returning id`,
    [`http://127.0.0.1:${(crm.address() as AddressInfo).port}/`],
  );
  exchangeId = row!.id;
});
afterAll(async () => {
  crm.closeAllConnections();
  crm.close();
  await rm(folder, { recursive: true });
  await rm(program, { force: true });
});

test(`no call loses its record, its recording or its events in ${KILLS} kills`, async () => {
  const heard = nothingYet();
  for (let kill = 0; kill < KILLS; kill++) await carryCallsUntilKilled(heard, { lines: 60 + 25 * kill });
  const records = await recoverAll(heard);
  expect(records.filter(({ cause }) => cause === "SYSTEM_SHUTDOWN").length).toBeGreaterThan(0);
}, 180_000);

test("nor while the database is away, nor when whoever writes what lies on disk is killed again and again", async () => {
  const heard = nothingYet();
  for (let round = 0; round < 2; round++) {
    const before = new Set(heard.closed);
    await carryCallsUntilKilled(heard, { lines: 900, awayAfter: 100 });
    const meanwhile = [...heard.closed].filter((uuid) => !before.has(uuid));
    expect(meanwhile.length).toBeGreaterThan(100);
    for (const afterMs of [0, 10, 25, 60]) await killWhileCatchingUp(afterMs);
  }
  const records = await recoverAll(heard);
  const ended = records.filter(({ uuid }) => heard.closed.has(uuid));
  expect(
    ended.filter(({ cause }) => cause !== "ORIGINATOR_CANCEL"),
    "as it really ended",
  ).toEqual([]);
  expect(await readdir(join(folder, "arrears"))).toEqual([]);
}, 300_000);

/** Everything that was heard to be safe is there, once. */
async function recoverAll({ opened, closed, taped }: Heard): Promise<{ uuid: string; cause: string }[]> {
  const objects = await openObjects(join(folder, "objects"));
  const recordings = join(folder, "recordings");
  const arrears = await openArrears({ folder: join(folder, "arrears"), clock: realClock, node: "crash" }).stream(
    "calls",
  );
  const parts = journalParts({ db, clock: realClock, log: silentLog, node: "crash", objects, recordings, arrears });
  await catchUp(parts);
  await recoverCalls(parts);
  await adoptLeftovers({ db, log: silentLog, objects, folder: recordings });
  expect(await lostOf(objects, taped)).toEqual([]);
  expect(await readdir(recordings), "nothing lies about").toEqual([]);
  const records = await db.query<{ uuid: string; cause: string }>(
    sql`select call_uuid as uuid, hangup_cause as cause from cdrs`,
  );
  const recorded = new Set(records.map(({ uuid }) => uuid));
  expect(recorded.size).toBe(records.length);
  expect([...opened].filter((uuid) => !recorded.has(uuid))).toEqual([]);
  expect([...closed].filter((uuid) => !recorded.has(uuid))).toEqual([]);
  expect(await db.query(sql`select call_uuid from live_calls`)).toEqual([]);

  await deliverAll();
  const told = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { delivery, event, call } of received) {
    if (seen.has(delivery)) continue; // repeated after a crash, and known by its id
    seen.add(delivery);
    told.set(call, [...(told.get(call) ?? []), event]);
  }
  for (const uuid of recorded) expect(["ringing,hangup", "hangup"]).toContain(told.get(uuid)?.join());
  for (const uuid of opened) expect(told.get(uuid)?.join()).toBe("ringing,hangup");
  return records;
}

/** Recordings that were on disk when their call ended, or when the process died, and are not there any more. */
async function lostOf(objects: Objects, taped: Set<string>): Promise<string[]> {
  const kept = await db.query<{ uuid: string; objectKey: string; durationMs: number }>(
    sql`select call_uuid as uuid, object_key as "objectKey", duration_ms as "durationMs" from recordings`,
  );
  const whole = new Set<string>();
  for (const { uuid, objectKey, durationMs } of kept)
    if (durationMs === 1_000 && (await objects.size(objectKey)) === 16_044) whole.add(uuid);
  return [...taped].filter((uuid) => !whole.has(uuid));
}

type Heard = Record<"opened" | "closed" | "taped", Set<string>>;

const nothingYet = (): Heard => ({ opened: new Set(), closed: new Set(), taped: new Set() });

/** `awayAfter`: so many lines later there is no database any more, until the process is dead. */
async function carryCallsUntilKilled(
  { opened, closed, taped }: Heard,
  { lines, awayAfter }: { lines: number; awayAfter?: number },
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [program, connection, String(exchangeId), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const over = new Promise((resolve) => child.once("exit", resolve));
  let heard = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    const [what, uuid] = line.split(" ");
    const known = new Map(Object.entries({ opened, closed, recorded: taped })).get(what!);
    if (!known) continue; // it says how far it is
    known.add(uuid!);
    heard += 1;
    if (heard === awayAfter) {
      proxy.freeze();
      proxy.cut();
    }
    if (heard === lines) child.kill("SIGKILL");
  }
  await over;
  proxy.cut();
  proxy.thaw();
  expect(heard).toBeGreaterThanOrEqual(lines);
}

/** So long after it has begun to write what lies on disk. */
async function killWhileCatchingUp(afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [program, connection, String(exchangeId), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const over = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  await pause(realClock, afterMs);
  child.kill("SIGKILL");
  await over;
}

async function deliverAll(): Promise<void> {
  // Leases of the killed workers, and the wait after a try that failed, would run out by themselves; who waits for that?
  const makeDue = () => db.query(sql`update jobs set run_at = 'epoch'`);
  await makeDue();
  const requester = openRequester({ clock: realClock, privateAllowed: true });
  const handlers = { [DELIVER_EVENT]: deliverEvents({ db, secrets, clock: realClock, requester }) };
  const workers = await startWorkers({ db, clock: realClock, log: silentLog, handlers });
  await eventually("everything is delivered", async () => {
    await workers.idle();
    const owed = await db.query(sql`select id from jobs where kind = $1`, [DELIVER_EVENT]);
    if (owed.length > 0) await makeDue();
    return owed.length === 0;
  });
  await workers.stop();
  requester.close();
}
