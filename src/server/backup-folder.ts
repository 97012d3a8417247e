// The folder of backups, and the plan by which they are made, which lies beside them.

import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { writeDurably } from "../durable-file.ts";
import type { BackupFile, BackupPlan } from "../http/console/operation/system-office.ts";
import { isBackupName } from "./backup-plan.ts";

const PLAN = "plan.json";

export type OpenedBackup = { name: string; size: number; stream: Readable };

export type BackupFolder = {
  /** The newest first. */
  files(): Promise<BackupFile[]>;
  /** Where one of this name is to be written. */
  placeFor(name: string): Promise<string>;
  has(name: string): Promise<boolean>;
  open(name: string): Promise<OpenedBackup | undefined>;
  remove(name: string): Promise<boolean>;
  plan(): Promise<BackupPlan | null>;
  keepPlan(plan: BackupPlan | null): Promise<void>;
};

export function openBackupFolder(folder: string): BackupFolder {
  const path = (name: string) => join(folder, name);
  // No other name leads out of the folder, or to a file that is none.
  const about = async (name: string) => (isBackupName(name) ? stat(path(name)).catch(() => undefined) : undefined);
  const make = () => mkdir(folder, { recursive: true, mode: 0o700 });
  const has = async (name: string) => (await about(name)) !== undefined;
  return {
    has,
    async files() {
      const names = (await readdir(folder).catch(() => [])).filter(isBackupName);
      const found = await Promise.all(names.map(async (name) => ({ name, is: await about(name) })));
      return found
        .flatMap(({ name, is }) => (is ? [{ name, bytes: is.size, madeMs: is.mtimeMs }] : []))
        .sort((a, b) => b.madeMs - a.madeMs);
    },
    async placeFor(name) {
      await make();
      return path(name);
    },
    async open(name) {
      const is = await about(name);
      return is && { name, size: is.size, stream: createReadStream(path(name)) };
    },
    async remove(name) {
      if (!(await has(name))) return false;
      await rm(path(name), { force: true });
      return true;
    },
    async plan() {
      const text = await readFile(path(PLAN), "utf8").catch(() => undefined);
      return text === undefined ? null : (JSON.parse(text) as BackupPlan | null); // our own file
    },
    async keepPlan(plan) {
      await make();
      await writeDurably(path(PLAN), JSON.stringify(plan));
    },
  };
}
