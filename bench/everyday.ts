// What a call costs when few are made: node bench/run.mjs bench/everyday.ts [rates=20,50] [full=450] [seconds=20] [rounds=2] [profile] [--realtime]
//
// The exchange and its database share one core, SIPp calls and answers on the other. Every call is bridged for a second,
// anchored in the media engine, kept in the journal and written as a CDR; no recording, no voice. All is CPU time to the
// nanosecond, of the exchange's process by thread and of its database beside it, less what both use when nobody calls.
// The yardstick is the same call as one of `full` a second: what it costs when everything is shared with many others.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { connectionTo } from "../src/store/embedded.ts";
import { type ExchangeProcess, OWN_NUMBER, startExchange } from "./exchange-process.ts";
import { figure } from "./figure.ts";
import { cpuMsIn, descendantsOf, type ThreadUse, threadsOf, usedSince } from "./process-cpu.ts";
import { GENERATOR_CORE, runCaller, startCallee } from "./two-cores.ts";

const WITH = "bridged for a second, journal, CDR, no recording, one core";

const asked = new Map(process.argv.slice(2).map((word) => word.split("=", 2) as [string, string | undefined]));
const numberOf = (name: string, usual: number) => Number(asked.get(name) ?? usual);
const FULL_RATE = numberOf("full", 450);
const rates = (asked.get("rates") ?? "20,50").split(",").map(Number);
const seconds = numberOf("seconds", 20);

type Spent = { own: ThreadUse[]; database: number; transactions: number; seconds: number; calls: number };

execFileSync(process.execPath, ["bin/build.mjs"]);
const callee = await startCallee(GENERATOR_CORE);
const nodeFlags = asked.has("profile") ? ["--cpu-prof"] : [];
const exchange = await startExchange({ calleePort: callee.port, recording: false, nodeFlags });
const database = new pg.Client(connectionTo(join(exchange.data, "pg"), "postgres"));
await database.connect();
await call(FULL_RATE, 3);
const full = await spentBy(() => call(FULL_RATE, 8));
const idle = await spentBy(() => pause(15));
say("nobody calls", idle);
const fullMs = perCall(full, idle).own;
say(`${FULL_RATE}/s`, full);
for (const rate of rates) {
  const rounds = [];
  for (let round = 0; round < numberOf("rounds", 2); round++) {
    const spent = await spentBy(() => call(rate, seconds));
    say(`${rate}/s`, spent);
    rounds.push(perCall(spent, idle));
  }
  const best = rounds.sort((one, other) => one.own - other.own)[0]!; // one at least
  const yardstick = { yardstick: `one of ${FULL_RATE} a second`, ratio: best.own / fullMs, with: WITH };
  figure({ name: `bridged-call-at-${rate}`, value: best.own, unit: "ms", better: "less", goal: 3, ...yardstick });
  figure({ name: `bridged-call-at-${rate}-database`, value: best.database, unit: "ms", better: "less", with: WITH });
}
figure({ name: `bridged-call-at-${FULL_RATE}`, value: fullMs, unit: "ms", better: "less", with: WITH });
await database.end();
await exchange.stop();
await callee.stop();

async function call(rate: number, forSeconds: number): Promise<number> {
  const extra = ["-s", OWN_NUMBER, "-d", "1000"];
  const result = await runCaller({ port: exchange.sipPort, rate, calls: rate * forSeconds, extra });
  if (result.failed > 0) console.log(`${result.failed} of ${rate * forSeconds} calls failed`);
  return result.done;
}

async function spentBy(act: () => Promise<number>): Promise<Spent> {
  const before = look(exchange);
  const [transactions, began] = [await countTransactions(), performance.now()];
  const calls = await act();
  const took = (performance.now() - began) / 1_000;
  const after = look(exchange);
  return {
    own: usedSince(before.own, after.own),
    database: cpuMsIn(usedSince(before.database, after.database)),
    transactions: (await countTransactions()) - transactions,
    seconds: took,
    calls,
  };
}

function look({ pid }: ExchangeProcess): { own: ThreadUse[]; database: ThreadUse[] } {
  return { own: threadsOf(pid), database: descendantsOf(pid).flatMap(threadsOf) };
}

/** Without what is used anyway, for as long as it took. */
function perCall(spent: Spent, idle: Spent): { own: number; database: number } {
  const less = (used: number, anyway: number) => (used - (anyway * spent.seconds) / idle.seconds) / spent.calls;
  return { own: less(cpuMsIn(spent.own), cpuMsIn(idle.own)), database: less(spent.database, idle.database) };
}

function say(what: string, { own, database, transactions, seconds, calls }: Spent): void {
  const each = calls > 0 ? calls : seconds;
  const unit = calls > 0 ? "a call" : "a second";
  console.log(
    `${what}: ${(cpuMsIn(own) / each).toFixed(2)} ms CPU and ${(database / each).toFixed(2)} for the database ${unit}, ` +
      `${(transactions / each).toFixed(2)} transactions ${unit}`,
  );
  for (const { thread, pid, cpuMs, wakeUps } of own)
    if (cpuMs / each > 0.01)
      console.log(
        `  ${thread === pid ? "main thread" : `thread ${thread - pid}`}: ${(cpuMs / each).toFixed(2)} ms, ${(wakeUps / each).toFixed(1)} wake-ups`,
      );
}

async function countTransactions(): Promise<number> {
  await pause(1.1); // it counts a second late
  const { rows } = await database.query("select xact_commit from pg_stat_database where datname = 'postgres'");
  return Number(rows[0].xact_commit);
}

async function pause(forSeconds: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000));
  return 0;
}
