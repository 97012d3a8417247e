// One record a request over HTTP: a message by send.json, a contact, beside a bare node:http server of the same run.
//   node bench/run.mjs bench/doors.ts [requests=6000] [rounds=4] [clients=32]
//
// The server has one core, the database and the clients the other. What counts is the CPU time that a request costs
// the server, and beside it what it costs the database; "a second" is what one core carries at that price. The best
// round counts: the first ones are spent on getting warm.

import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { createApiKey } from "../src/store/api-keys.ts";
import type { Database } from "../src/store/db.ts";
import { newDesk } from "../test/town/sms-desk.ts";
import { figure } from "./figure.ts";
import { loadHttp, type NextRequest, requestText } from "./http-load.ts";
import { serve } from "./http-server.ts";
import { cpuMsOfTree } from "./process-cpu.ts";
import { openWalledDatabase } from "./walled-database.ts";

type Server = { address: string; child: ChildProcess };
type Measured = { perSecond: number; ownMicros: number; databaseMicros: number };

const [SERVERS_CORE, OTHER_CORE] = ["0", "1"];

/** Never the same number twice: a text goes to a number once a day. */
let number = 0;

async function bench(requests: number, rounds: number, clients: number): Promise<void> {
  pin(process.pid, OTHER_CORE);
  const { pid: postmaster, urls, owner: db, close } = await openWalledDatabase();
  const running: Server[] = [];
  try {
    const ours = await start("ours", JSON.stringify(urls));
    const bare = await start("bare", "20212");
    running.push(ours, bare);
    const loads = await loadsOf(db);
    const best = new Map<string, Measured>();
    for (let round = 0; round < rounds; round++)
      for (const [name, next] of loads) {
        const server = name === "bare" ? bare : ours;
        const measured = await measure(server, { postmaster, requests, clients, next });
        const before = best.get(name);
        best.set(name, {
          perSecond: Math.max(before?.perSecond ?? 0, measured.perSecond),
          ownMicros: Math.min(before?.ownMicros ?? Number.POSITIVE_INFINITY, measured.ownMicros),
          databaseMicros: Math.min(before?.databaseMicros ?? Number.POSITIVE_INFINITY, measured.databaseMicros),
        });
      }
    for (const [name, { perSecond, ownMicros, databaseMicros }] of best)
      console.log(
        `${name.padEnd(12)} ${ownMicros.toFixed(0).padStart(5)} µs CPU a request, the database ${databaseMicros.toFixed(0).padStart(5)} µs; ${perSecond.toFixed(0)}/s as the machine let them`,
      );
    tell(best, clients);
  } finally {
    for (const { child } of running) child.disconnect();
    await close();
  }
}

function tell(best: Map<string, Measured>, clients: number): void {
  const base = best.get("bare")!;
  const goals: Record<string, [name: string, goal: number]> = {
    sms: ["sms-one-a-request", 3_000],
    contact: ["contact-one-a-request", 6_000],
  };
  for (const [load, [name, goal]] of Object.entries(goals)) {
    const { ownMicros, databaseMicros } = best.get(load)!;
    const common = { yardstick: "bare node:http", with: `walls, fsync, ${clients} clients` } as const;
    const ratio = base.ownMicros / ownMicros;
    figure({ ...common, name, value: 1e6 / ownMicros, unit: "/s", better: "more", goal, ratio });
    const value = databaseMicros / 1_000;
    figure({ ...common, name: `${name}-database`, value, unit: "ms", better: "less", goal: 1_000 / goal });
  }
}

async function loadsOf(db: Database): Promise<[name: string, next: () => string][]> {
  const desk = await newDesk(db, { credits: 100_000_000 });
  const { key } = await createApiKey(db, desk.exchangeId);
  const json = (body: object) => requestText("POST", "/v2/send.json", "application/json", JSON.stringify(body));
  const form = "name=Ay%C5%9Fe&surname=Y%C4%B1lmaz&phone=05531234567";
  const contact = requestText("POST", `/contacts?key=${key}`, "application/x-www-form-urlencoded", form);
  return [
    ["bare", () => contact],
    ["sms", () => json({ ...desk.login, messages: [{ dest: `9053${20_000_000 + number++}`, msg: "Merhaba dunya" }] })],
    ["contact", () => contact],
  ];
}

type Load = { postmaster: number; requests: number; clients: number; next: () => string };

async function measure({ address, child }: Server, load: Load): Promise<Measured> {
  const { postmaster, requests, clients, next } = load;
  const own = cpuMsOfTree(child.pid!);
  const database = cpuMsOfTree(postmaster);
  const began = performance.now();
  let left = requests;
  const more: NextRequest = () => (left-- > 0 ? next() : undefined);
  const count = await loadHttp(address, clients, more);
  const perSecond = count / ((performance.now() - began) / 1_000);
  const each = (ms: number) => (ms * 1_000) / count;
  return {
    perSecond,
    ownMicros: each(cpuMsOfTree(child.pid!) - own),
    databaseMicros: each(cpuMsOfTree(postmaster) - database),
  };
}

async function start(kind: "ours" | "bare", argument: string): Promise<Server> {
  const child = fork(process.argv[1]!, [kind, argument], kind === "ours" ? profiled() : {});
  pin(child.pid!, SERVERS_CORE);
  const { address } = await new Promise<{ address: string }>((resolve) =>
    child.once("message", (said) => resolve(said as { address: string })),
  );
  return { address, child };
}

/** `BENCH_PROFILE=folder`: the server writes there what it spent its time on. */
function profiled(): { execArgv?: string[] } {
  const folder = process.env.BENCH_PROFILE;
  return folder ? { execArgv: ["--cpu-prof", `--cpu-prof-dir=${folder}`] } : {};
}

function pin(pid: number, core: string): void {
  if (process.platform === "linux") execFileSync("taskset", ["-acp", core, String(pid)], { stdio: "ignore" });
}

const [role = "", argument = "", clients = ""] = process.argv.slice(2);
if (role === "ours" || role === "bare") await serve(role, argument);
else await bench(Number(role || 6_000), Number(argument || 4), Number(clients || 32));
