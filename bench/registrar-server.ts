// The registrar under test: an embedded database, thousands of extensions, and the switchboard as a server runs it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { realClock } from "../src/clock.ts";
import { openSwitchboard } from "../src/exchange/signalling/switchboard.ts";
import { openLog } from "../src/log.ts";
import { openUdp } from "../src/sip/transport/udp.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { cpuMsOfTree } from "./process-cpu.ts";

export const DOMAIN = "bench.example";
export const passwordOf = (user: number) => `secret${user}`;
export const FIRST_USER = 10_000;

/** CPU time since the start, of the server itself and of its database, and memory now. */
export type Report = {
  serverCpuMs: number;
  databaseCpuMs: number;
  rssMb: number;
  heapMb: number;
  more: Record<string, number>;
};

/** Says "ready", reports whenever a line comes in, ends with its input. */
export async function serveRegistrar(port: number, users: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
  const server = await startEmbeddedServer(join(folder, "pg"), realClock);
  const db = openDatabase(server.connection, realClock);
  await migrate(db, "src/store/migrations");
  await addUsers(db, users);
  const log = openLog("warn");
  const unexpected = (what: object) => log.warn(what, "unexpected");
  const transports = [await openUdp({ address: "127.0.0.1", port })];
  const board = await openSwitchboard({ db, secrets, clock: realClock, log, unexpected, transports });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const input = createInterface({ input: process.stdin });
  input.on("line", async () => {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const [stored] = await db.query<{ rows: number }>(sql`select count(*) as rows from registrations`);
    const report: Report = {
      serverCpuMs: (user + system) / 1_000,
      databaseCpuMs: cpuMsOfTree(server.pid),
      rssMb: rss / 1e6,
      heapMb: heapUsed / 1e6,
      more: {
        loopP50Ms: delay.percentile(50) / 1e6,
        loopP99Ms: delay.percentile(99) / 1e6,
        loopMaxMs: delay.max / 1e6,
        ...board.registrar.counts(),
        stored: stored?.rows ?? 0,
        ...board.stack.load(),
        ...board.stack.counters,
      },
    };
    delay.reset();
    process.stdout.write(`${JSON.stringify(report)}\n`);
  });
  input.on("close", async () => {
    await board.close();
    await db.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    process.exit(0);
  });
  process.stdout.write("ready\n");
}

export async function addUsers(db: Database, users: number): Promise<void> {
  await db.query(sql`insert into exchanges (id, name, sip_domain, crm_secret) values (1, 'bench', $1, 'secret')`, [
    DOMAIN,
  ]);
  await db.query(
    sql`insert into extensions (exchange_id, number, ha1_md5, ha1_sha256)
     select 1, number, md5(number || ':' || $1 || ':secret' || number),
       encode(sha256(convert_to(number || ':' || $1 || ':secret' || number, 'UTF8')), 'hex')
     from (select (${FIRST_USER} + n)::text as number from generate_series(0, $2::int - 1) as n) as numbers`,
    [DOMAIN, users],
  );
}
