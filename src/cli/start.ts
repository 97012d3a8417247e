// santral start: runs the exchange in the foreground until a signal ends it.

import { isUnspecified } from "../addresses.ts";
import { type Clock, pause } from "../clock.ts";
import { type Config, isService } from "../config.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Log, openLog } from "../log.ts";
import { type Santral, startSantral } from "../main.ts";
import { programVersion } from "../places.ts";
import type { Stop } from "../server/parts.ts";
import { openStopRequests } from "../server/stop-requests.ts";
import { joinSupervisor } from "../server/supervised.ts";
import { stopSignals } from "../supervisor/messages.ts";

/** Calls and requests get this long to end by themselves. */
const DRAIN_MS = 30_000;

/** `isSupervised`: by `santral start` itself, which has started us as its child. */
export async function start(config: Config, clock: Clock, isSupervised = false): Promise<void> {
  const log = openLog(config.logLevel);
  dieOfMistakes(log);
  let santral: Santral | undefined;
  const requests = openStopRequests({
    onCut: () => santral?.cut(),
    onNow: () => process.exit(exitCodes.failed),
  });
  for (const signal of stopSignals) process.on(signal, () => requests.signal(signal));
  const supervisor = isSupervised
    ? joinSupervisor({
        onSignal: requests.signal,
        onGone: () =>
          log.error({}, "the supervisor is gone: nobody starts this server again; the next start takes over"),
      })
    : undefined;
  const around = { supervisor, isService: isService(), onStop: requests.ask };
  santral = await startSantral(config, log, clock, around);
  void santral.lost.then((holder) => {
    if (config.cluster) {
      log.error({ holder }, "the life of this node is over: ending, to begin another");
      process.exit(exitCodes.again);
    }
    log.error({ holder }, "another server has taken the database: ending, since it owns everything in it now");
    process.exit(exitCodes.inUse);
  });
  supervisor?.ready();
  process.stdout.write(banner(santral));
  const stop = await requests.asked;
  log.info(stop, "stopping");
  const isStopped = await stopped(santral, stop, clock);
  if (!isStopped) log.error({ waitedMs: DRAIN_MS }, "not stopped in time; ending as it is");
  else log.info({}, "stopped");
  // Whatever still holds the event loop has had its time.
  process.exit(stop.again ? exitCodes.again : isStopped ? 0 : exitCodes.failed);
}

/** Whether it has stopped in time. Who waits for calls to end waits for as long as they last. */
async function stopped(santral: Santral, stop: Stop, clock: Clock): Promise<boolean> {
  const closed = santral.stop(stop).then(() => true);
  return stop.calls === "drain" ? closed : Promise.race([closed, pause(clock, DRAIN_MS).then(() => false)]);
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
    `  KEY=$(${process.execPath} -p 'JSON.parse(fs.readFileSync("${firstRunFile}")).exchange.key')`,
    `  curl "${base}/caller_ids?key=$KEY"`,
    "",
    "Ctrl-C stops it.",
  ];
  return `\n${lines.join("\n")}\n\n`;
}
