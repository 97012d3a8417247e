// The data folder: ours alone (mode 700), and used by one server or command at a time.

import { constants } from "node:fs";
import { access, chmod, type FileHandle, mkdir, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import koffi from "koffi";
import { type Clock, pause, within } from "../clock.ts";
import { isRunning, markOf, ownMark, type ProcessMark } from "../process-mark.ts";
import { giveUp } from "./give-up.ts";

export type DataFolder = {
  path: string;
  database: string;
  objects: string;
  /** Recordings of calls that are up. */
  recordings: string;
  /** What the next process needs to go on with the voice of calls; keys of calls among it. */
  streams: string;
  /** What has just become of calls, until the database has it. */
  notes: string;
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
export type Holder = ProcessMark & {
  as: "server" | "command";
  /** Who starts that server again when it dies. */
  supervisor?: ProcessMark | undefined;
};

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
    streams: join(path, "streams"),
    notes: join(path, "notes"),
    arrears: join(path, "arrears"),
    speech: join(path, "speech"),
    faxes: join(path, "faxes"),
    firstRun: join(path, "first-run.json"),
    secretKeys: join(path, "secret.keys"),
    run: join(path, "run.json"),
    control: join(path, "control.sock"),
  };
}

export async function openDataFolder(
  path: string,
  as: Holder["as"],
  clock: Clock,
  supervisor?: number,
): Promise<DataFolder> {
  await prepareDataFolder(path);
  const lastChance = within(clock, PATIENCE_MS);
  let relieved: number | undefined;
  for (;;) {
    const lock = await tryLock(path, as, supervisor);
    if (lock) return { ...placesIn(path), close: () => lock.close() };
    const holder = await holderOf(path);
    if (holder?.as === "server" && as === "server" && holder.pid !== relieved) {
      if (!isLeftAlone(holder)) break;
      relieved = holder.pid;
      process.kill(holder.pid, "SIGTERM"); // it hands over to us
    }
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
export async function tryLock(path: string, as: Holder["as"], supervisor?: number): Promise<FileHandle | undefined> {
  const file = await open(join(path, "lock"), constants.O_RDWR | constants.O_CREAT, 0o600);
  if (!lockFile(file.fd)) {
    await file.close();
    return undefined;
  }
  await file.truncate();
  const holder: Holder = { ...ownMark(), as, supervisor: supervisor === undefined ? undefined : markOf(supervisor) };
  await file.writeFile(`${JSON.stringify(holder)}\n`);
  return file;
}

async function holderOf(path: string): Promise<Holder | undefined> {
  const holder = await lastHolder(path);
  return holder && isRunning(holder) ? holder : undefined;
}

/** Whoever took the folder last, also when he has let it go or died. */
export async function lastHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(join(path, "lock"), "utf8")) as Holder;
  } catch {
    return undefined; // not there, or just being written
  }
}

/** A server whose supervisor was killed goes on, but nobody would start it again: the next one takes over from it. */
function isLeftAlone({ supervisor }: Holder): boolean {
  return supervisor !== undefined && !isRunning(supervisor);
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
