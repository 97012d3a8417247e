// Starts the server, and starts it again when it dies or hangs. It knows nothing of what the server does.

import { constants } from "node:os";
import type { Cancel, Clock } from "../clock.ts";
import { exitCodes } from "../exit-codes.ts";
import type { StopSignal, ToServer, ToSupervisor } from "./messages.ts";

/** How a process ended: by itself, or by a signal. */
export type End = { code: number } | { signal: NodeJS.Signals };

export type ServerProcess = {
  pid: number;
  tell(message: ToServer): void;
  kill(): void;
  /** Somebody has stopped it, or looks at it in a debugger. */
  isHeld(): boolean;
};

export type SupervisorNeeds = {
  clock: Pick<Clock, "after">;
  /** Exactly one `onEnd` comes for each, also when it could not be started. */
  startServer(hear: { onMessage(message: ToSupervisor): void; onEnd(end: End): void }): ServerProcess;
  /** Starts what the server asks for; the pid. */
  run(command: string[], log: string): number;
  say(level: "warn" | "error", text: string, facts: object): void;
  /** All is over, and this is the exit code. */
  done(exitCode: number): void;
  pingEveryMs?: number;
};

/** Before each start after a death; the last one holds on. */
const PAUSES_MS = [0, 250, 1_000, 5_000];
/** Who was ready for so long did not die of its start: people talk through it, and each pause is a silence to them. */
const RAN_WELL_MS = 3_000;

/** A server that leaves so many pings in a row unanswered hangs. Counted and not timed: whoever stops us stops the count. */
const PING_EVERY_MS = 5_000;
const MOST_UNANSWERED = 6;

/** The third signal asks nobody any more. */
const SIGNALS_TO_KILL = 3;

/** It has said why, and would say the same again. */
const givesUp: readonly number[] = [0, exitCodes.usage, exitCodes.newerSchema, exitCodes.inUse];

export function openSupervisor(needs: SupervisorNeeds): { signal(signal: StopSignal): void } {
  const { clock, say, done } = needs;
  let server: ServerProcess | undefined;
  let deaths = 0;
  let signals = 0;
  let hasEverBeenReady = false;
  let cancelStart: Cancel = () => undefined;
  start();
  return {
    signal(signal) {
      signals++;
      if (!server) {
        cancelStart();
        return done(0);
      }
      if (signals >= SIGNALS_TO_KILL) return server.kill();
      return server.tell({ is: "signal", signal, count: signals });
    },
  };

  function start(): void {
    const watch = watchOver(needs, () => server);
    let cancelClean: Cancel = () => undefined;
    server = needs.startServer({
      onMessage(message) {
        if (message.is === "ready") {
          hasEverBeenReady = true;
          cancelClean = clock.after(RAN_WELL_MS, () => {
            deaths = 0;
          });
          watch.begin();
        } else if (message.is === "alive") watch.answered(message.debugged);
        else server?.tell(ran(needs, message));
      },
      onEnd(end) {
        cancelClean();
        watch.stop();
        server = undefined;
        ended(end);
      },
    });
  }

  function ended(end: End): void {
    if (signals > 0 || isFinal(end)) return done(exitCodeOf(end));
    if ("code" in end && end.code === exitCodes.again) return start();
    const pauseMs = PAUSES_MS[Math.min(deaths, PAUSES_MS.length - 1)]!; // inside the list
    deaths++;
    say("error", "the server has died and is started again", { ...end, deaths, afterMs: pauseMs });
    cancelStart = clock.after(pauseMs, start);
    return undefined;
  }

  /** What has never run yet, and says that it cannot, is looked at by somebody who has just started it. */
  function isFinal(end: End): boolean {
    if (!("code" in end)) return false;
    return givesUp.includes(end.code) || (end.code === exitCodes.failed && !hasEverBeenReady);
  }
}

/** Only once it is ready: migrations may take long, and a start waits for them. */
function watchOver(
  { clock, say, pingEveryMs = PING_EVERY_MS }: SupervisorNeeds,
  current: () => ServerProcess | undefined,
) {
  let unanswered = 0;
  let isDebugged = false;
  let cancel: Cancel = () => undefined;
  const tick = () => {
    const server = current();
    if (!server) return;
    if (unanswered > 0 && (isDebugged || server.isHeld())) unanswered = 1;
    if (unanswered >= MOST_UNANSWERED) {
      say("error", "the server hangs and is killed", {
        pid: server.pid,
        seconds: (unanswered * pingEveryMs) / 1_000,
      });
      return server.kill();
    }
    if (unanswered === 0) server.tell({ is: "ping" });
    unanswered++;
    cancel = clock.after(pingEveryMs, tick);
  };
  return {
    begin: tick,
    answered(debugged: boolean) {
      unanswered = 0;
      isDebugged = debugged;
    },
    stop: () => cancel(),
  };
}

function ran({ run }: SupervisorNeeds, { id, command, log }: ToSupervisor & { is: "run" }): ToServer {
  try {
    return { is: "ran", id, pid: run(command, log), error: undefined };
  } catch (error) {
    return { is: "ran", id, pid: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}

/** As a shell says it. */
function exitCodeOf(end: End): number {
  return "code" in end ? end.code : 128 + constants.signals[end.signal];
}
