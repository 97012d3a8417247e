// Threads that read what strangers bring, each one thing and then gone: with a limit of time and of memory, a few at once,
// and one for each of those who wait, so that nothing anybody uploads runs where calls are answered.

import { Worker } from "node:worker_threads";
import { type Clock, since } from "../clock.ts";
import { type FairOptions, type FairTurns, type OpenTurns, uncounted } from "../fair-turns.ts";
import { type Readers, type Reading, ReadingFailed, type Task } from "./task.ts";
import type { FromReader, ToReader } from "./thread-side.ts";

export type ReaderLimits = {
  /** Of each kind, at the same time. */
  threads: number;
  /** Of one share. */
  each: number;
  /** Of one share, too: pieces and bytes that may wait. */
  waiting?: number;
  waitingBytes?: number;
  /** For one piece, and for all of them together, while nobody keeps the thread waiting. */
  pieceMs: number;
  allMs: number;
  memoryMb: number;
};

export type ReaderOptions = {
  clock: Clock;
  log: { warn(details: object, message: string): void };
  /** The built `file-reader.js`. */
  workerPath: string;
  limits?: Partial<ReaderLimits>;
  openTurns?: OpenTurns;
};

const usual: ReaderLimits = {
  threads: 3,
  each: 1,
  pieceMs: 10_000,
  allMs: 120_000,
  memoryMb: 512,
};

export function openReaders({ clock, log, workerPath, limits, openTurns = uncounted }: ReaderOptions): Readers {
  const bounds = { ...usual, ...limits };
  const line = boundsOfLine(bounds);
  const lines = { now: openTurns("uploads", line), later: openTurns("later uploads", line) };
  const threads = new Set<Worker>();
  let isClosed = false;
  return {
    async *read<Given, Piece>(task: Task<Given, Piece>, given: Given, how: Reading): AsyncGenerator<Piece> {
      const bytes = (how.transfer ?? []).reduce((sum, { byteLength }) => sum + byteLength, 0);
      const leave = await enter(lines[how.when], { whose: how.share, bytes });
      let thread: Worker | undefined;
      let leftMs = bounds.allMs;
      try {
        if (isClosed) throw new ReadingFailed("busy");
        thread = begin();
        let message: ToReader = { is: "begin", task: task.name, given };
        for (let transfer = [...(how.transfer ?? [])]; ; transfer = []) {
          const asked = clock.ticks();
          const said = await answerOf(thread, { message, transfer, ms: Math.min(bounds.pieceMs, leftMs) });
          leftMs -= since(clock, asked);
          if (said.is === "end") return;
          if (said.is === "failed") throw new Error(said.error);
          yield said.piece as Piece; // the task said so
          message = { is: "next" };
        }
      } finally {
        if (thread) threads.delete(thread);
        void thread?.terminate();
        leave();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };

  function begin(): Worker {
    const { memoryMb } = bounds;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
    const thread = new Worker(workerPath, { resourceLimits });
    threads.add(thread);
    return thread;
  }

  type Question = { message: ToReader; transfer: ArrayBuffer[]; ms: number };

  function answerOf(thread: Worker, { message, transfer, ms }: Question): Promise<FromReader> {
    return new Promise((settle, fail) => {
      const finish = (act: () => void) => {
        cancel();
        thread.off("message", hear).off("error", broken).off("exit", ended);
        act();
      };
      const give = (why: string) => {
        log.warn({ why }, "a file or a body took too much to be read, and is refused");
        finish(() => fail(new ReadingFailed("too-much")));
      };
      const cancel = clock.after(ms, () => give("time"));
      const hear = (said: FromReader) => finish(() => settle(said));
      const broken = (error: Error & { code?: string }) =>
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? give("memory") : finish(() => fail(error));
      const ended = () => finish(() => fail(new ReadingFailed("busy")));
      thread.on("message", hear).on("error", broken).on("exit", ended);
      thread.postMessage(message, transfer);
    });
  }
}

function boundsOfLine({ threads, each, waiting, waitingBytes }: ReaderLimits): FairOptions {
  return {
    atOnce: threads,
    ofOne: each,
    ...(waiting === undefined ? {} : { waitingOfOne: waiting }),
    ...(waitingBytes === undefined ? {} : { bytesOfOne: waitingBytes }),
  };
}

/** How to leave, once it is this one's turn. */
function enter(line: FairTurns, piece: { whose: string; bytes: number }): Promise<() => void> {
  return new Promise((settle, fail) => {
    const end = line.take(piece, () => new Promise<void>((leave) => settle(leave)));
    void end.then((said) => said && fail(new ReadingFailed("no-turn")));
  });
}
