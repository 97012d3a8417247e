// The world that is tormented: `santral start` with its supervisor, a PostgreSQL of its own behind a network of ours, a
// message carrier, a customer's CRM, a disk and a clock that can be made to fail.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { realClock } from "../../src/clock.ts";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { connectionTo, startEmbeddedServer } from "../../src/store/embedded.ts";
import { OWNER, prepareRoles, SERVER, TENANT } from "../../src/store/embedded-roles.ts";
import { addCredits } from "../../src/store/sms-accounts.ts";
import { createCarrier } from "../../src/store/sms-carriers.ts";
import { createTitle } from "../../src/store/sms-titles.ts";
import { sql } from "../../src/store/sql.ts";
import { type EventReceiver, openReceiver, PRIVATE_WEBHOOKS } from "../customer/event-receiver.ts";
import { type DatabaseProxy, databaseProxy } from "../ground/database-proxy.ts";
import { freePorts } from "../ground/free-ports.ts";
import { type Run, runIn, santral, temporaryFolder } from "../ground/santral-process.ts";
import { secretsIn } from "../ground/secrets.ts";
import { type Supervised, startSupervised } from "../ground/supervised-process.ts";
import { whenOver } from "../ground/when-over.ts";
import { openSmsc, type Smsc } from "../smsc/open-smsc.ts";
import type { FirstRun } from "../town/real-town.ts";
import { sure } from "../town/sms-desk.ts";
import { openPackets, type Packets } from "./packets.ts";
import { type FailingDisk, failingDisk, type SetClock, setClock } from "./preloaded.ts";

export type World = {
  /** What the server keeps its data in. */
  data: string;
  supervised: Supervised;
  /** The server that runs now, or ran last. */
  server(): Run;
  http: string;
  sipPort: number;
  firstRun: FirstRun & { sms: { username: string; password: string } };
  /** Past the network that is tormented. */
  db: Database;
  proxy: DatabaseProxy;
  database: { kill(): Promise<void>; start(): Promise<void> };
  events: EventReceiver;
  smsc: Smsc;
  packets: Packets;
  /** Undefined where it cannot be had. */
  disk: FailingDisk | undefined;
  clock: SetClock | undefined;
  /** A command of the operator's, as he types it. */
  command(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
};

export const MINUTE_PRICE = 0.25;
export const TITLE = { name: "CHAOS", iysCode: 600_000, iysBrandCode: 600_001, optOutNumber: "4607" };
const FIRST_CREDIT = 100_000;

export async function openWorld(random: () => number): Promise<World> {
  const folder = temporaryFolder();
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const { db, database, proxy } = await ownDatabase(join(folder, "pg"));
  const disk = failingDisk(folder, data);
  const clock = setClock(folder);
  const [httpPort, sipPort] = [await freePorts(1), await freePorts(1)];
  const as = (role: string) => `postgres://${role}@127.0.0.1:${proxy.port}/postgres`;
  const env = {
    ...PRIVATE_WEBHOOKS,
    DATABASE_URL: as(SERVER),
    SANTRAL_DATABASE_OWNER_URL: as(OWNER),
    SANTRAL_DATABASE_TENANT_URL: as(TENANT),
  };
  const preloaded = [disk, clock].filter((it) => it !== undefined);
  const supervised = startSupervised(data, {
    ...env,
    SANTRAL_SIP: `127.0.0.1:${sipPort}`,
    SANTRAL_HTTP: `127.0.0.1:${httpPort}`,
    SANTRAL_TRUSTED_PROXIES: "127.0.0.1",
    SANTRAL_LOG: "info",
    ...Object.assign({}, ...preloaded.map((it) => it.env)),
    LD_PRELOAD: preloaded.map((it) => it.library).join(":"),
  });
  const first = await supervised.ready;
  const firstRun = JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as World["firstRun"];
  const world: World = {
    data,
    supervised,
    server: () => runIn(data) ?? first,
    http: `http://127.0.0.1:${httpPort}`,
    sipPort,
    firstRun,
    db,
    proxy,
    database,
    events: await openReceiver({ repeats: "are one" }),
    smsc: await openSmsc(),
    packets: openPackets(random),
    disk,
    clock,
    command: (...words) => santral(data, words, { env }),
  };
  whenOver(() => world.smsc.close());
  await furnish(world);
  return world;
}

async function ownDatabase(folder: string): Promise<Pick<World, "db" | "database" | "proxy">> {
  const settings = ["max_connections=100"];
  let postgres = await startEmbeddedServer(folder, realClock, { settings });
  let starting = Promise.resolve();
  whenOver(() => postgres.stop());
  await prepareRoles(postgres.connection, realClock);
  const db = openDatabase(connectionTo(folder, "postgres"), realClock, { connections: 2 });
  whenOver(() => db.close());
  const database: World["database"] = {
    async kill() {
      await starting; // the one before may take its time
      process.kill(postgres.pid, "SIGKILL");
    },
    start() {
      starting = startEmbeddedServer(folder, realClock, { settings }).then((next) => {
        postgres = next;
      });
      return starting;
    },
  };
  return { db, database, proxy: await databaseProxy(folder) };
}

/** `data`: where the keys of secrets lie. */
type Furnished = Pick<World, "db" | "data" | "http" | "firstRun" | "events" | "smsc" | "command">;

/** What calls and messages need, and who is told of them. */
export async function furnish({ db, data, http, firstRun, events, smsc, command }: Furnished): Promise<void> {
  const { id: exchangeId, key } = firstRun.exchange;
  const told = { key, ringing: "on", answered: "on", hangup: "on", notification_url: events.url };
  const answer = await fetch(`${http}/crm_integrations`, { method: "POST", body: new URLSearchParams(told) });
  expect(answer.status).toBe(200);
  await expectDone(command("exchange", "set", "record-internal=yes"));
  await expectDone(command("rate", "set", "all", String(MINUTE_PRICE)));
  const address = { host: "127.0.0.1", port: smsc.port, systemId: "acme", password: "secret", window: 20 };
  sure(await createCarrier(db, secretsIn(data), exchangeId, { name: "smsc", kind: "smpp", ...address }));
  sure(await createTitle(db, exchangeId, TITLE));
  await db.query(sql`delete from sms_credit_moves`);
  await db.query(sql`update sms_accounts set credits = 0`);
  const [account] = await db.query<{ id: number }>(sql`select id from sms_accounts where exchange_id = $1`, [
    exchangeId,
  ]);
  await addCredits(db, { exchangeId, accountId: account!.id, credits: FIRST_CREDIT, at: new Date() }); // a first run makes one
}

export async function expectDone(running: ReturnType<World["command"]>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}
