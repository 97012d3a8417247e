// Drives SIPp against a server on the other core, and reads what both have to say about it.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

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

function pinned(core: string, command: string[], options: SpawnOptions): ChildProcess {
  const [program, ...rest] = [...(isRealtime ? ["chrt", "-r", "5"] : []), "taskset", "-c", core, ...command];
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

export type SippResult = {
  done: number;
  failed: number;
  retransmissions: number;
  seconds: number;
  /** Done and failed a second while calls were being asked for, without the first seconds and the last calls. */
  steady: { done: number; failed: number };
};

const SETTLING_SECONDS = 3;

/** A built-in scenario as caller. */
export async function runCaller(options: { port: number; rate: number; calls: number; extra?: string[] }) {
  const { port, rate, calls, extra = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), "sipp-"));
  const stats = join(folder, "stats.csv");
  const args = ["sipp", "-sn", "uac", `127.0.0.1:${port}`, "-i", "127.0.0.1", "-p", String(await freePort())];
  args.push("-r", String(rate), "-m", String(calls), "-l", "200000", "-nostdin", "-buff_size", "4194304");
  args.push("-trace_stat", "-stf", stats, "-fd", "1", ...extra);
  const started = performance.now();
  await ended(pinned(GENERATOR_CORE, args, { stdio: "ignore", cwd: folder }));
  const seconds = (performance.now() - started) / 1000;
  const result = readStats(readFileSync(stats, "utf8"), { seconds, askedSeconds: calls / rate });
  rmSync(folder, { recursive: true });
  return result;
}

/** SIPp answering calls: the yardstick, and the far end of a relay. */
export async function startCallee(core: string): Promise<{ port: number; cpuMs(): number; stop(): Promise<void> }> {
  const port = await freePort();
  const args = ["sipp", "-sn", "uas", "-i", "127.0.0.1", "-p", String(port), "-nostdin", "-buff_size", "4194304"];
  const child = pinned(core, args, { stdio: "ignore" });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return { port, cpuMs: () => cpuMsOf(child.pid!), stop: () => ended(child, () => child.kill("SIGKILL")) };
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

function readStats(csv: string, { seconds, askedSeconds }: { seconds: number; askedSeconds: number }): SippResult {
  const [names = [], ...rows] = csv
    .trim()
    .split("\n")
    .map((row) => row.split(";"));
  const column = (row: string[], name: string) => row[names.indexOf(name)] ?? "";
  const count = (row: string[], name: string) => Number(column(row, name));
  const last = rows.at(-1)!; // one is written every second
  const asking = rows.filter((row) => isWithin(elapsedSeconds(column(row, "ElapsedTime(C)")), askedSeconds));
  const [from = last, to = last] = [asking[0], asking.at(-1)];
  const spent =
    elapsedSeconds(column(to, "ElapsedTime(C)")) - elapsedSeconds(column(from, "ElapsedTime(C)")) || Number.NaN;
  const steady = (name: string) => (count(to, name) - count(from, name)) / spent;
  return {
    done: count(last, "SuccessfulCall(C)"),
    failed: count(last, "FailedCall(C)"),
    retransmissions: count(last, "Retransmissions(C)"),
    seconds,
    steady: { done: steady("SuccessfulCall(C)"), failed: steady("FailedCall(C)") },
  };
}

const isWithin = (second: number, askedSeconds: number) => second >= SETTLING_SECONDS && second <= askedSeconds;

/** SIPp writes 00:00:05:003000: hours, minutes, seconds, microseconds. */
function elapsedSeconds(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0, micros = 0] = text.split(":").map(Number);
  return hours * 3_600 + minutes * 60 + seconds + micros / 1e6;
}

/** User and system time of a process that is not ours to ask, in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
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
