// espeak-ng as a program of its own: robotic, but it speaks every language of ours on any machine.

import type { Bounds } from "../../programs/confine.ts";
import type { RunProgram } from "../../programs/program.ts";
import { spoken } from "../language.ts";
import type { Voice } from "../tts.ts";

const WORDS_A_MINUTE = 150;
const LIMIT_MS = 10_000;

export function espeakVoice(runProgram: RunProgram): Voice {
  return {
    name: "espeak-ng",
    speak: ({ text, language, speed, path }) =>
      run(runProgram, {
        words: ["-v", spoken[language].espeak, "-s", String(Math.round(WORDS_A_MINUTE * speed)), "-b", "1"],
        path,
        text,
      }),
  };
}

type Spoken = { words: string[]; path: string; text: string };

/** The text goes in by standard input: it is never part of a command line. */
async function run(runProgram: RunProgram, { words, path, text }: Spoken): Promise<boolean> {
  const bounds: Bounds = { cpuSeconds: 10, memoryMb: 500, memory: "reserved", fileMb: 100, reads: [], writes: [path] };
  const program = { command: "espeak-ng", words: [...words, "-w", path, "--stdin"], input: text, bounds };
  const { code } = await runProgram(program, AbortSignal.timeout(LIMIT_MS));
  return code === 0; // it may not be installed
}
