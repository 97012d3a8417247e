// How many relayed calls one core carries: the embedded engine beside rtpengine in user space, in the same run.
// node bench/run.mjs bench/media-relay.ts [calls,calls…] [seconds]
// The relay runs on core 0 and the load on core 1; CPU is CPU time, so a shared machine spoils only the delays.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openEmbeddedEngine } from "../src/media/embedded/embedded.ts";

const PORT_A = 21_000;
const PORT_B = 21_002;
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
  const folder = mkdtempSync(join(tmpdir(), "media-bench-"));
  const load = join(folder, "rtp-load");
  execFileSync("gcc", ["-O2", "-o", load, "bench/rtp-load.c", "-lpthread"]);
  console.log("relay        calls  cores  µs/packet  p50 ms  p99 ms  p99.9   worst    loss %   kB/call");
  const rows: { name: string; calls: number; micros: number; kilobytes: number }[] = [];
  for (const calls of counts)
    for (const start of [startEngine, startRtpengine]) {
      const relay = await start().catch((error: Error) => void console.log(`skipped: ${error.message}`));
      if (!relay) continue;
      const before = residentKilobytes(relay.pid);
      const ports = await relay.connect(calls);
      const { cores, result } = await runLoad(load, relay.pid, { calls, seconds, ports });
      const kilobytes = (residentKilobytes(relay.pid) - before) / calls;
      await relay.stop();
      const micros = (cores * seconds * 1e6) / result.received;
      rows.push({ name: relay.name, calls, micros, kilobytes });
      printRow(relay.name, { calls, cores, micros, kilobytes, ...result });
    }
  rmSync(folder, { recursive: true });
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
  }
}

async function runLoad(
  program: string,
  pid: number,
  { calls, seconds, ports }: { calls: number; seconds: number; ports: number[] },
): Promise<{ cores: number; result: Load }> {
  const load = spawn("taskset", ["-c", "1", program, ...[calls, seconds, PORT_A, PORT_B].map(String)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  load.stdin.end(ports.join("\n"));
  const lines = createInterface(load.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const before = cpuSeconds(pid);
  const result = JSON.parse((await lines.next()).value as string) as Load;
  const cores = (cpuSeconds(pid) - before) / (seconds + 0.3);
  return { cores, result };
}

/** CPU time of all threads of a process. */
function cpuSeconds(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return nanoseconds / 1e9;
}

function residentKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

async function startEngine(): Promise<Relay> {
  const child = spawn(
    "taskset",
    ["-c", "0", process.execPath, "--expose-gc", fileURLToPath(import.meta.url), "engine"],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    name: "santral",
    pid: child.pid!, // a child that answered was started
    async connect(calls) {
      child.stdin.write(`${calls}\n`);
      return JSON.parse((await lines.next()).value as string) as number[];
    },
    stop: () => end(child),
  };
}

/** The other half of startEngine: an exchange's media, asked for a number of calls and nothing else. */
async function serveEngine(): Promise<void> {
  const engine = await openEmbeddedEngine({
    workers: 1,
    portRange: [22_000, 29_999],
    address: "127.0.0.1",
    workerPath: "dist/media-worker.js",
    mediaTimeoutMs: 0,
    log: console,
  });
  process.on("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
  console.log("ready");
  for await (const line of createInterface(process.stdin)) {
    const ports: number[] = [];
    for (let call = 0; call < Number(line); call++) {
      const a = await engine.open();
      const b = await engine.open({ near: a.stream });
      for (const [stream, port] of [[a.stream, PORT_A] as const, [b.stream, PORT_B] as const])
        await engine.settle(stream, {
          codec: "PCMA",
          payloadType: 8,
          telephoneEvent: 101,
          remote: { address: "127.0.0.1", port },
          direction: "sendrecv",
        });
      await engine.join(a.stream, b.stream);
      ports.push(a.port, b.port);
    }
    console.log(JSON.stringify(ports));
  }
  // Whoever asked is gone.
  await engine.stop();
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
  const sdp = (port: number) =>
    `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 8 101\r\n` +
    "a=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n";
  const portIn = (reply: string) => Number(/m=audio (\d+)/.exec(reply)?.[1]);
  const about = { "call-id": `bench-${call}`, "from-tag": "a" };
  const offered = await ask({ command: "offer", ...about, sdp: sdp(PORT_A) });
  const answered = await ask({ command: "answer", ...about, "to-tag": "b", sdp: sdp(PORT_B) });
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
