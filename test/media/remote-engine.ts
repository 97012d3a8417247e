// The test's side of a media engine in another process.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import type { EmbeddedOptions } from "../../src/media/embedded/embedded.ts";
import type { CallToRecord, MediaEngine, RecordedCall } from "../../src/media/engine.ts";
import type { Fingerprint } from "../../src/sdp/dtls.ts";

type Asked = Pick<
  MediaEngine,
  | "open"
  | "settle"
  | "join"
  | "mix"
  | "mute"
  | "play"
  | "resume"
  | "forgetLeftBehind"
  | "statistics"
  | "close"
  | "stop"
  | "pulse"
> & {
  leftBehind(): Promise<string[]>;
  recordCall(wanted: CallToRecord): Promise<void>;
  stopCallRecording(path: string): Promise<RecordedCall>;
  fingerprint(): Promise<Fingerprint | undefined>;
};

export type RemoteEngine = Asked & {
  pid: number;
  warnings: { why?: string }[];
  /** kill -9, and until nothing of it is left. */
  kill(): Promise<void>;
};

export async function buildEngineProcess(folder: string): Promise<string> {
  const outfile = join(folder, "engine-process.mjs");
  await build({
    entryPoints: [resolve("test/media/engine-process.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["koffi"],
  });
  return outfile;
}

export async function startEngine(program: string, options: Partial<EmbeddedOptions>): Promise<RemoteEngine> {
  const settings = { workerPath: resolve("dist/media-worker.js"), ...options };
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
    // koffi is not in the bundle, and the bundle is not beside it.
    env: { ...process.env, NODE_PATH: resolve("node_modules") },
  });
  const waiting = new Map<number, (value: unknown) => void>();
  const warnings: RemoteEngine["warnings"] = [];
  const gone = once(child, "exit");
  let last = 0;
  const ready = new Promise<unknown>((resolve) => waiting.set(0, resolve));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { number, value, error, ...rest } = JSON.parse(line) as { number?: number; value?: unknown; error?: string };
    if (number === undefined) warnings.push(rest);
    else waiting.get(number)?.(error === undefined ? value : Promise.reject(new Error(error)));
  });
  await Promise.race([ready, gone.then(() => Promise.reject(new Error("the engine's process ended")))]);
  const ask = (asks: string, args: unknown[]) => {
    const number = ++last;
    child.stdin.write(`${JSON.stringify({ number, asks, args })}\n`);
    return new Promise((resolve) => waiting.set(number, resolve));
  };
  const own = {
    pid: child.pid!, // it runs
    warnings,
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
  return new Proxy(own, {
    get: (known, asks: string) =>
      known[asks as keyof typeof own] ?? (asks === "then" ? undefined : (...args: unknown[]) => ask(asks, args)),
  }) as RemoteEngine; // whatever it is asked it passes on
}
