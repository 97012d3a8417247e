// Arrears: what should be in the database and is not yet, on disk while the database cannot be written. One file a stream,
// in a folder of their own; bounded by the door, which takes nothing new while there is too much of it.

import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, momentOf, since, type Ticks } from "../clock.ts";
import { syncFolder } from "../durable-file.ts";
import { namesIn } from "../folders.ts";
import { ArrearsFile, type FileState, lookAtFile } from "./file.ts";

export type Stream = Pick<ArrearsFile, "append" | "read" | "pass" | "passThrough" | "finish"> & {
  /** As the database knows it. */
  name: string;
  state(): FileState;
  /** Entries that the database will never take are kept for people to look at. */
  refuse(entries: [key: string, entry: unknown][], why: string): Promise<void>;
};

export type ArrearsState = Omit<FileState, "oldestMs"> & {
  /** How long the oldest of it has waited; 0: there is none. */
  ageMs: number;
  /** So much lies there, or for so long, or the disk takes no more: nothing new may begin. */
  isFull: boolean;
};

export type Arrears = {
  /** The same one, however often it is asked for. */
  stream(name: string): Promise<Stream>;
  state(): ArrearsState;
  close(): Promise<void>;
};

/** A call is some ten kilobytes there: twenty thousand of them, and the disk has room for it. */
const MOST_BYTES = 256 * 1024 ** 2;
/** A long weekend. A database that is away for longer does not come back by itself. */
const LONGEST_MS = 72 * 3_600_000;

export type ArrearsParts = {
  folder: string;
  clock: Clock;
  /** This machine's name among those that share the database. */
  node: string;
  mostBytes?: number;
  longestMs?: number;
};

export function openArrears({
  folder,
  clock,
  node,
  mostBytes = MOST_BYTES,
  longestMs = LONGEST_MS,
}: ArrearsParts): Arrears {
  const files = new Map<string, Promise<ArrearsFile>>();
  const opened = new Map<string, ArrearsFile>();
  /** Since when each has something. */
  const begun = new Map<string, Ticks>();
  /** Streams whose last line could not be written. */
  const failing = new Set<string>();
  return {
    async stream(name) {
      const opening = files.get(name) ?? ArrearsFile.open(fileOf(folder, name));
      files.set(name, opening);
      const file = await opening;
      opened.set(name, file);
      if (file.state.oldestMs !== undefined) begun.set(name, begun.get(name) ?? momentOf(clock, file.state.oldestMs));
      return streamOf(file, {
        name: `${node}/${name}`,
        refused: `${fileOf(folder, name)}.refused`,
        kept() {
          failing.delete(name);
          begun.set(name, begun.get(name) ?? clock.ticks());
        },
        failed: () => void failing.add(name),
        finished: () => void begun.delete(name),
      });
    },
    state() {
      const { oldestMs: _asStamped, ...sum } = summed([...opened.values()].map((file) => file.state));
      const ageMs = Math.max(0, ...[...begun.values()].map((moment) => since(clock, moment)));
      return { ...sum, ageMs, isFull: failing.size > 0 || sum.bytes >= mostBytes || ageMs >= longestMs };
    },
    async close() {
      for (const file of opened.values()) await file.close();
    },
  };
}

type StreamParts = { name: string; refused: string; kept(): void; failed(): void; finished(): void };

function streamOf(file: ArrearsFile, { name, refused, kept, failed, finished }: StreamParts): Stream {
  return {
    name,
    state: () => file.state,
    async append(line) {
      try {
        await file.append(line);
        kept();
      } catch (error) {
        failed();
        throw error;
      }
    },
    read: (mostBytes) => file.read(mostBytes),
    pass: (read) => file.pass(read),
    passThrough: (id) => file.passThrough(id),
    async finish() {
      const isDone = await file.finish();
      if (isDone) finished();
      return isDone;
    },
    refuse: (entries, why) => refuse(refused, entries, why),
  };
}

/** Of a folder that nobody has open, or somebody else has: what lies there, and the files that people should look at. */
export async function lookAtArrears(folder: string): Promise<FileState & { toLookAt: string[] }> {
  const names = await namesIn(folder);
  const states: FileState[] = [];
  for (const name of names.filter((it) => it.endsWith(SUFFIX))) states.push(await lookAtFile(join(folder, name)));
  return { ...summed(states), toLookAt: names.filter((it) => !it.endsWith(SUFFIX)).map((it) => join(folder, it)) };
}

const SUFFIX = ".arrears";

const fileOf = (folder: string, stream: string): string => join(folder, `${stream}${SUFFIX}`);

function summed(states: FileState[]): FileState {
  const sum: FileState = { bytes: 0, entries: 0, oldestMs: undefined, damaged: 0 };
  for (const { bytes, entries, oldestMs, damaged } of states) {
    sum.bytes += bytes;
    sum.entries += entries;
    sum.damaged += damaged;
    if (oldestMs !== undefined) sum.oldestMs = Math.min(oldestMs, sum.oldestMs ?? oldestMs);
  }
  return sum;
}

async function refuse(path: string, entries: [key: string, entry: unknown][], why: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  try {
    for (const [key, entry] of entries) await file.write(`${JSON.stringify({ why, key, entry })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}
