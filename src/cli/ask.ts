// Asking before something is destroyed.

import { createInterface } from "node:readline/promises";
import { giveUp } from "../server/give-up.ts";
import type { Given } from "./command.ts";

export const YES: [string, string] = ["--yes", "do not ask"];

/** Goes on if the operator agrees. Where nobody can be asked, only `--yes` is an answer. */
export async function sureAbout(question: string, { options }: Given): Promise<void> {
  if (options.yes === true) return;
  if (!process.stdin.isTTY) giveUp(`${question} Say --yes to do it without being asked.`, "usage");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) giveUp("nothing was changed");
}
