// The whole exchange as a process of its own, with its database; for calls on one core, as a transit between two carriers.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMsOf, descendantsOf, residentMbOf, statOf } from "./process-cpu.ts";
import { freePort, SERVER_CORE, wordsFor } from "./two-cores.ts";

export const OWN_NUMBER = "908505321111";
const FAR_NUMBER = "905321234567";
const PROGRAM = "dist/santral.js";

export type Usage = { cpuMs: number; databaseCpuMs: number; residentKb: number };

export type ExchangeProcess = {
  sipPort: number;
  /** Where it answers HTTP. */
  http: string;
  pid: number;
  /** Its data folder. */
  data: string;
  /** Its own CPU time and that of its database, which share the core. */
  usage(): Usage;
  /** User and system time in ms of each of its threads. */
  threads(): Map<string, [number, number]>;
  command(...words: string[]): string;
  /** From now on calls leave for the callee at this port. */
  dialTo(calleePort: number): Promise<void>;
  stop(): Promise<void>;
};

/** Calls to OWN_NUMBER from this machine leave again for the callee. */
export async function startExchange(options: { calleePort: number; recording: boolean; nodeFlags?: string[] }) {
  const sipPort = await freePort();
  const settings = { SANTRAL_SIP: `127.0.0.1:${sipPort}`, SANTRAL_RTP_PORTS: "22000-29999" };
  const { http, pid, data, command, usage, threads, stop } = await runExchange(settings, {
    nodeFlags: options.nodeFlags ?? [],
    before: wordsFor(SERVER_CORE),
  });
  command("exchange", "set", `record-calls=${options.recording ? "yes" : "no"}`);
  const reach = ["source-addresses=127.0.0.1", "health-check=no", "codecs=PCMA,PCMU", `port=${options.calleePort}`];
  command("trunk", "create", "carrier", "127.0.0.1", ...reach);
  command("number", "create", OWN_NUMBER, `external/${FAR_NUMBER}`);
  const dialTo = async (port: number) => {
    command("trunk", "set", "carrier", `port=${port}`);
    await new Promise((resolve) => setTimeout(resolve, 500)); // it hears of the change in a moment
  };
  return { sipPort, http, pid, data, command, usage, threads, dialTo, stop } satisfies ExchangeProcess;
}

export type FirstRun = { exchange: { id: number; key: string } };

/** Nothing but what its first start makes; `before` stands before the command. */
export async function runExchange(
  settings: Record<string, string>,
  { nodeFlags = [] as string[], before = [] as string[] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "calls-bench-"));
  const data = join(folder, "data");
  const usual = { SANTRAL_HTTP: "127.0.0.1:0", SANTRAL_SANDBOX: "off", SANTRAL_LOG: "warn" };
  const env = { ...process.env, ...usual, ...settings, SANTRAL_DATA: data };
  const [program = "", ...words] = [...before, process.execPath, ...nodeFlags, PROGRAM, "start"];
  const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "inherit"] });
  const { http, sip } = await runFile(data, child);
  const command = (...words: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...words], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
  return {
    http,
    sip,
    pid: child.pid!, // it has told that it runs
    data,
    command,
    firstRun: JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as FirstRun,
    usage: () => usageOf(child.pid!), // it has told that it runs
    threads: () => threadsOf(child.pid!),
    async stop() {
      await ended(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Run = { pid: number; http: string; sip: string };

async function runFile(data: string, child: ChildProcess): Promise<Run> {
  for (let tries = 0; tries < 600; tries++) {
    try {
      const run = JSON.parse(readFileSync(join(data, "run.json"), "utf8")) as Run;
      if (run.pid === child.pid) return run;
    } catch {
      // not written yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the exchange did not start");
}

function usageOf(pid: number): Usage {
  const children = descendantsOf(pid);
  return {
    cpuMs: cpuMsOf(pid),
    databaseCpuMs: children.reduce((sum, child) => sum + cpuMsOf(child), 0),
    residentKb: residentMbOf(pid) * 1_024,
  };
}

function threadsOf(pid: number): Map<string, [number, number]> {
  const used = new Map<string, [number, number]>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = statOf(`${pid}/task/${thread}`);
    if (stat.length > 1) used.set(thread, [Number(stat[11]) * 10, Number(stat[12]) * 10]);
  }
  return used;
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
