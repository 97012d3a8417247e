// The built program as a process of its own, in a data folder of its own, for tests that kill it or run it as a stranger.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { pause, realClock, within } from "../../src/clock.ts";
import { browserPorts, voicePorts } from "./free-ports.ts";
import { keptLog } from "./kept-log.ts";
import { whenOver } from "./when-over.ts";

export type Run = { pid: number; http: string; sip?: string };

export type SantralProcess = {
  run: Run;
  child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  get(path: string): Promise<Response>;
  /** Sends a signal and waits for the end; the exit code, or the signal it died of. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
};

type Options = { env?: Record<string, string>; uid?: number };

/** For folders of which a process that is just ending may still write into. */
export const GONE = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };

const PROGRAM = resolve("dist/santral.js");
const PATIENCE_MS = 120_000; // a machine that does much else at the same time starts slowly

/** A folder that is gone after the test file; short, since a database socket lies in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "santral-"));
  whenOver(() => rmSync(folder, GONE));
  return folder;
}

export async function startProcess(dataFolder: string, { env = {}, uid }: Options = {}): Promise<SantralProcess> {
  const child = spawn(process.execPath, [PROGRAM, "start"], {
    env: environment(dataFolder, env),
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const ended = new Promise<number | NodeJS.Signals>((settle) =>
    child.once("exit", (code, signal) => settle(signal ?? code ?? 0)),
  );
  whenOver(async () => {
    try {
      if (child.exitCode === null && run) expect(await unexpectedInputs(run)).toEqual([]);
    } finally {
      if (child.kill("SIGKILL")) await ended;
    }
  });
  let run: Run | undefined;
  let output = "";
  const keep = keptLog(`${env.SANTRAL_NODE ?? "santral"}-${child.pid}`);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      keep(text);
    });
  const opened = await ready({ dataFolder, child, ended, output: () => output });
  run = opened;
  return {
    run: opened,
    child,
    output: () => output,
    get: (path) => fetch(`http://${opened.http}${path}`),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** An ACK of what nobody has answered yet is all that a stranger can surprise a state machine with. */
const STRANGERS = /machine="server transaction",state="proceeding",input="ack"/;

/** What its state machines were told and did not expect; nothing from one that does not answer any more. */
async function unexpectedInputs({ http }: Run): Promise<string[]> {
  const signal = AbortSignal.timeout(5_000);
  const metrics = await fetch(`http://${http}/metrics`, { signal }).then(
    (it) => it.text(),
    () => "",
  );
  return metrics.split("\n").filter((it) => it.startsWith("santral_unexpected_inputs_total{") && !STRANGERS.test(it));
}

/** One command, run to its end. */
export function santral(dataFolder: string, words: string[], options: Options & { input?: string } = {}) {
  const { env = {}, uid } = options;
  return new Promise<{ code: number; stdout: string; stderr: string }>((settle) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: environment(dataFolder, env),
      cwd: tmpdir(),
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.end(options.input ?? "");
    child.once("close", (code) => settle({ code: code ?? -1, stdout, stderr }));
  });
}

/** By data folder: whoever comes back has the ports of his calls again. */
const voiceOf = new Map<string, { SANTRAL_RTP_PORTS: string; SANTRAL_WEB_PORTS: string }>();

export function environment(dataFolder: string, env: Record<string, string>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, ...inherited } = process.env;
  const free = "127.0.0.1:0";
  const voice = voiceOf.get(dataFolder) ?? { SANTRAL_RTP_PORTS: voicePorts(), SANTRAL_WEB_PORTS: browserPorts() };
  voiceOf.set(dataFolder, voice);
  const doors = { SANTRAL_HTTP: free, SANTRAL_SIP: free, ...voice };
  return { ...inherited, SANTRAL_DATA: dataFolder, ...doors, ...env };
}

async function ready(needs: {
  dataFolder: string;
  child: ChildProcess;
  ended: Promise<unknown>;
  output(): string;
}): Promise<Run> {
  let over = false;
  void needs.ended.then(() => {
    over = true;
  });
  for (const end = within(realClock, PATIENCE_MS); realClock.ticks() < end && !over; await pause(realClock, 20)) {
    const run = runIn(needs.dataFolder);
    if (run && run.pid === needs.child.pid) return run;
  }
  throw new Error(`santral did not become ready:\n${needs.output()}`);
}

/** Of the server that runs on a folder, or ran there last. */
export function runIn(dataFolder: string): Run | undefined {
  try {
    return JSON.parse(readFileSync(join(dataFolder, "run.json"), "utf8")) as Run;
  } catch {
    return undefined;
  }
}
