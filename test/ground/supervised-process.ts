// `santral start` as it is typed: a supervisor, its server, and a database that outlives the server.

import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { isRunning } from "../../src/process-mark.ts";
import { eventually } from "./eventually.ts";
import { environment, type Run, runIn, type SantralProcess } from "./santral-process.ts";
import { whenOver } from "./when-over.ts";

export type Supervised = {
  /** The supervisor's. */
  pid: number;
  child: ChildProcess;
  ended: Promise<number | NodeJS.Signals>;
  output(): string;
  ready: Promise<Run>;
  /** The server that is ready and is not that one. */
  serverAfter(formerPid: number): Promise<Run>;
};

export function startSupervised(folder: string, env: Record<string, string>): Supervised {
  const before = runIn(folder)?.pid ?? 0;
  const child: ChildProcess = spawn(process.execPath, [resolve("bin/santral.mjs"), "start"], {
    env: environment(folder, { SANTRAL_SUPERVISE: "on", ...env }),
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // a process group of its own, as a shell gives it
  });
  const pid = child.pid ?? 0;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<number | NodeJS.Signals>((settle) =>
    child.once("exit", (code, signal) => settle(signal ?? code ?? 0)),
  );
  // The whole group: the server is in it. The database dies with its parent.
  whenOver(() => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // all of it is gone
    }
  });
  const serverAfter = (formerPid: number) =>
    eventually("the next server is ready", async () => {
      const run = runIn(folder);
      return run && run.pid !== formerPid && isRunning(run) ? run : undefined;
    });
  return { pid, child, ended, output: () => output, ready: serverAfter(before), serverAfter };
}

/** For a town: whichever server runs is the one that is asked, and signals go to the supervisor. */
export async function startSupervisedProcess(
  folder: string,
  { env = {} }: { env?: Record<string, string> } = {},
): Promise<SantralProcess> {
  const { child, ended, output, ready } = startSupervised(folder, env);
  const first = await ready;
  return {
    get run() {
      return runIn(folder) ?? first;
    },
    child,
    output,
    get: (path) => fetch(`http://${first.http}${path}`),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
