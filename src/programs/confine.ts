// What a program may do that opens files of strangers: so much memory, time and disk in any case; and where the kernel
// gives namespaces, it sees nothing of the machine but system libraries and the files it is for, and has no network.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";

/** What it sees beside the system's libraries and its own program; what is not there is left out. */
export type Sight = {
  /** Files and folders. */
  reads: readonly string[];
  /** Files, and folders of programs that stay. */
  writes: readonly string[];
};

export type Bounds = Sight & {
  cpuSeconds: number;
  memoryMb: number;
  /** What counts as memory: programs that reserve far more than they use (WebAssembly does) are held to what they use. */
  memory: "reserved" | "used";
  /** The largest file it may write. */
  fileMb: number;
};

/** Behind walls of its own, or held by limits alone. */
export type Confinement = "walled" | "limited";

export type Command = { command: string; words: readonly string[] };

const MOST_OPEN_FILES = 256;
/** Threads and all, counted in its own namespace; outside they are counted with everything else of our user. */
const MOST_PROCESSES = 256;

/** The walls could not be built: the program was never started. */
export const NO_WALLS = 125;

// The shell only sets limits; names come as arguments and are never part of its text. Where one cannot be set it is
// lower already. Shells call the limit of processes by different letters.
const LIMITS = `{
  ulimit -c 0; ulimit -t "$1"; ulimit "-$2" "$3"; ulimit -f "$4"; ulimit -n "$5"
  [ "$6" = 0 ] || ulimit -p "$6" || ulimit -u "$6"
} 2>/dev/null
shift 6
exec nice -n 10 "$@"`;

// A new root in memory, into which only what is named is put. Of root's powers inside nothing is left at the end.
const WALLS = `set -e
trap 'exit ${NO_WALLS}' EXIT
root=$1; shift
mount -t tmpfs -o size=1m,mode=755,nosuid,nodev none "$root"
put() {
  [ -e "$2" ] || return 0
  if [ -d "$2" ]; then mkdir -p "$root$2"
  else mkdir -p "$root\${2%/*}"; [ -e "$root$2" ] || : > "$root$2"; fi
  mount -o "$1" "$2" "$root$2" 2>/dev/null || mount -o "$1,noexec" "$2" "$root$2"
}
for at in /bin /sbin /lib /lib32 /lib64 /libx32; do
  if [ -L "$at" ]; then ln -s "$(readlink "$at")" "$root$at"; else put rbind,ro,nosuid,nodev "$at"; fi
done
for at in /usr /etc/alternatives /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d; do
  put rbind,ro,nosuid,nodev "$at"
done
for at in /dev/null /dev/zero /dev/urandom; do put bind "$at"; done
while [ "$1" != -- ]; do
  case "$1" in
    read) put rbind,ro,nosuid,nodev "$2" ;;
    write) put bind,nosuid,nodev "$2" ;;
  esac
  shift 2
done
shift
mount -o remount,ro,nosuid,nodev "$root"
exec chroot "$root" setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"`;

const NAMESPACES = ["--user", "--map-root-user", "--mount", "--ipc", "--pid", "--fork", "--kill-child"];

/** Folders that are there on any machine and that no program needs: one of them becomes the new root. */
const ROOTS = ["/mnt", "/media", "/srv", "/home"];

export function confined(program: Command, bounds: Bounds, confinement: Confinement): Command {
  const within = limited(program, bounds, confinement === "walled" ? MOST_PROCESSES : 0);
  if (confinement === "limited") return within;
  const sight = { reads: [...bounds.reads, ...ownFiles(program.command)], writes: bounds.writes };
  const [command = "", ...words] = [...wallsFor(sight, "none"), within.command, ...within.words];
  return { command, words };
}

/** The words before a command by which it runs behind walls. `network`: the server's, or none. */
export function wallsFor(sight: Sight, network: "none" | "shared"): string[] {
  const reads = sight.reads.map((path) => resolve(path));
  const writes = sight.writes.map((path) => resolve(path));
  const files = [...reads.flatMap((path) => ["read", path]), ...writes.flatMap((path) => ["write", path])];
  const namespaces = network === "none" ? ["--net", ...NAMESPACES] : NAMESPACES;
  return ["unshare", ...namespaces, "--", "sh", "-c", WALLS, "sh", rootBeside([...reads, ...writes]), ...files, "--"];
}

/** The words between walls and a command that stays behind them. */
export function fewProcesses(): string[] {
  const bound = `{ ulimit -p "$1" || ulimit -u "$1"; } 2>/dev/null; shift; exec "$@"`;
  return ["sh", "-c", bound, "sh", String(MOST_PROCESSES)];
}

function limited({ command, words }: Command, bounds: Bounds, processes: number): Command {
  const { cpuSeconds, memoryMb, memory, fileMb } = bounds;
  const kind = memory === "reserved" ? "v" : "d";
  const numbers = [cpuSeconds, kind, memoryMb * 1_024, fileMb * 2_048, MOST_OPEN_FILES, processes].map(String);
  return { command: "sh", words: ["-c", LIMITS, "sh", ...numbers, command, ...words] };
}

/** What a built program of ours consists of: its folder, and the packages that are found from there. */
export function builtFiles(program: string): string[] {
  const folder = dirname(resolve(program));
  const above = folder.split(sep).map((_, depth, names) => names.slice(0, depth + 1).join(sep) || sep);
  return [folder, ...above.flatMap((path) => [join(path, "node_modules"), join(path, "package.json")])];
}

/** The program itself, where it is none of the system's. */
function ownFiles(command: string): string[] {
  if (command.includes(sep)) return [command];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.find((folder) => mayRun(join(folder, command)));
  return found === undefined ? [] : [dirname(join(found, command))];
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there: the answer, not a failure
  }
}

function rootBeside(paths: readonly string[]): string {
  const isFree = (root: string) =>
    !paths.some((path) => path.startsWith(root + sep)) && statSync(root, { throwIfNoEntry: false })?.isDirectory();
  return ROOTS.find((root) => isFree(root)) ?? "/";
}
