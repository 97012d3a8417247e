// How long a start takes: node bench/run.mjs bench/start.ts [starts=5] [firsts=2] [core=0] [--realtime]
//
// The exchange is started as its service is, and asked for its OPTIONS every few milliseconds until it answers: at first
// in an empty data folder, then in the one that the last start has left after a stop in order, and after being killed.
// With `core` everything shares that core. Times are by the wall, which a busy machine spoils, so the CPU time that went
// by until then is told beside; the yardstick is a Node.js that starts and ends, taken in the same run.

import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure } from "./figure.ts";
import { cpuMsIn, descendantsOf, threadsOf } from "./process-cpu.ts";
import { freePort, wordsFor } from "./two-cores.ts";

type Started = { child: ChildProcess; sipMs: number; cpuMs: number; readyMs: number };

const ASK_EVERY_MS = 5;
const LONGEST_MS = 120_000;

const asked = new Map(process.argv.slice(2).map((word) => word.split("=", 2) as [string, string | undefined]));
const numberOf = (name: string, usual: number) => Number(asked.get(name) ?? usual);
const core = asked.get("core");
const before = core === undefined && !asked.has("--realtime") ? [] : wordsFor(core ?? "0-1");

execFileSync(process.execPath, ["bin/build.mjs"]);
const bareMs = median(Array.from({ length: 5 }, bareStart));
console.log(`a Node.js that starts and ends: ${bareMs.toFixed(0)} ms`);

const folder = mkdtempSync(join(tmpdir(), "start-bench-"));
const firsts = await severalStarts("first start", numberOf("firsts", 2), "SIGTERM", true);
const again = await severalStarts("restart", numberOf("starts", 5), "SIGTERM", false);
const killed = await severalStarts("start after a kill", numberOf("starts", 5), "SIGKILL", false);
rmSync(folder, { recursive: true, force: true });
const beside = { unit: "s", better: "less", yardstick: "node -e 0" } as const;
const where = core === undefined ? "all cores" : `core ${core}`;
const words = `to the first OPTIONS answered, embedded PostgreSQL, ${where}`;
figure({ name: "first-start", value: firsts / 1_000, goal: 4, ratio: firsts / bareMs, with: words, ...beside });
figure({ name: "restart", value: again / 1_000, goal: 0.8, ratio: again / bareMs, with: words, ...beside });
figure({ name: "start-after-kill", value: killed / 1_000, goal: 0.8, ratio: killed / bareMs, with: words, ...beside });

async function severalStarts(what: string, times: number, end: NodeJS.Signals, isFresh: boolean): Promise<number> {
  const took: number[] = [];
  let data = join(folder, "data");
  if (end === "SIGKILL") await stop((await start(data)).child, end);
  for (let time = 0; time < times; time++) {
    if (isFresh) data = join(folder, time === times - 1 ? "data" : `data-${time}`);
    const { child, sipMs, readyMs, cpuMs } = await start(data);
    console.log(`${what}: ${sipMs.toFixed(0)} ms to SIP, ${readyMs.toFixed(0)} to ready, ${cpuMs.toFixed(0)} ms CPU`);
    took.push(sipMs);
    await stop(child, end);
  }
  return median(took);
}

async function start(data: string): Promise<Started> {
  const port = await freePort();
  const settings = { SANTRAL_HTTP: "127.0.0.1:0", SANTRAL_SIP: `127.0.0.1:${port}`, SANTRAL_RTP_PORTS: "22000-29999" };
  const env = { ...process.env, SANTRAL_LOG: "warn", ...settings, SANTRAL_DATA: data };
  const [program = "", ...words] = [...before, process.execPath, "dist/santral.js", "start"];
  const began = performance.now();
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ready = new Promise<number>((resolve) => child.stdout.once("data", () => resolve(performance.now() - began)));
  const sipMs = (await answered(port)) - began;
  const pid = child.pid ?? 0;
  const cpuMs = cpuMsIn([pid, ...descendantsOf(pid)].flatMap(threadsOf));
  return { child, sipMs, cpuMs, readyMs: await ready };
}

/** When the first OPTIONS was answered, with whatever the exchange says to it. */
function answered(port: number): Promise<number> {
  const socket = createSocket("udp4");
  return new Promise((resolve, reject) => {
    let asking = 0;
    const end = performance.now() + LONGEST_MS;
    const over = () => {
      clearInterval(timer);
      socket.close();
    };
    const timer = setInterval(() => {
      if (performance.now() > end) {
        over();
        reject(new Error("no OPTIONS was answered"));
      } else socket.send(options(port, socket.address().port, ++asking), port, "127.0.0.1");
    }, ASK_EVERY_MS);
    socket.on("message", () => {
      const at = performance.now();
      over();
      resolve(at);
    });
    socket.bind(0, "127.0.0.1");
  });
}

function options(port: number, ownPort: number, number: number): string {
  return (
    `OPTIONS sip:127.0.0.1:${port} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${ownPort};branch=z9hG4bK${number};rport\r\n` +
    `Max-Forwards: 70\r\nFrom: <sip:bench@127.0.0.1>;tag=${number}\r\nTo: <sip:127.0.0.1:${port}>\r\n` +
    `Call-ID: start-${number}@127.0.0.1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`
  );
}

function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

function bareStart(): number {
  const [program = "", ...words] = [...before, process.execPath, "-e", "0"];
  const began = performance.now();
  spawnSync(program, words);
  return performance.now() - began;
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
