// How long a start takes when many contacts are kept: node bench/run.mjs bench/growth-start.ts [contacts]
//
// From the command until the doors are open, by the clock and by CPU time of server and database, beside the same start
// without contacts. The database is started as well each time.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { openDatabase } from "../src/store/db.ts";
import { embeddedUrls } from "../src/store/embedded-roles.ts";
import { sql } from "../src/store/sql.ts";
import { figure } from "./figure.ts";
import { cpuMsOfTree } from "./process-cpu.ts";

const CONTACTS = Number(process.argv[2] ?? 100_000);
const STARTS = 3;
const GOAL_SECONDS = 3;
const PROGRAM = "dist/santral.js";

type Started = { seconds: number; cpuMs: number };

execFileSync(process.execPath, ["bin/build.mjs"]);
const folder = mkdtempSync(join(tmpdir(), "start-"));
const data = join(folder, "data");
const free = "127.0.0.1:0";
const quiet = { SANTRAL_SANDBOX: "off", SANTRAL_LOG: "warn" };
const env = { ...process.env, ...quiet, SANTRAL_DATA: data, SANTRAL_HTTP: free, SANTRAL_SIP: free };
try {
  await startAndStop();
  const without = await best();
  await startAndStop(addContacts);
  const many = await best();
  const ratio = many.cpuMs / without.cpuMs;
  console.log(
    `a start: ${without.seconds.toFixed(2)} s and ${without.cpuMs} ms CPU; with ${CONTACTS.toLocaleString("en")} contacts ` +
      `${many.seconds.toFixed(2)} s and ${many.cpuMs} ms CPU = ${ratio.toFixed(2)}`,
  );
  const common = { better: "less" as const, with: `${CONTACTS} contacts, the database started as well` };
  const beside = { yardstick: "CPU of the same without contacts", ratio };
  figure({
    name: `start-with-${CONTACTS}-contacts`,
    value: many.seconds,
    unit: "s",
    goal: GOAL_SECONDS,
    ...beside,
    ...common,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function best(): Promise<Started> {
  const starts: Started[] = [];
  for (let start = 0; start < STARTS; start++) starts.push(await startAndStop());
  return { seconds: Math.min(...starts.map((it) => it.seconds)), cpuMs: Math.min(...starts.map((it) => it.cpuMs)) };
}

async function startAndStop(meanwhile?: () => Promise<void>): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "start"], { env, stdio: ["ignore", "ignore", "inherit"] });
  await isOpen(child);
  const started = { seconds: (performance.now() - began) / 1_000, cpuMs: cpuMsOfTree(child.pid!) }; // it says it runs
  await meanwhile?.();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return started;
}

async function isOpen(child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    try {
      const run = JSON.parse(readFileSync(join(data, "run.json"), "utf8")) as { pid: number };
      if (run.pid === child.pid) return;
    } catch {
      // not written yet
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the exchange did not start");
}

async function addContacts(): Promise<void> {
  const db = openDatabase(embeddedUrls(join(data, "pg")).owner, realClock);
  await db.query(
    sql`insert into contacts (exchange_id, name, surname, phone)
     select (select min(id) from exchanges), 'Name ' || n, 'Surname ' || n, '0532' || lpad(n::text, 7, '0')
     from generate_series(1, $1::int) as n`,
    [CONTACTS],
  );
  await db.close();
}
