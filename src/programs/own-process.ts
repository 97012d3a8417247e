// Starts a process of ours that speaks with strangers for a server, and with the server over a channel: it is told no
// settings but its own, and takes no more memory than it may.

import { type ChildProcess, fork } from "node:child_process";
import { bareEnvironment } from "./environment.ts";

export type OwnProcess = {
  /** The built program. */
  path: string;
  settings: object;
  /** What it may use, all told: beyond that it dies, and is started again by whoever needs it. */
  memoryMb: number;
};

// The shell sets limits and becomes the program, whose number is then its own.
const LIMITED = `{ ulimit -c 0; ulimit -d "$1"; } 2>/dev/null; shift; exec "$@"`;

export function startOwnProcess({ path, settings, memoryMb }: OwnProcess): ChildProcess {
  return fork(path, [JSON.stringify(settings)], {
    execPath: "sh",
    execArgv: ["-c", LIMITED, "sh", String(memoryMb * 1_024), process.execPath],
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
