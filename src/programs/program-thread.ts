// Entry of the thread that starts programs for the others.

import { parentPort } from "node:worker_threads";
import type { Confinement } from "./confine.ts";
import { type Program, type ProgramEnd, runnerIn } from "./program.ts";

export type ToPrograms =
  | { is: "run"; order: number; program: Program; confinement: Confinement }
  | { is: "kill"; order: number };
export type FromPrograms = { order: number; end: ProgramEnd };

const main = parentPort;
if (!main) throw new Error("this file is started as a thread");
const running = new Map<number, AbortController>();

main.on("message", (message: ToPrograms) => {
  if (message.is === "kill") return running.get(message.order)?.abort();
  const { order, program, confinement } = message;
  const stop = new AbortController();
  running.set(order, stop);
  void runnerIn(confinement)(program, stop.signal).then((end) => {
    running.delete(order);
    main.postMessage({ order, end } satisfies FromPrograms);
  });
});
