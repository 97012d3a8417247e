// How many relayed calls one core carries: the embedded engine beside rtpengine in user space, in the same run.
// node bench/run.mjs bench/media-relay.ts [calls,calls…] [seconds]
// The relay runs on core 0 and the load on core 1; CPU is CPU time, so a shared machine spoils only the delays.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { portIn, sdp } from "./carrier-words.ts";
import { serveEngine, startEngine } from "./engine-process.ts";
import { figure } from "./figure.ts";
import { cpuMsIn, residentMbOf, threadsOf } from "./process-cpu.ts";
import { CALLEES_PORT, CALLERS_PORT, compileLoad } from "./rtp-load.ts";

const PLAIN = { a: "PCMA", b: "PCMA" } as const;
/** Measured once on this kind of machine with a PSTN-style dialplan, one core: calls carried and memory for each. */
const FREESWITCH = { calls: 300, kilobytesPerCall: 755 };

type Load = { sent: number; received: number; p50: number; p99: number; p999: number; worst: number; late: number };
type Relay = { name: string; pid: number; connect(calls: number): Promise<number[]>; stop(): Promise<void> };

if (process.argv[2] === "engine") await serveEngine();
else await compare();

async function compare(): Promise<void> {
  const counts = (process.argv[2] ?? "100,300,600,900").split(",").map(Number);
  const seconds = Number(process.argv[3] ?? 6);
  execFileSync(process.execPath, ["bin/build.mjs"]);
  const load = compileLoad();
  console.log("relay        calls  cores  µs/packet  p50 ms  p99 ms  p99.9   worst    loss %   kB/call");
  const rows: { name: string; calls: number; micros: number; kilobytes: number }[] = [];
  for (const calls of counts)
    for (const start of [startOurs, startRtpengine]) {
      const relay = await start().catch((error: Error) => void console.log(`skipped: ${error.message}`));
      if (!relay) continue;
      const before = residentMbOf(relay.pid) * 1_024;
      const ports = await relay.connect(calls);
      const { cores, result } = await runLoad(load, relay.pid, { calls, seconds, ports });
      const kilobytes = (residentMbOf(relay.pid) * 1_024 - before) / calls;
      await relay.stop();
      const micros = (cores * seconds * 1e6) / result.received;
      rows.push({ name: relay.name, calls, micros, kilobytes });
      printRow(relay.name, { calls, cores, micros, kilobytes, ...result });
    }
  printRatios(rows);
}

function printRow(name: string, row: Load & { calls: number; cores: number; micros: number; kilobytes: number }): void {
  const loss = 100 * (1 - row.received / row.sent);
  const cells = [
    name.padEnd(12),
    String(row.calls).padStart(5),
    row.cores.toFixed(2).padStart(6),
    row.micros.toFixed(1).padStart(9),
    ...[row.p50, row.p99, row.p999, row.worst].map((ms) => ms.toFixed(2).padStart(7)),
    loss.toFixed(3).padStart(8),
    row.kilobytes.toFixed(1).padStart(9),
  ];
  console.log(cells.join(" ") + (row.late > 0 ? `   (load ${row.late} ticks late)` : ""));
}

function printRatios(rows: { name: string; calls: number; micros: number; kilobytes: number }[]): void {
  for (const ours of rows.filter((row) => row.name === "santral")) {
    const theirs = rows.find((row) => row.name === "rtpengine" && row.calls === ours.calls);
    const perCore = Math.floor(1e6 / ours.micros / 100);
    const parts = [
      theirs && `${(theirs.micros / ours.micros).toFixed(2)} x rtpengine's packets per CPU second`,
      `${perCore} calls a core by CPU time = ${(perCore / FREESWITCH.calls).toFixed(1)} x FreeSWITCH's ${FREESWITCH.calls}`,
      `1/${(FREESWITCH.kilobytesPerCall / Math.max(ours.kilobytes, 0.1)).toFixed(0)} of its ${FREESWITCH.kilobytesPerCall} kB a call`,
    ];
    console.log(`${ours.calls} calls: ${parts.filter(Boolean).join("; ")}`);
    figure({
      name: `relayed-packet-of-${ours.calls}`,
      value: ours.micros / 1_000,
      unit: "ms",
      better: "less",
      ...(theirs && { yardstick: "rtpengine in user space", ratio: ours.micros / theirs.micros }),
      with: `${ours.calls} calls with voice both ways, media engine alone`,
    });
  }
}

async function runLoad(
  program: string,
  pid: number,
  { calls, seconds, ports }: { calls: number; seconds: number; ports: number[] },
): Promise<{ cores: number; result: Load }> {
  const load = spawn("taskset", ["-c", "1", program, ...[calls, seconds, CALLERS_PORT, CALLEES_PORT].map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  load.stdin.end(ports.join("\n"));
  const lines = createInterface(load.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const before = cpuMsIn(threadsOf(pid));
  const result = JSON.parse((await lines.next()).value as string) as Load;
  const cores = (cpuMsIn(threadsOf(pid)) - before) / 1_000 / (seconds + 0.3);
  return { cores, result };
}

async function startOurs(): Promise<Relay> {
  const { pid, connect, stop } = await startEngine(["--expose-gc"]);
  return { name: "santral", pid, connect: (calls) => connect(PLAIN, calls), stop };
}

async function startRtpengine(): Promise<Relay> {
  const control = 21_010;
  const child = spawn(
    "taskset",
    [
      ..."-c 0 rtpengine --config-file=none --table=-1 --foreground --log-stderr --log-level=2 --num-threads=1".split(
        " ",
      ),
      ..."--interface=127.0.0.1 --delete-delay=0 --port-min=22000 --port-max=29999".split(" "),
      `--listen-ng=127.0.0.1:${control}`,
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  const gone = once(child, "exit").then(() => Promise.reject(new Error("rtpengine is not installed or did not start")));
  const socket = createSocket("udp4");
  const ask = askBy(socket, control);
  await Promise.race([waitUntil(() => ask({ command: "ping" }).then(() => true)), gone]);
  gone.catch(() => {}); // it has started: its end is ours from here on
  return {
    name: "rtpengine",
    pid: child.pid!, // it answered
    async connect(calls) {
      const ports: number[] = [];
      for (let call = 0; call < calls; call++) ports.push(...(await connectCall(ask, call)));
      return ports;
    },
    async stop() {
      socket.close();
      await end(child);
    },
  };
}

type Dictionary = { [key: string]: string };
type Ask = (message: Dictionary) => Promise<string>;

/** Port facing A, port facing B. */
async function connectCall(ask: Ask, call: number): Promise<number[]> {
  const about = { "call-id": `bench-${call}`, "from-tag": "a" };
  const offered = await ask({ command: "offer", ...about, sdp: sdp(CALLERS_PORT) });
  const answered = await ask({ command: "answer", ...about, "to-tag": "b", sdp: sdp(CALLEES_PORT) });
  return [portIn(answered), portIn(offered)];
}

/** rtpengine's control protocol: a cookie and a bencoded dictionary in a datagram, one at a time, asked again when lost. */
function askBy(socket: Socket, port: number): Ask {
  let cookie = 0;
  return async (message) => {
    const text = Object.entries(message).map(([key, value]) => bencode(key) + bencode(value));
    const id = String(++cookie);
    for (let tries = 0; tries < 5; tries++) {
      const reply = once(socket, "message", { signal: AbortSignal.timeout(500) });
      socket.send(`${id} d${text.join("")}e`, port, "127.0.0.1");
      const got = await reply.then(([bytes]) => String(bytes)).catch(() => "");
      if (got.startsWith(`${id} `)) return got;
    }
    throw new Error("rtpengine does not answer");
  };
}

function bencode(text: string): string {
  return `${Buffer.byteLength(text)}:${text}`;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 20; tries++) if (await isSo().catch(() => false)) return;
  throw new Error("rtpengine does not answer");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
