// What a call between two codecs costs: node bench/run.mjs bench/transcoding.ts [calls=50] [seconds=6] [warm=8] [--realtime]
// [--perf-basic-prof] [row…]
//
// CPU time of the media engine for a second of one call, two legs and both directions, while so many calls talk. The
// engine runs on one core and the load on the other; a call with the same codec at both ends is passed on undecoded and
// shows what its packets cost. The yardstick is the codec's library alone, the same frames coded and decoded in a bare
// loop on the same core.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type CodecName, codecs } from "../src/codecs/codec.ts";
import { barelyCoded, speech } from "./bare-codecs.ts";
import { type Pair, serveEngine, startEngine } from "./engine-process.ts";
import { figure } from "./figure.ts";
import { cpuMsIn, threadsOf } from "./process-cpu.ts";
import { CALLEES_PORT, CALLERS_PORT, compileLoad } from "./rtp-load.ts";
import { GENERATOR_CORE, pinned, SERVER_CORE } from "./two-cores.ts";

type Row = Pair & { name: string; goal?: number };
const rows: Row[] = [
  { name: "g711-relay", a: "PCMA", b: "PCMA" },
  { name: "a-law-to-mu-law", a: "PCMA", b: "PCMU" },
  { name: "g722-to-g711", a: "G722", b: "PCMA", goal: 3 },
  { name: "opus-to-g711", a: "opus", b: "PCMA", goal: 10 },
  { name: "opus-to-g722", a: "opus", b: "G722" },
  { name: "gsm-to-g711", a: "GSM", b: "PCMA" },
];

const words = process.argv.slice(2);
const asked = (name: string, usual: number) =>
  Number(words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? usual);

if (words[0] === "engine") await serveEngine();
else if (words[0] === "bare") console.log(JSON.stringify(barelyCoded(words[1] as CodecName)));
else await compare();

async function compare(): Promise<void> {
  const [calls, seconds] = [asked("calls", 50), asked("seconds", 6)];
  execFileSync(process.execPath, ["bin/build.mjs"]);
  const program = compileLoad();
  const folder = mkdtempSync(join(tmpdir(), "transcoding-"));
  const wanted = rows.filter(({ name }) => words.includes(name));
  for (const row of wanted.length > 0 ? wanted : rows) {
    const engine = await startEngine(words.filter((word) => word.startsWith("--perf")));
    const ports = await engine.connect(row, calls);
    const voices = [row.a, row.b].map((codec) => voiceOf(codec, folder));
    // Node makes machine code and tidies its memory in the first seconds, which a running exchange has behind it.
    await speak(program, engine.pid, { calls, seconds: asked("warm", 8), ports, voices });
    const { cpuMs, passedMs, sent, received } = await speak(program, engine.pid, { calls, seconds, ports, voices });
    await engine.stop();
    const value = cpuMs / calls / (passedMs / 1000);
    console.log(
      `${row.name}: ${calls} calls, ${(cpuMs / passedMs).toFixed(2)} core, ${value.toFixed(2)} ms a call-second, ` +
        `${(100 * (1 - received / sent)).toFixed(2)} % fewer packets out than in`,
    );
    report(row, value, calls);
  }
  rmSync(folder, { recursive: true });
}

function report({ name, a, b, goal }: Row, value: number, calls: number): void {
  const libraryMs = [a, b].filter((codec) => a !== b && !codec.startsWith("PCM")).map(bareMs);
  const bare = libraryMs.reduce((sum, ms) => sum + ms, 0);
  const yardstick = bare > 0 ? { yardstick: `library-alone-${bare.toFixed(2)}ms`, ratio: value / bare } : {};
  figure({
    ...{ name: `transcoding-${name}`, value, unit: "ms", better: "less" },
    ...(goal ? { goal } : {}),
    ...yardstick,
    with: `${calls} calls with voice both ways, a call-second, media engine in one thread`,
  });
}

/** A second both ways through the library and nothing else, on the core that the engine had. */
function bareMs(codec: CodecName): number {
  const node = [...process.execArgv, fileURLToPath(import.meta.url), "bare", codec];
  const out = execFileSync("taskset", ["-c", SERVER_CORE, process.execPath, ...node], { encoding: "utf8" });
  return (JSON.parse(out) as { msPerSecond: number }).msPerSecond;
}

function voiceOf(name: CodecName, folder: string): string {
  const codec = codecs[name];
  const encode = codec.openEncoder();
  const packet = new Uint8Array(1500);
  const parts = speech(codec.pcmRate).map((frame) => {
    const bytes = encode(frame, packet, 0);
    return Buffer.concat([Uint8Array.of(bytes & 255, bytes >> 8), packet.subarray(0, bytes)]);
  });
  encode.close?.();
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts));
  return `${codec.payloadType}:${codec.clockRate / 50}:${path}`;
}

async function speak(
  program: string,
  pid: number,
  { calls, seconds, ports, voices }: { calls: number; seconds: number; ports: number[]; voices: string[] },
) {
  const args = [...[calls, seconds, CALLERS_PORT, CALLEES_PORT].map(String), ...voices];
  const { stdin, stdout } = pinned(GENERATOR_CORE, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  if (!stdin || !stdout) throw new Error("the load has no pipes");
  stdin.end(ports.join("\n"));
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  await lines.next();
  const [before, started] = [cpuMsOf(pid), performance.now()];
  const { sent, received } = JSON.parse((await lines.next()).value as string) as { sent: number; received: number };
  // The generator listens for a moment after it has fallen silent.
  return { cpuMs: cpuMsOf(pid) - before, passedMs: performance.now() - started - 300, sent, received };
}

function cpuMsOf(pid: number): number {
  return cpuMsIn(threadsOf(pid));
}
