// Programs of somebody else's, run beside a server: a thread starts them, so that no call waits meanwhile. It is started
// with the first one, and ended when there has been none for a while.

import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { Cancel, Clock } from "../clock.ts";
import type { Confinement } from "./confine.ts";
import { foundBy, notRun, type Probed, type Program, type ProgramEnd, probeOf, type RunProgram } from "./program.ts";
import type { FromPrograms, ToPrograms } from "./program-thread.ts";

export type Programs = {
  run: RunProgram;
  /** What holds programs that open strangers' files, and why it is no more. Asked of the kernel once, when it is wanted. */
  confinement(): Promise<Probed>;
  close(): Promise<void>;
};

const IDLE_MS = 120_000;

type Order = {
  /** The thread that has it. */
  by: Worker;
  post(message: ToPrograms): void;
  kill(): void;
  settle(end: ProgramEnd): void;
  ended: Promise<ProgramEnd>;
};

export type ProgramsOptions = {
  clock: Clock;
  log?: { info(details: object, message: string): void };
  /** The built `programs.js`. */
  workerPath: string;
  /** Where files of strangers lie. */
  folder: string;
};

export function openPrograms({ folder, log, ...options }: ProgramsOptions): Programs {
  const { run, close } = openThread(options);
  let probed: Promise<Probed> | undefined;
  const probe = async () => {
    const found = foundBy(await run(probeOf(folder), "walled"));
    log?.info(found, "programs that open strangers' files are held so");
    return found;
  };
  const confinement = () => {
    probed ??= probe();
    return probed;
  };
  return {
    run: async (program, signal) =>
      run(program, program.bounds ? (await confinement()).confinement : "limited", signal),
    confinement,
    close,
  };
}

function openThread({ clock, workerPath }: Omit<ProgramsOptions, "folder" | "log">) {
  const waiting = new Map<number, Order>();
  let thread: Worker | undefined;
  let cancelIdle: Cancel = () => undefined;
  let lastOrder = 0;
  let isClosed = false;

  return {
    async run(program: Program, confinement: Confinement, signal?: AbortSignal): Promise<ProgramEnd> {
      if (isClosed) return notRun("the server stops");
      const number = ++lastOrder;
      cancelIdle();
      try {
        thread ??= start();
      } catch (error) {
        return notRun(error);
      }
      const order = take(number, thread);
      order.post({ is: "run", order: number, program, confinement });
      if (signal?.aborted) order.kill();
      signal?.addEventListener("abort", order.kill);
      const end = await order.ended;
      signal?.removeEventListener("abort", order.kill);
      restInTime();
      return end;
    },
    async close() {
      isClosed = true;
      const left = [...waiting.values()];
      for (const { kill } of left) kill();
      await Promise.all(left.map(({ ended }) => ended));
      cancelIdle();
      await rest();
    },
  };

  function take(number: number, by: Worker): Order {
    let settle: Order["settle"] = () => undefined;
    const ended = new Promise<ProgramEnd>((resolve) => {
      settle = resolve;
    });
    const post = (message: ToPrograms) => by.postMessage(message);
    const order = { by, post, kill: () => post({ is: "kill", order: number }), settle, ended };
    waiting.set(number, order);
    return order;
  }

  function restInTime(): void {
    cancelIdle(); // several may end at once
    cancelIdle = clock.after(IDLE_MS, () => {
      if (waiting.size === 0) void rest();
    });
  }

  async function rest(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  function start(): Worker {
    const begun = new Worker(resolve(workerPath));
    let why: unknown = "the thread that starts programs ended";
    begun.on("message", ({ order, end }: FromPrograms) => {
      waiting.get(order)?.settle(end);
      waiting.delete(order);
    });
    begun.on("error", (error) => {
      why = error;
    });
    begun.on("exit", () => {
      if (thread === begun) thread = undefined;
      for (const [number, { by, settle }] of waiting) {
        if (by !== begun) continue;
        waiting.delete(number);
        settle(notRun(why));
      }
    });
    return begun;
  }
}
