// This same bench again as another process, on a core of its own.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Report } from "./registrar-server.ts";

export function startPinned(core: string, args: string[]) {
  const serves = args[0] === "serve";
  const node = [...process.execArgv, process.argv[1]!, ...args];
  const child = spawn("taskset", ["-c", core, process.execPath, ...node], {
    stdio: serves ? ["pipe", "pipe", "inherit"] : "inherit",
  });
  const lines = child.stdout && createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = async () => String((await lines?.next())?.value);
  return {
    ended,
    line,
    async report(): Promise<Report> {
      child.stdin?.write("report\n");
      return JSON.parse(await line()) as Report;
    },
    stop(): Promise<void> {
      child.stdin?.end();
      return ended;
    },
  };
}
