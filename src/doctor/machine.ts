// Checks of the machine: Node, processor, memory, disk, file descriptors, clock, programs and libraries.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { dirname } from "node:path";
import koffi from "koffi";
import { type CodecName, codecNames, codecs, isSpoken } from "../codecs/codec.ts";
import type { ClockView } from "../server/clock-watch.ts";
import { askServer } from "../server/control-client.ts";
import { placesIn } from "../server/data-folder.ts";
import { spaceUnder } from "../server/disk-space.ts";
import { openFilesLimit } from "../server/open-files-limit.ts";
import { type Check, type Finding, fail, ok, warn } from "./finding.ts";

const GIBIBYTE = 1024 ** 3;

export const node: Check = {
  name: "Node",
  async run() {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const enough = major > 20 || (major === 20 && minor >= 19);
    return enough ? ok(process.version) : fail(process.version, "install Node 20.19 or later");
  },
};

export const processor: Check = {
  name: "processor and memory",
  async run() {
    const memory = totalmem() / GIBIBYTE;
    const says = `${availableParallelism()} cores, ${memory.toFixed(1)} GiB`;
    return memory < 0.9 ? warn(says, "give the machine at least 1 GiB of memory") : ok(says);
  },
};

export const disk: Check = {
  name: "disk",
  async run({ config }) {
    let folder = config.dataFolder;
    while (!existsSync(folder)) folder = dirname(folder);
    const { freeBytes, is } = await spaceUnder(folder);
    const says = `${(freeBytes / GIBIBYTE).toFixed(1)} GiB free under ${folder}`;
    if (is === "full") return fail(says, "free some space: the database cannot write without it");
    return is === "low" ? warn(says, "an hour of recordings takes about 30 MiB: plan for more") : ok(says);
  },
};

export const dataFolder: Check = {
  name: "data folder",
  async run({ config }) {
    const path = config.dataFolder;
    if (!existsSync(path)) return ok(`${path} will be made at the first start`);
    const { mode, uid } = await stat(path);
    const us = process.getuid?.() ?? uid;
    if (us !== 0 && uid !== us) return fail(`${path} belongs to user ${uid}`, `chown it to user ${us}`);
    return mode & 0o067 ? warn(`${path} is open to other users`, `chmod 700 ${path}`) : ok(`${path} is ours alone`);
  },
};

export const fileDescriptors: Check = {
  name: "file descriptors",
  async run() {
    const soft = await openFilesLimit();
    if (soft === undefined) return ok("no limit known");
    const says = `${soft} may be open at once`;
    return soft < 4_096 ? warn(says, "raise it: ulimit -n 65536, or LimitNOFILE in the service file") : ok(says);
  },
};

/** Before this, the clock was never set. */
const EARLIEST_SANE = Date.UTC(2026, 0, 1);

export const clockAndZones: Check = {
  name: "clock",
  async run({ config, clock }) {
    const now = new Date(clock.wall());
    if (clock.wall() < EARLIEST_SANE) return fail(`it is ${now.toISOString()}`, "set the clock, and keep it by NTP");
    const zone = new Intl.DateTimeFormat("en", { timeZone: "Europe/Istanbul", timeZoneName: "longOffset" });
    const offset = zone.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value;
    if (offset !== "GMT+03:00")
      return fail(`Europe/Istanbul is said to be ${offset}`, "use a Node build with full ICU");
    // The answer is that of our own server, as it was asked.
    const seen = (await askServer(placesIn(config.dataFolder).control, "clock")) as ClockView | undefined;
    return [ok(now.toISOString()), ...stepsOf(seen)];
  },
};

function stepsOf(seen: ClockView | undefined): Finding[] {
  if (!seen?.last) return [];
  const { whose, seconds, at } = seen.last;
  const [clock, way] = [whose === "server" ? "this machine's" : "the database's", seconds < 0 ? "back" : "forward"];
  return [
    warn(
      `clocks were set ${seen.steps} times since the start, the last was ${clock}, ${way} by ${Math.abs(seconds)} s at ${at}`,
      "keep the clock by NTP (chrony, systemd-timesyncd); calls and what waits go on by a clock that nobody sets",
    ),
  ];
}

export const programs: Check = {
  name: "programs",
  async run() {
    return [
      program("ffmpeg", "sound files cannot be uploaded or converted"),
      program("espeak-ng", "nothing can be spoken"),
    ];
  },
};

export const libraries: Check = {
  name: "libraries",
  async run() {
    return [
      library(["libcrypto.so.3", "libcrypto.so.1.1"], { package: "libssl3", without: "media cannot be encrypted" }),
      library(["libspandsp.so.2"], { package: "libspandsp2", without: "no faxes go or come" }),
    ];
  },
};

/** Nobody has to have them all: what is missing is said, with what gives it, and is no fault. */
export const voices: Check = {
  name: "codecs",
  async run() {
    const missing = codecNames.filter((name) => !isSpoken(name));
    return [ok(`${codecNames.filter(isSpoken).join(", ")} are spoken`), ...missing.map(notSpoken)];
  },
};

function notSpoken(name: CodecName): Finding {
  const packages = codecs[name].needs?.map((needed) => needed.package) ?? [];
  return ok(`${name} is not: sudo apt-get install -y --no-install-recommends ${packages.join(" ")} gives it`);
}

function program(name: string, without: string): Finding {
  const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return found ? ok(found) : warn(`${name} is not installed: ${without}`, `sudo apt-get install -y ${name}`);
}

function library(names: string[], { package: debian, without }: { package: string; without: string }): Finding {
  const found = names.find((name) => {
    try {
      koffi.load(name).unload();
      return true;
    } catch {
      return false; // not there: the answer, not a failure
    }
  });
  return found
    ? ok(found)
    : warn(`${names[0]} is not installed: ${without}`, `sudo apt-get install -y --no-install-recommends ${debian}`);
}
