// Recorded calls with voice, all in: node bench/run.mjs bench/recording.ts [short] [long] [flood[=300]] [seconds=20] [profile]
//
// Bridged G.711 calls that are recorded, kept and coded: 20 a second of 1 s, 50 of 14 s, and `flood` calls a second of 1 s
// with what is left to code afterwards. The exchange and its database share one core; CPU is their CPU time until every
// recording is stored in its final form. The yardstick is the former way on the same recordings: sh, nice and ffmpeg each.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wavHeader } from "../src/media/wav.ts";
import { type ExchangeProcess, startExchange } from "./exchange-process.ts";
import { figure } from "./figure.ts";
import { openTalkers, type Talked } from "./talking-calls.ts";
import { GENERATOR_CORE } from "./two-cores.ts";

const asked = new Map(process.argv.slice(2).map((word) => word.split("=", 2) as [string, string | undefined]));
const wants = (name: string) => asked.has(name) || !["short", "long", "flood"].some((part) => asked.has(part));
const SECONDS = Number(asked.get("seconds") ?? 20);
const LONGEST_DRAIN_MS = Number(asked.get("drain") ?? 600) * 1_000;

execFileSync("taskset", ["-pc", GENERATOR_CORE, String(process.pid)], { stdio: "ignore" });
execFileSync(process.execPath, ["bin/build.mjs"]);
const nodeFlags = asked.has("profile") ? ["--cpu-prof", `--cpu-prof-dir=${asked.get("profile") ?? "."}`] : [];
for (const recording of asked.has("plain") ? [false, true] : [true]) await measure(recording);

async function measure(recording: boolean): Promise<void> {
  const talkers = await openTalkers((calleePort) => startExchange({ calleePort, recording, nodeFlags }));
  const { exchange, talk } = talkers;
  await talk({ calls: 400, rate: 30, seconds: 1 }); // until what runs often is compiled
  await drained(exchange);
  const what = recording ? "recorded" : "plain";
  if (wants("short")) {
    const used = await spent(exchange, () => talk({ calls: 20 * SECONDS, rate: 20, seconds: 1 }));
    tell(`${what}-call-of-1-s-at-20-a-second`, used, { unitOfWork: used.done, goal: 14, formerMs: formerWay(1) });
  }
  if (wants("long")) {
    const used = await spent(exchange, () => talk({ calls: 50, rate: 25, seconds: 14 }));
    tell(`${what}-call-second-of-50-calls`, used, {
      unitOfWork: used.done * 14,
      goal: 10,
      formerMs: formerWay(14) / 14,
    });
  }
  if (wants("flood")) await flood(exchange, talk, Number(asked.get("flood") ?? 300));
  await talkers.stop();
  await exchange.stop();
}

type Spent = Talked & { cpuMs: number; databaseCpuMs: number; drainSeconds: number; leftAtEnd: number };

async function spent(exchange: ExchangeProcess, act: () => Promise<Talked>): Promise<Spent> {
  const before = exchange.usage();
  const threadsBefore = exchange.threads();
  const talked = await act();
  const leftAtEnd = await waiting(exchange);
  const began = performance.now();
  await drained(exchange);
  const drainSeconds = (performance.now() - began) / 1_000;
  const after = exchange.usage();
  const cpuMs = after.cpuMs - before.cpuMs;
  if (asked.has("threads"))
    for (const [thread, [user, system]] of exchange.threads()) {
      const [userBefore, systemBefore] = threadsBefore.get(thread) ?? [0, 0];
      if (user + system > userBefore + systemBefore + 20)
        console.log(`  thread ${thread}: ${user - userBefore} ms user, ${system - systemBefore} ms system`);
    }
  return { ...talked, cpuMs, databaseCpuMs: after.databaseCpuMs - before.databaseCpuMs, drainSeconds, leftAtEnd };
}

function tell(
  name: string,
  used: Spent,
  { unitOfWork, goal, formerMs }: { unitOfWork: number; goal: number; formerMs: number },
): void {
  const [own, database] = [used.cpuMs / unitOfWork, used.databaseCpuMs / unitOfWork];
  console.log(
    `${name}: ${(own + database).toFixed(2)} ms CPU all in (${own.toFixed(2)} the exchange, ${database.toFixed(2)} its ` +
      `database), ${used.done} done, ${used.failed} failed, answered after p50 ${used.setUpMs.p50.toFixed(1)} ms, p99 ` +
      `${used.setUpMs.p99.toFixed(1)}; ${used.leftAtEnd} left to code at the end, for ${used.drainSeconds.toFixed(1)} s; ` +
      `the former way took ${formerMs.toFixed(1)} ms for the coding alone`,
  );
  const yardstick = { yardstick: "coding alone by sh nice ffmpeg", ratio: (own + database) / formerMs };
  const facts = { unit: "ms", better: "less", with: "G.711 bridged, recorded in stereo, stored as MP3" } as const;
  figure({ name, value: own + database, goal, ...facts, ...yardstick });
}

async function flood(
  exchange: ExchangeProcess,
  talk: (asked: { calls: number; rate: number; seconds: number }) => Promise<Talked>,
  rate: number,
): Promise<void> {
  const used = await spent(exchange, () => talk({ calls: rate * SECONDS, rate, seconds: 1 }));
  const perCall = (used.cpuMs + used.databaseCpuMs) / used.done;
  const drain = used.leftAtEnd / used.drainSeconds;
  console.log(
    `${rate}/s for ${SECONDS} s: ${used.done} done, ${used.failed} failed, ${perCall.toFixed(2)} ms CPU a call, answered after ` +
      `p50 ${used.setUpMs.p50.toFixed(1)} ms, p99 ${used.setUpMs.p99.toFixed(1)}, worst ${used.setUpMs.worst.toFixed(0)}; ` +
      `${used.leftAtEnd} left to code at the end, coded at ${drain.toFixed(0)}/s`,
  );
  const with_ = `${rate} recorded calls of 1 s a second with voice for ${SECONDS} s on one core`;
  const failed = (100 * used.failed) / (used.done + used.failed);
  figure({ name: "recorded-calls-failed-in-flood", value: failed, unit: "%", better: "less", goal: 0, with: with_ });
  figure({ name: "recordings-coded-after-flood", value: drain, unit: "/s", better: "more", with: with_ });
}

async function waiting({ http }: ExchangeProcess): Promise<number> {
  const text = await (await fetch(`http://${http.replace(/^https?:\/\//, "")}/metrics`)).text();
  return Number(/^santral_recordings_uncompressed (\S+)$/m.exec(text)?.[1]);
}

async function drained(exchange: ExchangeProcess): Promise<void> {
  const until = performance.now() + LONGEST_DRAIN_MS;
  while ((await waiting(exchange)) > 0 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/** CPU of one recording of so many seconds, coded as it was before there was a coder. */
function formerWay(seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), "former-"));
  const [input, output] = [join(folder, "call.wav"), join(folder, "call.mp3")];
  const sound = new Int16Array(seconds * 8_000 * 2).map((_, at) => 6_000 * Math.sin(at / 7) * Math.sin(at / 9_000));
  const header = wavHeader({ rate: 8_000, channels: 2, dataBytes: sound.byteLength });
  writeFileSync(input, Buffer.concat([header, new Uint8Array(sound.buffer)]));
  const coding = ["-ar", "16000", "-c:a", "libmp3lame", "-b:a", "48k", "-joint_stereo", "0", "-write_xing", "1"];
  const words = ["-nostdin", "-loglevel", "error", "-y", "-threads", "1", "-i", input, ...coding, "-f", "mp3", output];
  const times = 5;
  const before = process.resourceUsage();
  const children = childrenMs();
  for (let time = 0; time < times; time++)
    spawnSync("sh", ["-c", 'ulimit -c 0; exec nice -n 10 "$@"', "sh", "ffmpeg", ...words]);
  const after = process.resourceUsage();
  rmSync(folder, { recursive: true });
  const own = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1_000;
  return (childrenMs() - children + own) / times;
}

function childrenMs(): number {
  const stat = execFileSync("cat", [`/proc/${process.pid}/stat`], { encoding: "utf8" });
  const words = stat.split(") ")[1]!.split(" "); // the kernel's own form
  return (Number(words[13]) + Number(words[14])) * 10;
}
