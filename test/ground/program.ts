// A server that others wrote, started for one test or file and ended with it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "./eventually.ts";
import { keptLog } from "./kept-log.ts";
import { whenOver } from "./when-over.ts";

const MOST_SAID = 64_000;

export type Program = {
  /** The end of what it has said on standard error. */
  said(): string;
  /** Sooner than the file is over. */
  end(): Promise<void>;
};

/** Back once it is up; what it said is told when it does not start. */
export async function startProgram(
  command: string,
  words: readonly string[],
  isUp: (said: string) => boolean | Promise<boolean>,
): Promise<Program> {
  const child = spawn(command, words, { stdio: ["ignore", "ignore", "pipe"] });
  const keep = keptLog(`${command}-${child.pid}`);
  let log = "";
  child.stderr.on("data", (text: Buffer) => {
    keep(text);
    log = (log + text.toString()).slice(-MOST_SAID);
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  whenOver(end);
  await eventually(`${command} is up`, async () => {
    if (child.exitCode !== null) throw new Error(`${command} did not start: ${log}`);
    return isUp(log);
  });
  return { said: () => log, end };
}

export function answersAt(url: string): Promise<boolean> {
  return fetch(url, { redirect: "manual" }).then(
    () => true,
    () => false,
  );
}
