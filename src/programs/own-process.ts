// Starts a process of ours that speaks with strangers for a server, and with the server over a channel: it is told no
// settings but its own, takes no more memory than it may, and where the kernel gives namespaces it sees nothing but the
// files it is for.

import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { builtFiles, fewProcesses, type Sight, wallsFor } from "./confine.ts";
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

/** Sockets of hundreds of calls, and what a library opens. */
const MOST_OPEN_FILES = 16_384;
/** The largest file it may write: no fax has as many pages. */
const LARGEST_FILE_MB = 1_024;

// The shell sets limits and becomes the program. Whether walls can be built around it is tried first, with one that does
// nothing: somebody calls, and without them he is served, too. Words come as arguments and are never part of the text.
const BOUNDED = `memory=$1 file=$2 files=$3 niceness=$4 walls=$5; shift 5
{ ulimit -c 0; ulimit -d "$memory"; ulimit -f "$file"; ulimit -n "$files"
[ "$niceness" = 0 ] || renice -n "$niceness" -p $$; } >/dev/null 2>&1
at=1; around=
while [ $at -le $walls ]; do around="$around \\"\\\${$at}\\""; at=$((at + 1)); done
eval "$around true" >/dev/null 2>&1 || shift $walls
exec "$@"`;

export function startOwnProcess({ path, settings, memoryMb, sight, network, niceness = 0 }: OwnProcess): ChildProcess {
  const reads = [...sight.reads, ...builtFiles(path), process.execPath];
  const walls = [...wallsFor({ reads, writes: sight.writes }, network), ...fewProcesses()];
  const bounds = [memoryMb * 1_024, LARGEST_FILE_MB * 2_048, MOST_OPEN_FILES];
  const numbers = [...bounds, niceness, walls.length].map(String);
  // Behind walls it begins at the root.
  return fork(resolve(path), [JSON.stringify(settings)], {
    execPath: "sh",
    execArgv: ["-c", BOUNDED, "sh", ...numbers, ...walls, process.execPath],
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
