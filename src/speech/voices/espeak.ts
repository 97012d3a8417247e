// espeak-ng as a program of its own: robotic, but it speaks every language of ours on any machine.

import type { RunProgram } from "../../programs/program.ts";
import { spoken } from "../language.ts";
import type { Voice } from "../tts.ts";

const WORDS_A_MINUTE = 150;
const LIMIT_MS = 10_000;

export function espeakVoice(runProgram: RunProgram): Voice {
  return {
    name: "espeak-ng",
    speak: ({ text, language, speed, path }) =>
      run(
        runProgram,
        [
          "-v",
          spoken[language].espeak,
          "-s",
          String(Math.round(WORDS_A_MINUTE * speed)),
          "-b",
          "1",
          "-w",
          path,
          "--stdin",
        ],
        text,
      ),
  };
}

/** The text goes in by standard input: it is never part of a command line. */
async function run(runProgram: RunProgram, words: string[], input: string): Promise<boolean> {
  const { code } = await runProgram({ command: "espeak-ng", words, input }, AbortSignal.timeout(LIMIT_MS));
  return code === 0; // it may not be installed
}
