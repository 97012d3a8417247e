// What the bucket is owed: one empty file for each object that is still to be put or deleted there. It is on disk before
// anybody is told that the object is kept or gone, so that a kill or a power cut forgets none.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, momentOf, type Ticks } from "../clock.ts";
import { syncFolder } from "../durable-file.ts";
import { namesIn } from "../folders.ts";

/** `serial` tells one debt from the next about the same object, which may come while the first is being paid. */
export type Debt = {
  key: string;
  is: "put" | "delete";
  serial: number;
  since: Ticks;
  bytes: number;
  /** An upload in parts that was begun and not known to be over. */
  upload?: string | undefined;
};

export type Owed = {
  /** On disk when it returns. The last word about an object is the one that counts. */
  note(key: string, is: Debt["is"]): Promise<Debt>;
  noteUpload(key: string, upload: string | undefined): Promise<void>;
  /** Paid, unless something else has been noted about the object since. */
  settle(debt: Debt): Promise<void>;
  of(key: string): Debt | undefined;
  /** The oldest first. */
  all(): IterableIterator<Debt>;
  count(): number;
};

const OWED = ".owed";
/** No key has this sign in it. */
const SLASH = "~";
const MARK = /^(.+)\.(put|delete)$/;

type OwedNeeds = { root: string; clock: Clock; sizeOf(key: string): Promise<number | undefined> };

export async function openOwed({ root, clock, sizeOf }: OwedNeeds): Promise<Owed> {
  const folder = join(root, OWED);
  const debts = new Map<string, Debt>();
  let serials = 0;
  for (const { sinceMs, ...found } of await debtsIn(folder)) {
    const bytes = found.is === "put" ? ((await sizeOf(found.key)) ?? 0) : 0;
    debts.set(found.key, { ...found, since: momentOf(clock, sinceMs), bytes, serial: ++serials });
  }
  return {
    async note(key, is) {
      const path = markOf(folder, key, is);
      await makeShard(folder, dirname(path));
      const { upload, since = clock.ticks() } = debts.get(key) ?? {};
      await writeFile(path, upload ?? "", { mode: 0o600 });
      await rm(markOf(folder, key, is === "put" ? "delete" : "put"), { force: true });
      await syncFolder(dirname(path));
      const debt: Debt = { key, is, serial: ++serials, since, bytes: 0, upload };
      debts.set(key, debt);
      return debt;
    },
    async noteUpload(key, upload) {
      const debt = debts.get(key);
      if (!debt) return;
      debt.upload = upload;
      await writeFile(markOf(folder, key, debt.is), upload ?? "", { mode: 0o600 });
    },
    async settle(debt) {
      if (debts.get(debt.key)?.serial !== debt.serial) return;
      debts.delete(debt.key);
      // A mark that comes back after a power cut is paid once more, which changes nothing.
      await rm(markOf(folder, debt.key, debt.is), { force: true });
    },
    of: (key) => debts.get(key),
    all: () => debts.values(),
    count: () => debts.size,
  };
}

type Found = Pick<Debt, "key" | "is" | "upload"> & { sinceMs: number };

/** What lies there, for a start and for whoever looks from outside. */
async function debtsIn(folder: string): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const shard of await namesIn(folder))
    for (const name of await namesIn(join(folder, shard))) {
      const [, spelt = "", is] = MARK.exec(name) ?? [];
      if (is !== "put" && is !== "delete") continue;
      const key = spelt.replaceAll(SLASH, "/");
      const path = join(folder, shard, name);
      const facts = await stat(path).catch(() => undefined); // paid while we look
      const upload = await readFile(path, "utf8").catch(() => "");
      if (!facts) continue;
      // Both lie there only when we were killed between the two, before anybody was answered: then nothing is deleted.
      if (found.has(key) && is === "delete") continue;
      found.set(key, { key, is, sinceMs: facts.mtimeMs, upload: upload === "" ? undefined : upload });
    }
  return [...found.values()].sort((a, b) => a.sinceMs - b.sinceMs);
}

/** For a command beside the server: how much is owed, and since when. */
export async function lookAtOwed(root: string): Promise<{ count: number; oldestMs: number | undefined }> {
  const [oldest, ...others] = await debtsIn(join(root, OWED));
  return { count: oldest ? others.length + 1 : 0, oldestMs: oldest?.sinceMs };
}

function markOf(folder: string, key: string, is: Debt["is"]): string {
  const shard = createHash("sha256").update(key).digest("hex").slice(0, 2);
  return join(folder, shard, `${key.replaceAll("/", SLASH)}.${is}`);
}

/** A new folder is an entry in its parent, which must reach the disk too. */
async function makeShard(folder: string, shard: string): Promise<void> {
  const first = await mkdir(shard, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  await syncFolder(folder);
  await syncFolder(dirname(folder));
}
