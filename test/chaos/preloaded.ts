// What stands between the server and its C library: a disk that fails, and a clock that is set, each by a file that says so.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { whenOver } from "../ground/when-over.ts";

type Preloaded = { library: string; env: Record<string, string> };

export type FailingDisk = Preloaded & {
  /** Writes fail with ENOSPC, syncs with EIO, until told otherwise. */
  set(faults: { writes: boolean; syncs: boolean }): void;
};

export type SetClock = Preloaded & {
  /** By so much the server's clock is ahead of ours from now on. */
  set(seconds: number): void;
};

/** Undefined where there is no compiler. */
export function failingDisk(folder: string, data: string): FailingDisk | undefined {
  const library = join(folder, "disk.so");
  const built = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, resolve("test/chaos/disk.c"), "-ldl"]);
  if (built.status !== 0) return undefined;
  const path = join(folder, "disk.switches");
  writeFileSync(path, "00");
  // Written in place: it is mapped by those who look.
  const file = openSync(path, "r+");
  whenOver(() => closeSync(file));
  return {
    library,
    env: { CHAOS_DISK_SWITCHES: path, CHAOS_DISK_FOLDER: `${data}/` },
    set: ({ writes, syncs }) => void writeSync(file, `${Number(writes)}${Number(syncs)}`, 0),
  };
}

const LIBRARIES = "/usr/lib";

/** Undefined where there is no faketime. */
export function setClock(folder: string): SetClock | undefined {
  const places = readdirSync(LIBRARIES).map((place) => join(LIBRARIES, place, "faketime", "libfaketimeMT.so.1"));
  const library = places.find((path) => existsSync(path));
  if (library === undefined) return undefined;
  const path = join(folder, "offset");
  const set = (seconds: number) => writeFileSync(path, `${seconds < 0 ? "" : "+"}${seconds}`);
  set(0);
  const env = {
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    NO_FAKE_STAT: "1", // it does so under a lock that outlives whoever is killed with it
  };
  return { library, env, set };
}
