// The supervisor as a process: `santral start` is this one, and the server is its child.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { realClock } from "../clock.ts";
import { bareEnvironment } from "../programs/environment.ts";
import { stopSignals, type ToSupervisor } from "./messages.ts";
import { type End, openSupervisor, type ServerProcess } from "./supervisor.ts";

/** Never comes back: the process ends with the server's exit code. */
export function supervise(program: string, words: readonly string[], times: { pingEveryMs?: number } = {}): void {
  const supervisor = openSupervisor({
    ...times,
    clock: realClock,
    startServer: ({ onMessage, onEnd }) => startServer([program, ...words, "--supervised"], onMessage, onEnd),
    run,
    say: (level, msg, facts) =>
      process.stdout.write(
        `${JSON.stringify({ level, time: new Date(realClock.wall()).toISOString(), ...facts, msg })}\n`,
      ),
    done: (exitCode) => process.exit(exitCode),
  });
  for (const signal of stopSignals) process.on(signal, () => supervisor.signal(signal));
  // Whoever reads our output may stop reading; the server notices by itself.
  process.stdout.on("error", () => undefined);
}

/** In our process group: a terminal's Ctrl-C and Ctrl-Z, and a kill of the whole group, reach it as they reach us. */
function startServer(
  words: string[],
  onMessage: (message: ToSupervisor) => void,
  onEnd: (end: End) => void,
): ServerProcess {
  const child = spawn(process.execPath, [...ownOptions(), ...words], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  child.on("message", (message) => onMessage(message as ToSupervisor)); // our own program wrote it
  child.on("error", () => undefined); // one that could not be told has ended, or will
  once(child, onEnd);
  return {
    pid: child.pid ?? 0,
    tell: (message) => void (child.connected && child.send(message, () => undefined)),
    kill: () => void child.kill("SIGKILL"),
    isHeld: () => isHeld(child.pid ?? 0),
  };
}

/** Node's, as they were given to us; but never a program to run in place of the server, which would be us once more. */
function ownOptions(): string[] {
  const isProgram = process.execArgv.some((word) => /^(-e|-p|-pe|--eval|--print|--input-type)\b/.test(word));
  return isProgram ? [] : process.execArgv;
}

function once(child: ChildProcess, onEnd: (end: End) => void): void {
  if (child.pid === undefined) child.once("error", () => onEnd({ code: 1 }));
  else child.once("exit", (code, signal) => onEnd(signal ? { signal } : { code: code ?? 1 }));
}

/** Stopped (T), or traced (t) by somebody. */
function isHeld(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /^State:\s+[Tt]/m.test(status) || !/^TracerPid:\s+0$/m.test(status);
  } catch {
    return false;
  }
}

/** It is ours and not the server's: it goes on when the server dies, and ends by itself when we do. */
function run([program = "", ...words]: string[], log: string): number {
  const output = openSync(log, "w", 0o600);
  try {
    const child = spawn(program, words, {
      env: bareEnvironment(),
      stdio: ["ignore", "ignore", output],
      detached: true,
    });
    child.on("error", () => undefined); // it has no pid then
    child.unref();
    if (child.pid === undefined) throw new Error(`${program} cannot be started`);
    return child.pid;
  } finally {
    closeSync(output);
  }
}
