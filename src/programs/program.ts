// Runs a program of somebody else's and hears it out. To start one copies the tables of the whole process's memory, which
// takes milliseconds in a server: there it is done by a thread of its own (`programs.ts`), and by this file in that thread.

import { type ChildProcess, spawn } from "node:child_process";

export type Program = {
  command: string;
  words: readonly string[];
  /** What it reads. */
  input?: string;
};

export type ProgramEnd = {
  /** Null when it was ended by a signal; undefined when it was never started. */
  code: number | null | undefined;
  /** The beginning of what it said, and the end of its complaints. */
  said: string;
  complained: string;
};

/** Ended at once when the signal says so. */
export type RunProgram = (program: Program, signal?: AbortSignal) => Promise<ProgramEnd>;

const MOST_SAID = 2_000;

export const runProgram: RunProgram = async (program, signal) => {
  try {
    return await hearOut(start(program), program.input, signal);
  } catch (error) {
    return notRun(error); // no memory for it, or too many words
  }
};

export function notRun(why: unknown): ProgramEnd {
  return { code: undefined, said: "", complained: why instanceof Error ? why.message : String(why) };
}

function start({ command, words, input }: Program): ChildProcess {
  return spawn(command, words, { stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
}

function hearOut(child: ChildProcess, input: string | undefined, signal: AbortSignal | undefined): Promise<ProgramEnd> {
  return new Promise((settle) => {
    const kill = () => void child.kill("SIGKILL");
    let said = "";
    let complained = "";
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
