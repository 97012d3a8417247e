// The whole exchange as a process of its own, with its database; for calls on one core, as a transit between two carriers.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, SERVER_CORE } from "./two-cores.ts";

export const OWN_NUMBER = "908505321111";
const FAR_NUMBER = "905321234567";
const PROGRAM = "dist/santral.js";

export type Usage = { cpuMs: number; databaseCpuMs: number; residentKb: number };

export type ExchangeProcess = {
  sipPort: number;
  /** Its own CPU time and that of its database, which share the core. */
  usage(): Usage;
  command(...words: string[]): string;
  /** From now on calls leave for the callee at this port. */
  dialTo(calleePort: number): Promise<void>;
  stop(): Promise<void>;
};

/** Calls to OWN_NUMBER from this machine leave again for the callee. */
export async function startExchange(options: { calleePort: number; recording: boolean; nodeFlags?: string[] }) {
  const sipPort = await freePort();
  const settings = { SANTRAL_SIP: `127.0.0.1:${sipPort}`, SANTRAL_RTP_PORTS: "22000-29999" };
  const { command, usage, stop } = await runExchange(settings, {
    nodeFlags: options.nodeFlags ?? [],
    before: ["taskset", "-c", SERVER_CORE],
  });
  command("exchange", "set", `record-calls=${options.recording ? "yes" : "no"}`);
  const reach = ["source-addresses=127.0.0.1", "health-check=no", "codecs=PCMA,PCMU", `port=${options.calleePort}`];
  command("trunk", "create", "carrier", "127.0.0.1", ...reach);
  command("number", "create", OWN_NUMBER, `external/${FAR_NUMBER}`);
  const dialTo = async (port: number) => {
    command("trunk", "set", "carrier", `port=${port}`);
    await new Promise((resolve) => setTimeout(resolve, 500)); // it hears of the change in a moment
  };
  return { sipPort, command, usage, dialTo, stop } satisfies ExchangeProcess;
}

export type FirstRun = { exchange: { key: string } };

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
    command,
    firstRun: JSON.parse(readFileSync(join(data, "first-run.json"), "utf8")) as FirstRun,
    usage: () => usageOf(child.pid!), // it has told that it runs
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
    residentKb: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
  };
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc"))
    if (/^\d+$/.test(name)) {
      const stat = readStat(Number(name));
      if (stat) parents.set(Number(name), Number(stat[1]));
    }
  const isBelow = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

/** User and system time in ticks of 10 ms, with that of children that have ended. */
function cpuMsOf(pid: number): number {
  const stat = readStat(pid);
  return stat ? [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at]), 0) * 10 : 0;
}

function readStat(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  } catch {
    return undefined; // it has just ended
  }
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
