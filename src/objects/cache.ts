// The copies that lie here of what the bucket has: those that were not used for longest go when they take too much room.

import type { Dirent } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join, relative } from "node:path";
import { isTrouble, type Trouble } from "../archive/archive.ts";
import { type Clock, since, type Ticks } from "../clock.ts";
import type { Bucket } from "./bucket.ts";
import { keyAt } from "./objects.ts";
import type { Owed } from "./owed.ts";
import type { Turns } from "./turns.ts";

export type CacheNeeds = {
  root: string;
  limitBytes: number;
  bucket: Pick<Bucket, "look">;
  owed: Pick<Owed, "of">;
  clock: Clock;
  inTurn: Turns;
  signal: AbortSignal;
};

export type CacheView = {
  files: number;
  bytes: number;
  /** Of those that should have gone: how many the bucket does not have as they lie here. They stay. */
  unconfirmed: number;
};

export type Cache = {
  /** Somebody is about to use it: it stays for an hour, and is the last to go after that. */
  use(key: string, path: string): Promise<void>;
  /** One look at everything. Trouble is what kept it from making room. */
  trim(): Promise<CacheView & { trouble?: Trouble }>;
  view(): CacheView;
};

/** Longer than anybody plays, converts or sends one file. */
const HELD_MS = 3_600_000;

export function openCache(needs: CacheNeeds): Cache {
  const { clock, root } = needs;
  const used = new Map<string, Ticks>();
  let last: CacheView = { files: 0, bytes: 0, unconfirmed: 0 };
  const isHeld = (key: string) => {
    const at = used.get(key);
    return at !== undefined && since(clock, at) < HELD_MS;
  };
  return {
    async use(key, path) {
      used.set(key, clock.ticks());
      const now = new Date(clock.wall());
      // Only the order in which copies go depends on it.
      await stat(path).then(
        ({ mtime }) => utimes(path, now, mtime).catch(() => undefined),
        () => undefined,
      );
    },
    async trim() {
      for (const key of [...used.keys()]) if (!isHeld(key)) used.delete(key);
      const copies: Copy[] = [];
      for await (const copy of copiesIn(root)) if (!needs.owed.of(copy.key)) copies.push(copy);
      const done = await makeRoom(needs, copies, isHeld);
      last = { files: done.files, bytes: done.bytes, unconfirmed: done.unconfirmed };
      return done;
    },
    view: () => last,
  };
}

export type Copy = { key: string; path: string; size: number; usedMs: number };

async function makeRoom(needs: CacheNeeds, copies: Copy[], isHeld: (key: string) => boolean) {
  const { limitBytes, signal } = needs;
  const done: CacheView & { trouble?: Trouble } = {
    files: copies.length,
    bytes: copies.reduce((sum, { size }) => sum + size, 0),
    unconfirmed: 0,
  };
  if (done.bytes <= limitBytes) return done;
  for (const copy of copies.sort((a, b) => a.usedMs - b.usedMs)) {
    if (done.bytes <= limitBytes || signal.aborted) break;
    if (isHeld(copy.key)) continue;
    const gone = await letGo(needs, copy, isHeld);
    if (isTrouble(gone)) return { ...done, trouble: gone };
    if (gone === "gone") {
      done.files -= 1;
      done.bytes -= copy.size;
    } else if (gone === "unconfirmed") done.unconfirmed += 1;
  }
  return done;
}

/** The bucket is asked first: from here on nobody else has it. */
async function letGo({ bucket, owed, inTurn, signal }: CacheNeeds, copy: Copy, isHeld: (key: string) => boolean) {
  const { key, path, size } = copy;
  return inTurn(key, async (): Promise<"gone" | "needed" | "unconfirmed" | Trouble> => {
    const found = await bucket.look(key, signal);
    if (isTrouble(found)) return found.trouble === "not-there" ? "unconfirmed" : found;
    if (found.size !== size) return "unconfirmed";
    if (owed.of(key) || isHeld(key)) return "needed";
    await rm(path, { force: true });
    return "gone";
  });
}

/** Every object that lies below the folder. */
export async function* copiesIn(root: string, folder = root): AsyncGenerator<Copy> {
  for (const entry of await entriesOf(folder)) {
    if (entry.name.startsWith(".")) continue; // ours, and files in the making
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* copiesIn(root, path);
    else if (entry.isFile()) {
      const key = keyAt(relative(root, path));
      const facts = key === undefined ? undefined : await stat(path).catch(() => undefined); // gone since
      if (key !== undefined && facts) yield { key, path, size: facts.size, usedMs: facts.atimeMs };
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
