// The data folder: ours alone (mode 700), and used by one server or command at a time.

import { constants } from "node:fs";
import { access, chmod, type FileHandle, mkdir, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import koffi from "koffi";
import { type Clock, pause, within } from "../clock.ts";
import { giveUp } from "./give-up.ts";

export type DataFolder = {
  path: string;
  database: string;
  objects: string;
  /** Recordings of calls that are up. */
  recordings: string;
  /** What the database is owed while it cannot be written. */
  arrears: string;
  /** Sentences that were spoken once. */
  speech: string;
  /** Faxes on their way, and the papers of the sandbox's fax machines. */
  faxes: string;
  firstRun: string;
  /** Keys of sealed secrets, unless the settings name another place. */
  secretKeys: string;
  run: string;
  /** Where the command line talks to the running server. */
  control: string;
  close(): Promise<void>;
};

/** Who holds the folder: a server keeps it, a command is soon done. */
export type Holder = { pid: number; as: "server" | "command" };

const LOCK_EX = 2;
const LOCK_NB = 4;
const BETWEEN_ATTEMPTS_MS = 50;

/** A command in the middle of its work, or a server that is just stopping, is waited for. */
const PATIENCE_MS = 15_000;

export function placesIn(path: string): Omit<DataFolder, "close"> {
  return {
    path,
    database: join(path, "pg"),
    objects: join(path, "objects"),
    recordings: join(path, "recordings"),
    arrears: join(path, "arrears"),
    speech: join(path, "speech"),
    faxes: join(path, "faxes"),
    firstRun: join(path, "first-run.json"),
    secretKeys: join(path, "secret.keys"),
    run: join(path, "run.json"),
    control: join(path, "control.sock"),
  };
}

export async function openDataFolder(path: string, as: Holder["as"], clock: Clock): Promise<DataFolder> {
  await prepareDataFolder(path);
  const lastChance = within(clock, PATIENCE_MS);
  for (;;) {
    const lock = await tryLock(path, as);
    if (lock) return { ...placesIn(path), close: () => lock.close() };
    const holder = await holderOf(path);
    if (holder?.as === "server" && as === "server") break;
    if (clock.ticks() > lastChance) break;
    await pause(clock, BETWEEN_ATTEMPTS_MS);
  }
  const holder = await holderOf(path);
  return giveUp(
    `${path} is in use by another Santral${holder ? ` (process ${holder.pid})` : ""}: stop it, or set SANTRAL_DATA to another folder`,
    "inUse",
  );
}

/** The lock if it is free, without waiting: held until closed, and let go by the kernel if we are killed. */
export async function tryLock(path: string, as: Holder["as"]): Promise<FileHandle | undefined> {
  const file = await open(join(path, "lock"), constants.O_RDWR | constants.O_CREAT, 0o600);
  if (!lockFile(file.fd)) {
    await file.close();
    return undefined;
  }
  await file.truncate();
  await file.writeFile(`${JSON.stringify({ pid: process.pid, as } satisfies Holder)}\n`);
  return file;
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(join(path, "lock"), "utf8")) as Holder;
    return isAlive(holder.pid) ? holder : undefined;
  } catch {
    return undefined; // not there, or just being written
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's, but alive
  }
}

// flock and not a pid file: it cannot be left behind, and it works across containers that share the folder.
function lockFile(fd: number): boolean {
  const flock = koffi.load(null).func("int flock(int fd, int operation)") as (fd: number, how: number) => number;
  return flock(fd, LOCK_EX | LOCK_NB) === 0;
}

/** There, ours, and closed to other users. */
export async function prepareDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    await closeToOthers(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    giveUp(`the data folder ${path} cannot be used: ${error.message}`);
  }
}

// A folder with somebody else's things in it (a home folder, /tmp) is not ours to close.
async function closeToOthers(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o067) === 0) return; // the database's user may be let through: see ordinary-user.ts
  const names = await readdir(path);
  if (names.length > 0 && !names.includes("lock"))
    giveUp(`${path} is open to other users and holds other files: choose another data folder, or chmod 700 it`);
  await chmod(path, 0o700);
}
