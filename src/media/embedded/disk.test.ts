import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { beforeAll, expect, test } from "vitest";
import { whenOver } from "../../../test/ground/when-over.ts";
import { readWav } from "../wav.ts";
import { Disk, type DiskFiles, type FromDisk } from "./disk.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "disk-"));
  whenOver(() => rm(folder, { recursive: true }));
});

const real: DiskFiles = {
  openSync,
  writeSync,
  ftruncateSync,
  fsyncSync,
  closeSync,
  sizeSync: (fd) => fstatSync(fd).size,
};

/** Fails this step for the file that was opened first, and for no other. */
function failing(step: keyof DiskFiles, code: string, { after = 0 } = {}): DiskFiles {
  let first: number | undefined;
  let times = 0;
  const fails = (fd: number | undefined) => {
    if (fd === first && times++ >= after) throw Object.assign(new Error(`${code}: ${step}`), { code });
  };
  return {
    ...real,
    openSync(path, flags, mode) {
      if (step === "openSync" && first === undefined) first = -1;
      else if (step === "openSync") return openSync(path, flags, mode);
      if (step === "openSync") fails(first);
      const fd = openSync(path, flags, mode);
      first ??= fd;
      return fd;
    },
    writeSync: ((fd: number, ...rest: [Uint8Array, number, number, number]) => {
      if (step === "writeSync") fails(fd);
      return writeSync(fd, ...rest);
    }) as DiskFiles["writeSync"],
    fsyncSync(fd) {
      if (step === "fsyncSync") fails(fd);
      fsyncSync(fd);
    },
    closeSync(fd) {
      closeSync(fd); // as the system does it: the descriptor is free, whatever it says
      if (step === "closeSync") fails(fd);
    },
  };
}

/** Two recordings side by side, half a second of mono each, both ended. */
function twoRecordings(files: DiskFiles, name: string) {
  const told: FromDisk[] = [];
  const disk = new Disk((message) => told.push(message), files);
  const paths = [1, 2].map((recording) => join(folder, `${name}-${recording}.wav`)) as [string, string];
  for (const [at, path] of paths.entries())
    disk.take({ is: "begin", recording: at + 1, thread: 0, path, rate: 8_000, channels: 1 });
  for (const recording of [1, 2]) disk.take({ is: "samples", recording, samples: new Int16Array(4_000).fill(7) });
  for (const recording of [1, 2]) disk.take({ is: "end", recording, ended: "stopped" });
  return { told, paths, disk };
}

const samplesIn = (path: string) => {
  const wav = readWav(readFileSync(path));
  return wav.is === "wav" ? wav.samples.length : wav.why;
};

test.each([
  ["openSync", "EMFILE", { durationMs: 0, ended: "unwritable", fault: { step: "open", code: "EMFILE" } }],
  ["fsyncSync", "EIO", { durationMs: 500, ended: "stopped", fault: { step: "sync", code: "EIO" } }],
  ["closeSync", "EIO", { durationMs: 500, ended: "stopped", fault: { step: "close", code: "EIO" } }],
] as const)("a failing %s costs that recording alone, and says what it was", (step, code, end) => {
  const { told, paths } = twoRecordings(failing(step, code), step);
  expect(told).toEqual([
    { is: "ended", recording: 1, ...end, fault: { path: paths[0], ...end.fault } },
    { is: "ended", recording: 2, durationMs: 500, ended: "stopped" },
  ]);
  expect(samplesIn(paths[1])).toBe(4_000);
  if (step !== "openSync") expect(samplesIn(paths[0]), "what was written can be read").toBe(4_000);
});

test("a full disk ends that recording at once, and keeps what was written until then", () => {
  // The header of the beginning, half a second and its header go well.
  const { told, paths, disk } = twoRecordings(failing("writeSync", "ENOSPC", { after: 3 }), "full");
  expect(told.map((it) => it.is === "ended" && it.recording)).toEqual([1, 2]);
  const again: FromDisk[] = [];
  const other = new Disk((message) => again.push(message), failing("writeSync", "ENOSPC", { after: 3 }));
  const path = join(folder, "longer.wav");
  other.take({ is: "begin", recording: 9, thread: 0, path, rate: 8_000, channels: 1 });
  for (let piece = 0; piece < 3; piece++)
    other.take({ is: "samples", recording: 9, samples: new Int16Array(4_000).fill(7) });
  other.take({ is: "end", recording: 9, ended: "stopped" });
  expect(again).toEqual([
    { is: "ended", recording: 9, durationMs: 500, ended: "unwritable", fault: { path, step: "write", code: "ENOSPC" } },
  ]);
  expect(samplesIn(path)).toBe(4_000);
  expect(samplesIn(paths[1])).toBe(4_000);
  disk.take({ is: "end", recording: 1, ended: "stopped" }); // ended before: nothing more is said
  expect(told).toHaveLength(2);
});

test("what a dead thread had begun is ended, also when that was still on its way, and whoever waits is told", () => {
  const told: FromDisk[] = [];
  const disk = new Disk((message) => told.push(message), real);
  const { port1, port2 } = new MessageChannel();
  whenOver(async () => port1.close());
  disk.take({ is: "serve", thread: 4, port: port2 });
  const path = join(folder, "dead.wav");
  port1.postMessage({ is: "begin", recording: 5, thread: 4, path, rate: 8_000, channels: 1 });
  port1.postMessage({ is: "samples", recording: 5, samples: new Int16Array(4_000) });
  disk.take({ is: "abandon", thread: 4, recordings: [5, 6] });
  expect(told).toEqual([
    { is: "ended", recording: 5, durationMs: 500, ended: "stream-closed" },
    { is: "abandoned", recordings: [5, 6] },
  ]);
});

test("a recording goes on behind what an earlier process wrote, after silence for as long as nobody did", () => {
  const path = join(folder, "goes-on.wav");
  const told: FromDisk[] = [];
  const begin = { is: "begin", thread: 0, path, rate: 8_000, channels: 2 } as const;
  const dead = new Disk(() => undefined);
  dead.take({ ...begin, recording: 1 });
  dead.take({ is: "samples", recording: 1, samples: new Int16Array(16_000).fill(5) });
  // Killed between the sound and the header, in the middle of a sample.
  writeFileSync(path, new Uint8Array([6, 0, 6]), { flag: "a" });
  const disk = new Disk((message) => told.push(message));
  disk.take({ ...begin, recording: 1, untilMs: 3_000 });
  disk.take({ is: "samples", recording: 1, samples: new Int16Array(16_000).fill(7) });
  disk.take({ is: "end", recording: 1, ended: "stopped" });
  expect(told).toEqual([{ is: "ended", recording: 1, durationMs: 4_000, ended: "stopped" }]);
  const wav = readWav(readFileSync(path));
  if (wav.is === "unreadable") throw new Error(wav.why);
  const levels = [0, 1, 2, 3].map((second) => wav.samples[second * 16_000 + 8_000]);
  expect(levels).toEqual([5, 0, 0, 7]);
  expect(wav.samples).toHaveLength(64_000);
});

test("a file that cannot be made longer costs its own recording alone", () => {
  const told: FromDisk[] = [];
  const refusing = {
    ...real,
    ftruncateSync() {
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    },
  };
  const path = join(folder, "too-long.wav");
  writeFileSync(path, new Uint8Array(44));
  const disk = new Disk((message) => told.push(message), refusing);
  disk.take({ is: "begin", recording: 1, thread: 0, path, rate: 8_000, channels: 2, untilMs: 1_000 });
  disk.take({ is: "samples", recording: 1, samples: new Int16Array(8) });
  expect(told).toMatchObject([{ recording: 1, ended: "unwritable", fault: { step: "write", code: "ENOSPC" } }]);
});
