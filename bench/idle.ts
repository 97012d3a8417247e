// What a server costs that nobody calls: node bench/run.mjs bench/idle.ts [settle=60] [seconds=60]
//
// CPU time by thread and wake-ups of the exchange's process, of its database beside it, and the memory of both, for a
// minute in which nothing happens. The yardsticks are taken in the same run: a Node.js that sleeps, and a
// database without a server.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { runExchange } from "./exchange-process.ts";
import { figure } from "./figure.ts";
import { cpuMsIn, descendantsOf, memoryOf, type ThreadUse, threadsOf, usedSince } from "./process-cpu.ts";
import { freePort } from "./two-cores.ts";

const asked = new Map(process.argv.slice(2).map((word) => word.split("=", 2) as [string, string | undefined]));
const settleSeconds = Number(asked.get("settle") ?? 60);
const seconds = Number(asked.get("seconds") ?? 60);
const WITH = "nothing but what a first start makes, embedded PostgreSQL beside";

type Used = { percent: number; threads: ThreadUse[] };

execFileSync(process.execPath, ["bin/build.mjs"]);
const sleeper = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1e6)"], { stdio: "ignore" });
const exchange = await runExchange({ SANTRAL_SIP: `127.0.0.1:${await freePort()}` });
await pause(settleSeconds);
const database = descendantsOf(exchange.pid);
const [own, beside, bare] = await Promise.all([used([exchange.pid]), used(database), used([sleeper.pid ?? 0])]);
for (const { thread, pid, cpuMs, wakeUps } of own.threads.filter(({ cpuMs }) => cpuMs > 1))
  console.log(
    `  ${thread === pid ? "main thread" : `thread ${thread - pid}`}: ${cpuMs.toFixed(0)} ms, ${wakeUps} wake-ups`,
  );
const { residentMb, ownMb } = memoryOf(exchange.pid);
const sleeping = memoryOf(sleeper.pid ?? 0);
const databaseMb = database.reduce((sum, pid) => sum + memoryOf(pid).ownMb, 0);
console.log(
  `exchange ${own.percent.toFixed(2)} %, ${residentMb.toFixed(0)} MB resident (${ownMb.toFixed(0)} its own); ` +
    `database ${beside.percent.toFixed(2)} %, ${databaseMb.toFixed(0)} MB; a Node.js that sleeps ` +
    `${bare.percent.toFixed(2)} %, ${sleeping.residentMb.toFixed(0)} MB (${sleeping.ownMb.toFixed(0)} its own)`,
);
sleeper.kill();
await once(sleeper, "exit");
await exchange.stop();
const alone = await databaseAlone();
console.log(`the database alone: ${alone.toFixed(2)} %`);
const all = own.percent + beside.percent;
const less = { better: "less", with: WITH } as const;
figure({
  name: "idle-cpu",
  value: all,
  unit: "%",
  goal: 0.5,
  yardstick: "its database alone",
  ratio: all / alone,
  ...less,
});
const ratio = residentMb / sleeping.residentMb;
figure({
  name: "idle-memory",
  value: residentMb,
  unit: "MB",
  goal: 90,
  yardstick: "a Node.js that sleeps",
  ratio,
  ...less,
});
figure({ name: "idle-memory-database", value: databaseMb, unit: "MB", ...less });

async function used(pids: number[]): Promise<Used> {
  const before = pids.flatMap(threadsOf);
  await pause(seconds);
  const threads = usedSince(before, pids.flatMap(threadsOf));
  return { percent: cpuMsIn(threads) / seconds / 10, threads };
}

/** One that has never seen a server. */
async function databaseAlone(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "idle-bench-"));
  const server = await startEmbeddedServer(join(folder, "pg"), realClock);
  await pause(settleSeconds / 3);
  const { percent } = await used([server.pid, ...descendantsOf(server.pid)]);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return percent;
}

async function pause(forSeconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000));
}
