// Starts a process of ours that speaks with strangers for a server, and with the server over a channel: it is told no
// settings but its own, takes no more memory than it may, and where the kernel gives namespaces it sees nothing but the
// files it is for.

import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { builtFiles, type Sight, wallsFor } from "./confine.ts";
import { bareEnvironment } from "./environment.ts";

export type OwnProcess = {
  /** The built program. */
  path: string;
  settings: object;
  /** What it may use, all told: beyond that it dies, and is started again by whoever needs it. */
  memoryMb: number;
  sight: Sight;
  /** By sockets that it is given alone, or the server's. */
  network: "none" | "shared";
  /** Before others where that may be asked for: -20 to 0. */
  niceness?: number;
};

// The shell sets limits and becomes the program. Whether walls can be built around it is tried first, with one that does
// nothing: somebody calls, and without them he is served, too. Words come as arguments and are never part of the text.
const BOUNDED = `memory=$1 niceness=$2 walls=$3; shift 3
{ ulimit -c 0; ulimit -d "$memory"; [ "$niceness" = 0 ] || renice -n "$niceness" -p $$; } >/dev/null 2>&1
at=1; around=
while [ $at -le $walls ]; do around="$around \\"\\\${$at}\\""; at=$((at + 1)); done
eval "$around true" >/dev/null 2>&1 || shift $walls
exec "$@"`;

export function startOwnProcess({ path, settings, memoryMb, sight, network, niceness = 0 }: OwnProcess): ChildProcess {
  const reads = [...sight.reads, ...builtFiles(path), process.execPath];
  const walls = wallsFor({ reads, writes: sight.writes }, network);
  const numbers = [memoryMb * 1_024, niceness, walls.length].map(String);
  // Behind walls it begins at the root.
  return fork(resolve(path), [JSON.stringify(settings)], {
    execPath: "sh",
    execArgv: ["-c", BOUNDED, "sh", ...numbers, ...walls, process.execPath],
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
