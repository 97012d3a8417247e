// The process of the embedded PostgreSQL: started by us or by somebody who outlives us, found again, watched and stopped.

import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { type Clock, pause } from "../clock.ts";
import { isRunning } from "../process-mark.ts";
import { bareEnvironment } from "../programs/environment.ts";

/** `gone` is kept when it has ended, whoever ended it. */
export type Postmaster = { pid: number; gone: Promise<void>; stop(): Promise<void> };

/** Starts a program whose standard error goes into a file, and that need not be our child. */
export type Launch = (command: string[], log: string) => Promise<Postmaster>;

/** Whoever starts it for us, so that it goes on when we are killed, and ends when he does. */
export type Keeper = { pid: number; run(command: string[], log: string): Promise<number> };

const LOOK_EVERY_MS = 250;
const LOOK_CLOSELY_EVERY_MS = 20;

/** As a child of ours. */
export const launchOurselves: Launch = async ([program = "", ...words], log) => {
  const output = openSync(log, "w", 0o600);
  const server = spawn(program, words, {
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", output],
    detached: true,
  });
  closeSync(output);
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  if (server.pid === undefined) await new Promise((_, reject) => server.once("error", reject));
  server.unref();
  const stop = () => {
    server.ref(); // from here on somebody waits for its end
    server.kill("SIGINT"); // fast shutdown: disconnect everybody, checkpoint, exit
    return gone;
  };
  return { pid: server.pid!, gone, stop }; // one without a pid has thrown
};

export function launchBy(keeper: Keeper, clock: Clock): Launch {
  return async (command, log) => watched(await keeper.run(command, log), clock);
}

/** One that is not our child. */
function watched(pid: number, clock: Clock): Postmaster {
  return {
    pid,
    gone: ended(pid, clock, LOOK_EVERY_MS),
    stop() {
      if (isRunning({ pid })) process.kill(pid, "SIGINT");
      return ended(pid, clock, LOOK_CLOSELY_EVERY_MS);
    },
  };
}

async function ended(pid: number, clock: Clock, everyMs: number): Promise<void> {
  while (isRunning({ pid })) await pause(clock, everyMs);
}

/** What it has written of itself into its folder: its pid, and how far it is. */
export function lockOf(folder: string): { pid: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), state: lines[7]?.trim() ?? "" };
  } catch {
    return undefined;
  }
}

/**
 * One that runs in this folder already. That of our keeper, started as we would start it, goes on; any other is stopped,
 * or is stopping, since who started it is gone. Undefined: none runs any more.
 */
export async function findRunning(
  folder: string,
  command: string[],
  { keeper, clock }: { keeper: Keeper | undefined; clock: Clock },
): Promise<Postmaster | undefined> {
  const pid = lockOf(folder)?.pid;
  if (pid === undefined || !isPostmasterIn(pid, folder)) return undefined;
  const found = watched(pid, clock);
  const isKept = keeper !== undefined && parentOf(pid) === keeper.pid && isStartedBy(pid, folder, command);
  while (isKept && isRunning({ pid }) && lockOf(folder)?.state === "starting")
    await pause(clock, LOOK_CLOSELY_EVERY_MS);
  if (isKept && isRunning({ pid }) && lockOf(folder)?.state === "ready") return found;
  await found.stop();
  return undefined;
}

/** A pid in a file may be anybody's by now. */
function isPostmasterIn(pid: number, folder: string): boolean {
  try {
    return isRunning({ pid }) && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}

/** With these words, and by this very program: an upgrade may have put another one in its place. */
function isStartedBy(pid: number, folder: string, command: string[]): boolean {
  try {
    const program = command.findIndex((word) => word.endsWith("/postgres"));
    const words = readFileSync(join(folder, "postmaster.opts"), "utf8").match(/"[^"]*"/g) ?? [];
    const isSame =
      words.join(" ") ===
      command
        .slice(program + 1)
        .map((word) => `"${word}"`)
        .join(" ");
    return isSame && readlinkSync(`/proc/${pid}/exe`) === realpathSync(command[program] ?? "");
  } catch {
    return false;
  }
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
