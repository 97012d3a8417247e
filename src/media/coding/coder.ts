// The line to the threads that code recordings: started when there is something to code, ended when there has been nothing
// for a while. Files go in batches; what waits is as much as callers have given, who keep their lists elsewhere.

import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import type { Cancel, Clock } from "../../clock.ts";
import type { Coded, FromCoder, ToCoder } from "./coder-thread.ts";

export type RecordingFiles = { input: string; output: string };

/** What no library of ours can code is somebody else's. */
export type CodedRecording = { durationMs: number } | { leftToOthers: string };

export type Coder = {
  /** Throws when it failed and may be tried again. */
  code(files: RecordingFiles): Promise<CodedRecording>;
  close(): Promise<void>;
};

export type CoderOptions = {
  clock: Clock;
  log: { warn(details: object, message: string): void };
  /** The built `recording-coder.js`. */
  workerPath: string;
  /** At the same time, when there is much to do. */
  threads: number;
};

const MOST_AT_ONCE = 64;
/** More than that waits, and another thread is worth its memory. */
const MUCH = 2 * MOST_AT_ONCE;
const IDLE_MS = 120_000;

type Order = { files: RecordingFiles; done(coded: CodedRecording): void; failed(error: Error): void };

export function openCoder(options: CoderOptions): Coder {
  const { clock, log } = options;
  const waiting: Order[] = [];
  const threads = new Set<CoderThread>();
  let ended: Promise<unknown> = Promise.resolve();
  let canCode = true;
  let isClosed = false;
  let isAsked = false;
  let cancelIdle: Cancel = () => undefined;

  return {
    code(files) {
      if (!canCode) return Promise.resolve({ leftToOthers: NO_LIBRARY });
      if (isClosed) return Promise.reject(new Error("the coder is closed"));
      return new Promise((done, failed) => {
        waiting.push({ files, done, failed });
        // All that is ordered in one go makes one batch.
        if (!isAsked) setImmediate(handOut);
        isAsked = true;
      });
    },
    async close() {
      isClosed = true;
      cancelIdle();
      for (const { failed } of waiting.splice(0)) failed(new Error("the coder is closed"));
      endAll();
      await ended;
    },
  };

  function handOut(): void {
    isAsked = false;
    if (isClosed) return;
    cancelIdle();
    for (const thread of threads) thread.take(waiting);
    const isMuch = waiting.length > (threads.size === 0 ? 0 : MUCH);
    if (isMuch && threads.size < options.threads) begin();
    if ([...threads].every((thread) => thread.isIdle())) cancelIdle = clock.after(IDLE_MS, endAll);
  }

  function begin(): void {
    try {
      threads.add(start());
    } catch (error) {
      missed(
        error instanceof Error ? error.message : String(error),
        "a thread that codes recordings cannot be started",
      );
    }
  }

  function start(): CoderThread {
    const thread = new CoderThread(options.workerPath, {
      free: handOut,
      cannot() {
        canCode = false;
        for (const { done } of waiting.splice(0)) done({ leftToOthers: NO_LIBRARY });
      },
      gone(why) {
        threads.delete(thread);
        if (why !== undefined) missed(why, "a thread that codes recordings died");
      },
    });
    return thread;
  }

  function missed(why: string, what: string): void {
    log.warn({ why }, what);
    // Nobody would come for those that wait, and one that dies at once would only die again.
    if (threads.size === 0) for (const { failed } of waiting.splice(0)) failed(new Error(why));
  }

  function endAll(): void {
    ended = Promise.all([ended, ...[...threads].map((thread) => thread.end())]);
    threads.clear(); // what is ordered from now on is another's
  }
}

const NO_LIBRARY = "libmp3lame is not installed";

type Told = { free(): void; cannot(): void; gone(why: string | undefined): void };

class CoderThread {
  readonly #worker: Worker;
  readonly #told: Told;
  #inHand: Order[] = [];
  #isReady = false;
  #isEnding = false;

  constructor(workerPath: string, told: Told) {
    this.#told = told;
    this.#worker = new Worker(resolve(workerPath));
    let why = "it ended";
    this.#worker.on("message", (message: FromCoder) => this.#hear(message));
    this.#worker.on("error", (error) => {
      why = error instanceof Error ? error.message : String(error);
    });
    this.#worker.on("exit", () => {
      for (const { failed } of this.#inHand.splice(0)) failed(new Error(why));
      told.gone(this.#isEnding ? undefined : why);
    });
  }

  isIdle(): boolean {
    return this.#isReady && this.#inHand.length === 0;
  }

  /** As many as make a batch, unless it is at work. */
  take(waiting: Order[]): void {
    if (!this.isIdle() || this.#isEnding || waiting.length === 0) return;
    this.#inHand = waiting.splice(0, MOST_AT_ONCE);
    const message: ToCoder = { files: this.#inHand.map(({ files }) => files) };
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  #hear(message: FromCoder): void {
    if (message.is === "done") this.#settle(message.results);
    else if (!message.canCode) {
      this.#told.cannot();
      return void this.end();
    } else this.#isReady = true;
    if (this.#inHand.length === 0) this.#told.free();
  }

  #settle(results: Coded[]): void {
    for (const coded of results) {
      const order = this.#inHand.shift();
      if (coded.is === "coded") order?.done({ durationMs: coded.durationMs });
      else if (coded.is === "not-ours") order?.done({ leftToOthers: coded.why });
      else order?.failed(new Error(coded.why));
    }
  }
}
