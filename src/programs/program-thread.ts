// Entry of the thread that starts programs for the others.

import { parentPort } from "node:worker_threads";
import { type Program, type ProgramEnd, runProgram } from "./program.ts";

export type ToPrograms = { is: "run"; order: number; program: Program } | { is: "kill"; order: number };
export type FromPrograms = { order: number; end: ProgramEnd };

const main = parentPort;
if (!main) throw new Error("this file is started as a thread");
const running = new Map<number, AbortController>();

main.on("message", (message: ToPrograms) => {
  if (message.is === "kill") return running.get(message.order)?.abort();
  const { order, program } = message;
  const stop = new AbortController();
  running.set(order, stop);
  void runProgram(program, stop.signal).then((end) => {
    running.delete(order);
    main.postMessage({ order, end } satisfies FromPrograms);
  });
});
