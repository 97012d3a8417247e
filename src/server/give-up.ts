// How a command ends when it cannot go on: one sentence for the operator and an exit code, no stack.

import { exitCodes } from "../exit-codes.ts";

/** Thrown by main and the command line, caught once at the end of the command line. */
export class GivingUp extends Error {
  readonly exitCode: number;

  constructor(sentence: string, exitCode: number) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

export function giveUp(sentence: string, why: keyof typeof exitCodes = "failed"): never {
  throw new GivingUp(sentence, exitCodes[why]);
}
