// santral stop, restart and upgrade: what becomes of a running server, and of the calls that are up.

import type { Command } from "commander";
import { type Clock, pause, stopwatch } from "../clock.ts";
import { migrationsFolder, programVersion } from "../places.ts";
import { isRunning } from "../process-mark.ts";
import type { ShownLoad } from "../server/call-answers.ts";
import { askServer } from "../server/control-client.ts";
import { lastHolder, placesIn } from "../server/data-folder.ts";
import { databaseUrls } from "../server/database-server.ts";
import { giveUp } from "../server/give-up.ts";
import type { Stop } from "../server/parts.ts";
import { readRun } from "../server/run-file.ts";
import { openDatabase } from "../store/db.ts";
import { missingMigrations } from "../store/migrate.ts";
import { type Given, plainCommand, type Tools, type Usage } from "./command.ts";
import { card, type Shown, said } from "./show.ts";

/** How a server answers that is told to stop. */
type Answer = { pid: number; version: string } | { refused: "unknown" | "nobody-starts-again" };

const LOOK_EVERY_MS = 50;
/** It ends by itself after thirty seconds; and its supervisor with it. */
const STOP_MS = 45_000;
/** Between two processes; one that has taken the data folder may take as long as its migrations take. */
const NOBODY_MS = 60_000;
/** So many new ones that die before they are ready are no accident. */
const MOST_DEATHS = 3;

const calls: NonNullable<Usage["options"]> = [
  ["--hand-over", "leave the calls that are up to the next process"],
  ["--drain", "wait until the calls that are up have ended, and take no new ones"],
  ["--cut", "end the calls that are up"],
];

export function addStopCommands(program: Command, clock: Clock): void {
  plainCommand(program, clock, {
    usage: "stop",
    says: "stop the server for good, its supervisor and its database with it; calls are cut unless said otherwise",
    options: calls,
    act: (given, tools) => stop(tools, chosen(given, "cut")),
  });
  plainCommand(program, clock, {
    usage: "restart",
    says: "end the server and start it again; calls are left to the next process unless said otherwise",
    options: calls,
    act: (given, tools) => restart(tools, chosen(given, "handOver")),
  });
  plainCommand(program, clock, {
    usage: "upgrade",
    says: "install and build what lies here, then restart into it; the database is brought up to date meanwhile",
    options: calls,
    act: (given, tools) => upgrade(tools, chosen(given, "handOver")),
  });
}

function chosen({ options }: Given, usual: Stop["calls"]): Stop["calls"] {
  const said = (["handOver", "drain", "cut"] as const).filter((it) => options[it] === true);
  if (said.length > 1) giveUp("say one of --hand-over, --drain and --cut", "usage");
  return said[0] ?? usual;
}

async function stop({ config, clock }: Tools, calls: Stop["calls"]): Promise<Shown> {
  const { path, control } = placesIn(config.dataFolder);
  const holder = await lastHolder(path);
  const answer = (await askServer(control, "stop", { calls })) as Answer | undefined; // our own server's word
  const processes = [holder?.supervisor, holder?.as === "server" ? holder : undefined].filter((it) => it !== undefined);
  const [first] = processes.filter(isRunning);
  if (!first) return said(`no server runs on ${path}`, { stopped: false });
  // One that is just starting, or a supervisor between two starts.
  if (!answer) process.kill(first.pid, calls === "handOver" ? "SIGTERM" : "SIGINT");
  const patienceMs = calls === "drain" ? Number.POSITIVE_INFINITY : STOP_MS;
  for (let waitedMs = 0; processes.some(isRunning); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs > patienceMs)
      giveUp(
        `the server has not stopped: process ${processes
          .filter(isRunning)
          .map(({ pid }) => pid)
          .join(" and ")}`,
      );
    await pause(clock, LOOK_EVERY_MS);
  }
  return said("stopped", { stopped: true });
}

async function restart(tools: Tools, calls: Stop["calls"]): Promise<Shown> {
  const { path, control } = placesIn(tools.config.dataFolder);
  const before = await callsUp(control);
  const asked = await askServer(control, "stop", { calls, again: "yes" });
  const answer = asked as Answer | undefined; // our own server's word
  if (!answer) return giveUp(`no server runs on ${path}: "santral start" starts it`);
  if ("refused" in answer)
    return giveUp(
      "nobody would start it again: it runs without a supervisor (SANTRAL_SUPERVISE), so stop and start it",
    );
  const elapsedMs = stopwatch(tools.clock);
  while (isRunning(answer)) await pause(tools.clock, LOOK_EVERY_MS);
  const pid = await nextServer(tools, answer.pid);
  const seconds = Math.round(elapsedMs() / 100) / 10;
  const callsNow = await callsUp(control);
  return card({
    restarted: true,
    pid,
    version: programVersion(),
    versionBefore: answer.version,
    seconds,
    callsBefore: before,
    callsNow,
  });
}

async function callsUp(control: string): Promise<number | undefined> {
  return ((await askServer(control, "load")) as ShownLoad | undefined)?.calls; // our own server's word
}

/** The pid of the one that is ready after that one. */
async function nextServer({ config, clock }: Tools, formerPid: number): Promise<number> {
  const { path, run } = placesIn(config.dataFolder);
  const supervisor = (await lastHolder(path))?.supervisor;
  const seen = new Set<number>();
  for (let waitedMs = 0; waitedMs < NOBODY_MS; waitedMs += LOOK_EVERY_MS) {
    const opened = await readRun(run);
    if (opened && opened.pid !== formerPid && isRunning(opened)) return opened.pid;
    const holder = await lastHolder(path);
    if (holder && holder.pid !== formerPid && isRunning(holder)) {
      seen.add(holder.pid);
      waitedMs = 0;
    }
    if (seen.size > MOST_DEATHS) return notUp(`it has died ${MOST_DEATHS} times and is tried again`);
    if (supervisor !== undefined && !isRunning(supervisor)) return notUp("it has given up");
    await pause(clock, LOOK_EVERY_MS);
  }
  return notUp("nobody has started it");
}

function notUp(why: string): never {
  return giveUp(`the next server has not come up: ${why}; its log says more. Put back what ran before, and start that`);
}

/** What would refuse to start is not even tried: the server that runs goes on. */
async function upgrade(tools: Tools, calls: Stop["calls"]): Promise<Shown> {
  const { config, clock } = tools;
  const db = openDatabase(databaseUrls(config, placesIn(config.dataFolder)).server, clock, { connections: 1 });
  const missing = await missingMigrations(db, migrationsFolder)
    .catch((error: Error) => giveUp(`the database does not answer, and nothing was restarted: ${error.message}`))
    .finally(() => db.close());
  if (missing.unknown.length > 0)
    giveUp("this database was made by a newer version of Santral: nothing was restarted", "newerSchema");
  const shown = await restart(tools, calls);
  return card({ ...(shown.value as object), migrations: missing.pending });
}
