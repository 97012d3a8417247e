// While a backup runs, nothing that it may speak of goes away: what is deleted is put aside until it is over.

import { mkdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { namesIn } from "../folders.ts";
import { isRunning, ownMark, type ProcessMark } from "../process-mark.ts";

export type Keeping = {
  /** What was deleted since, as it lay among the objects. */
  aside: string;
  end(): Promise<void>;
};

const ASIDE = ".kept";
/** A folder whose name says which process keeps: there at once and whole, or not at all. */
const MARK = /^\.keeping (\d+) ([\w-]*(?: \d*)?)$/;

/** One at a time. Of a keeper that was killed nothing is left to wait for. */
export async function keepDeleted(root: string): Promise<Keeping | { refused: "under-way"; pid: number }> {
  await clearKept(root);
  const { pid, began = "" } = ownMark();
  const own = `.keeping ${pid} ${began}`;
  await mkdir(root, { recursive: true, mode: 0o700 });
  try {
    await mkdir(join(root, own), { mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return { refused: "under-way", pid };
    throw error;
  }
  const other = (await keepersIn(root)).find((keeper) => keeper.pid !== pid && isRunning(keeper));
  if (other) {
    await rmdir(join(root, own));
    return { refused: "under-way", pid: other.pid };
  }
  return {
    aside: join(root, ASIDE),
    async end() {
      await rmdir(join(root, own));
      await clearKept(root);
    },
  };
}

/** True when it was put aside, so that nothing has to be deleted. */
export async function putAside(root: string, path: string): Promise<boolean> {
  if (!(await keepersIn(root)).some(isRunning)) return false;
  const place = join(root, ASIDE, relative(root, path));
  if (await stat(place).catch(() => undefined)) return false; // an earlier one of that name is what rows speak of
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await rename(path, place);
  return true;
}

/** At a start and before each backup: whatever a keeper that was killed left behind. */
export async function clearKept(root: string): Promise<void> {
  const keepers = await keepersIn(root);
  if (keepers.some(isRunning)) return;
  for (const { name } of keepers) await rm(join(root, name), { recursive: true, force: true });
  await rm(join(root, ASIDE), { recursive: true, force: true });
}

async function keepersIn(root: string): Promise<(ProcessMark & { name: string })[]> {
  const names = await namesIn(root);
  return names.flatMap((name) => {
    const [, pid, began] = MARK.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), began: began === "" ? undefined : began }];
  });
}
