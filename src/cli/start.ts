// santral start: runs the exchange in the foreground until a signal ends it.

import { isUnspecified } from "../addresses.ts";
import { type Clock, pause } from "../clock.ts";
import type { Config } from "../config.ts";
import { type Log, openLog } from "../log.ts";
import { type Santral, startSantral } from "../main.ts";
import { programVersion } from "../places.ts";
import { exitCodes } from "../server/give-up.ts";

/** Calls and requests get this long to end by themselves. */
const DRAIN_MS = 30_000;

export async function start(config: Config, clock: Clock): Promise<void> {
  const log = openLog(config.logLevel);
  const asked = stopSignals();
  dieOfMistakes(log);
  const santral = await startSantral(config, log, clock);
  void santral.lost.then((holder) => {
    log.error({ holder }, "another server has taken the database: ending, since it owns everything in it now");
    process.exit(exitCodes.inUse);
  });
  process.stdout.write(banner(santral));
  const signal = await asked;
  log.info({ signal }, "stopping");
  const stopped = await Promise.race([santral.stop().then(() => true), pause(clock, DRAIN_MS).then(() => false)]);
  if (!stopped) log.error({ waitedMs: DRAIN_MS }, "not stopped in time; ending as it is");
  else log.info({}, "stopped");
  process.exit(stopped ? 0 : exitCodes.failed); // whatever still holds the event loop has had its time
}

/** Kept at the first signal; the second one ends us where we stand. */
function stopSignals(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (asked) process.exit(exitCodes.failed);
        asked = true;
        resolve(signal);
      });
  });
}

// A mistake nobody caught may have left anything behind: what is stored is safe, what is in memory is not to be trusted.
function dieOfMistakes(log: Log): void {
  const die = (error: unknown) => {
    log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, "mistake: ending");
    process.exit(exitCodes.failed);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}

/** Every door by itself: an operator sees at a glance what is open, and to whom. */
function doorLines({ sipDoors = [], sipTlsDoors = [] }: Santral["opened"]): string[] {
  const reached = (door: string) =>
    isUnspecified(door.replace(/:\d+$/, ""))
      ? `${door} (every ${door.startsWith("[") ? "IPv6" : "IPv4"} address)`
      : door;
  return [
    ...sipDoors.map((door) => `  SIP             ${reached(door)}`),
    ...sipTlsDoors.map((door) => `  SIP over TLS    ${reached(door)}`),
  ];
}

function banner({ opened, firstRun, firstRunFile }: Santral): string {
  const base = `http://${opened.http}`;
  const lines = [
    `Santral ${programVersion()} is running.`,
    "",
    `  HTTP interface  ${base}`,
    `  Console         ${base}/console`,
    `  API reference   ${base}/docs`,
    ...doorLines(opened),
    `  Credentials     ${firstRunFile}${firstRun ? " (made just now)" : ""}`,
    "",
    "Try it:",
    `  KEY=$(node -p 'JSON.parse(fs.readFileSync("${firstRunFile}")).exchange.key')`,
    `  curl "${base}/caller_ids?key=$KEY"`,
    "",
    "Ctrl-C stops it.",
  ];
  return `\n${lines.join("\n")}\n\n`;
}
