// A server on one core, SIPp on the other, and what both have to say about it.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { createInterface } from "node:readline";
import { runSipp, type SippResult, startSipp } from "../test/carriers/sipp.ts";
import { cpuMsOf } from "./process-cpu.ts";

export const SERVER_CORE = "0";
export const GENERATOR_CORE = "1";

/** For a machine that others use at the same time: what is measured then goes before them. Needs root. */
const isRealtime = process.argv.includes("--realtime");

/** The calls/s asked for on the command line. */
export const askedRates = (usual: number[]): number[] => {
  const asked = process.argv.slice(2).map(Number).filter(Number.isFinite);
  return asked.length > 0 ? asked : usual;
};

/** Nothing outlives a bench that is broken off. */
const running = new Set<ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    for (const child of running) child.kill("SIGKILL");
    process.exit(1);
  });

/** What stands before a command that is to run on this core. */
export const wordsFor = (core: string): string[] => [...(isRealtime ? ["chrt", "-r", "5"] : []), "taskset", "-c", core];

export function pinned(core: string, command: string[], options: SpawnOptions): ChildProcess {
  const [program, ...rest] = [...wordsFor(core), ...command];
  const child = spawn(program!, rest, options);
  running.add(child);
  child.on("exit", () => running.delete(child));
  return child;
}

/** What a served process says when asked. */
export type Report = { cpuMs: number; rssMb: number; heapMb: number; more: Record<string, number> };

export type Served = { report(): Promise<Report>; stop(): Promise<void> };

/** This same bench again, as the server: `serve` and its arguments follow the program's name. */
export async function startServer(args: string[]): Promise<Served> {
  const node = [...process.execArgv, process.argv[1]!, "serve", ...args];
  const child = pinned(SERVER_CORE, [process.execPath, ...node], { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("the server has no pipes");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    async report() {
      stdin.write("report\n");
      const { value } = await lines.next();
      return JSON.parse(value);
    },
    stop: () => ended(child, () => stdin.end()),
  };
}

/** The served side: says ready, then reports whenever a line comes in, and ends with its input. */
export function answerReports(more: () => Record<string, number>): void {
  const input = createInterface({ input: process.stdin });
  input.on("line", () => {
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    const report: Report = { cpuMs: (user + system) / 1000, rssMb: rss / 1e6, heapMb: heapUsed / 1e6, more: more() };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  });
  input.on("close", () => process.exit(0));
  process.stdout.write("ready\n");
}

/** Done and failed a second while calls were being asked for, without the first seconds and the last calls. */
export type Steady = { done: number; failed: number };

const SETTLING_SECONDS = 3;

const onCore = (core: string) => (words: string[], options: SpawnOptions) => pinned(core, words, options);

/** A caller that SIPp brings along. */
export async function runCaller(options: {
  port: number;
  rate: number;
  calls: number;
  extra?: string[];
}): Promise<SippResult & { steady: Steady }> {
  const { port, rate, calls, extra = [] } = options;
  const result = await runSipp({
    scenario: { builtIn: "uac" },
    server: `127.0.0.1:${port}`,
    rate,
    calls,
    extra,
    launch: onCore(GENERATOR_CORE),
  });
  return { ...result, steady: steadyPart(result.history, calls / rate) };
}

function steadyPart(history: SippResult["history"], askedSeconds: number): Steady {
  const last = history.at(-1)!; // one is written every second
  const asking = history.filter((it) => it.elapsedSeconds >= SETTLING_SECONDS && it.elapsedSeconds <= askedSeconds);
  const [from = last, to = last] = [asking[0], asking.at(-1)];
  const spent = to.elapsedSeconds - from.elapsedSeconds || Number.NaN;
  return { done: (to.done - from.done) / spent, failed: (to.failed - from.failed) / spent };
}

/** SIPp answering calls: the yardstick, and the far end of a relay. */
export async function startCallee(core: string): Promise<{ port: number; cpuMs(): number; stop(): Promise<void> }> {
  const { port, pid, end } = await startSipp({ scenario: { builtIn: "uas" }, launch: onCore(core) });
  return { port, cpuMs: () => cpuMsOf(pid), stop: end };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

function ended(child: ChildProcess, act?: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.on("exit", () => resolve());
    act?.();
  });
}

export function say(
  who: string,
  rate: number,
  result: { done: number; failed: number; retransmissions: number; seconds: number; cpuMs: number },
): void {
  const { done, failed, retransmissions, seconds, cpuMs } = result;
  const perCall = (cpuMs * 1000) / done;
  console.log(
    `${who}: ${rate}/s asked, ${(done / seconds).toFixed(0)}/s done, ${failed} failed, ${retransmissions} resent, ` +
      `${(cpuMs / seconds / 1000).toFixed(2)} core, ${perCall.toFixed(0)} us a call = ${(1e6 / perCall).toFixed(0)}/s a core`,
  );
}
