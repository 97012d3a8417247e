// Runs a program of somebody else's and hears it out. To start one copies the tables of the whole process's memory, which
// takes milliseconds in a server: there it is done by a thread of its own (`programs.ts`), and by this file in that thread.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { type Bounds, type Confinement, confined, NO_WALLS } from "./confine.ts";
import { bareEnvironment } from "./environment.ts";

export type Program = {
  command: string;
  words: readonly string[];
  /** What it reads. */
  input?: string;
  /** For whatever opens something of a stranger's. */
  bounds?: Bounds;
  /** It is a command of ours, which is told our settings. */
  isOurs?: boolean;
};

export type ProgramEnd = {
  /** Null when it was ended by a signal; undefined when it was never started. */
  code: number | null | undefined;
  /** The beginning of what it said, and the end of its complaints. */
  said: string;
  complained: string;
};

/** Ended at once, with all that it has started, when the signal says so. */
export type RunProgram = (program: Program, signal?: AbortSignal) => Promise<ProgramEnd>;

const MOST_SAID = 2_000;

export function runnerIn(confinement: Confinement): RunProgram {
  return async (program, signal) => {
    const isWalled = program.bounds !== undefined && confinement === "walled";
    const made = isWalled ? makeFiles(program.bounds?.writes ?? []) : [];
    try {
      const end = await hearOut(start(program, confinement), program.input, signal);
      return isWalled && end.code === NO_WALLS ? notRun(`no walls could be built: ${end.complained}`) : end;
    } catch (error) {
      return notRun(error); // no memory for it, or too many words
    } finally {
      dropUnwritten(made);
    }
  };
}

export type Probed = { confinement: Confinement; why: string };

/** Run behind walls it says whether the kernel lets us build them around a program that reads in that folder. */
export function probeOf(folder: string): Program {
  const bounds: Bounds = { cpuSeconds: 5, memoryMb: 500, memory: "used", fileMb: 1, reads: [folder], writes: [] };
  return { command: "true", words: [], bounds };
}

export function foundBy({ code, complained }: ProgramEnd): Probed {
  return code === 0 ? { confinement: "walled", why: "" } : { confinement: "limited", why: complained.trim() };
}

export function notRun(why: unknown): ProgramEnd {
  return { code: undefined, said: "", complained: why instanceof Error ? why.message : String(why) };
}

function start(program: Program, confinement: Confinement): ChildProcess {
  const { command, words } = program.bounds ? confined(program, program.bounds, confinement) : program;
  return spawn(command, words, {
    stdio: [program.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: true, // leads a group of its own, which is ended as a whole
    ...(program.isOurs ? {} : { cwd: "/", env: bareEnvironment() }),
  });
}

/** Behind walls only what is there already can be written. */
function makeFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    try {
      closeSync(openSync(path, "ax", 0o600));
      return true;
    } catch {
      return false; // it is there, or cannot be there: the program will say so
    }
  });
}

function dropUnwritten(paths: readonly string[]): void {
  for (const path of paths) if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path, { force: true });
}

function hearOut(child: ChildProcess, input: string | undefined, signal: AbortSignal | undefined): Promise<ProgramEnd> {
  return new Promise((settle) => {
    const kill = () => killGroup(child);
    let said = "";
    let complained = "";
    if (signal?.aborted) kill();
    signal?.addEventListener("abort", kill);
    child.stdout?.on("data", (text: Buffer) => {
      said = (said + text.toString()).slice(0, MOST_SAID);
    });
    child.stderr?.on("data", (text: Buffer) => {
      complained = (complained + text.toString()).slice(-MOST_SAID);
    });
    child.stdin?.on("error", () => undefined); // it ended before it had read everything; its end says how
    child.stdin?.end(input);
    const finish = (end: ProgramEnd) => {
      signal?.removeEventListener("abort", kill);
      settle(end);
    };
    child.once("error", (error) => finish({ code: undefined, said, complained: error.message }));
    child.once("close", (code) => finish({ code, said, complained }));
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
