// espeak-ng as a program of its own: robotic, but it speaks every language of ours on any machine.

import { spawn } from "node:child_process";
import { spoken } from "../language.ts";
import type { Voice } from "../tts.ts";

const WORDS_A_MINUTE = 150;
const LIMIT_MS = 10_000;

export function espeakVoice(): Voice {
  return {
    name: "espeak-ng",
    speak: ({ text, language, speed, path }) =>
      run(
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
function run(words: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const program = spawn("espeak-ng", words, { stdio: ["pipe", "ignore", "ignore"], timeout: LIMIT_MS });
    program.once("error", () => resolve(false)); // not installed
    program.once("exit", (code) => resolve(code === 0));
    program.stdin.on("error", () => undefined); // it ended before it had read everything; its exit says how
    program.stdin.end(text);
  });
}
