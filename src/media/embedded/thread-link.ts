// The main thread's line to one media thread: commands out with a wake-up, answers and events in.

import { resolve as resolvePath } from "node:path";
import { type MessagePort, Worker } from "node:worker_threads";
import type { Libc } from "../../libc.ts";
import type { StreamEvent, StreamId } from "../engine.ts";
import type { AdvanceNews } from "./advance.ts";
import {
  type Answers,
  type Command,
  canWait,
  type FromThread,
  PATIENCE_MS,
  placesOf,
  type ThreadSettings,
} from "./commands.ts";
import type { KeptNews } from "./ledger.ts";

export const GONE = Symbol("the thread is gone");

const ONE = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);

export class ThreadLink {
  readonly place: number;
  /** Resolves once it serves, or with the reason why it never will. */
  readonly ready: Promise<string | undefined>;
  hasServed = false;
  /** Streams left behind whose ports it holds. */
  held: StreamId[] = [];
  /** Streams it carries. */
  load = 0;
  /** Those that stand ready in it, by the address they are bound to. */
  readonly ports: number[][];
  /** Whether its sockets are libc's; those of node:dgram end with it, and their handles are numbers of its own. */
  leavesSockets = false;
  /** By port, the sockets that it has open, 0 for none: they belong to the process and outlive it. */
  readonly sockets = new Int32Array(new SharedArrayBuffer(65_536 * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #libc: Libc | undefined;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #asked: Command[] = [];
  #wakeFd = -1;
  /** Its descriptors, for us to close: a thread that closed them itself would have their numbers closed twice, and the second
   *  time they may be somebody else's. */
  #leaves: readonly number[] = [];
  #isDue = false;
  #isDueLater = false;
  #lastNumber = 0;
  #isGone = false;

  constructor(made: {
    workerPath: string;
    settings: Omit<ThreadSettings, "sockets">;
    disk: MessagePort;
    libc: Libc | undefined;
    onEvent(event: StreamEvent): void;
    onKept(news: KeptNews): void;
    onAdvance(news: AdvanceNews): void;
    onGone(line: ThreadLink, why: string): void;
  }) {
    const { settings, disk } = made;
    this.place = settings.place;
    this.ports = placesOf(settings).map(() => []);
    this.#libc = made.libc;
    this.#worker = new Worker(resolvePath(made.workerPath), {
      workerData: { ...settings, sockets: this.sockets, disk },
      transferList: [disk],
    });
    let why = "the thread ended";
    this.ready = new Promise((resolve) => {
      this.#worker.on("message", (message: FromThread) => {
        if (message.is === "answers") this.#answerAll(message);
        else if (message.is === "event") made.onEvent(message.event);
        else if (message.is === "kept") made.onKept(message.news);
        else if (message.is === "advance") made.onAdvance(message.news);
        else if (message.is === "ports") this.ports[message.at]?.push(...message.ports);
        else {
          this.hasServed = true;
          this.held = message.held;
          this.#wakeFd = message.wakeFd;
          this.#leaves = message.leaves;
          this.leavesSockets = message.wakeFd >= 0;
          this.#wake();
          resolve(undefined);
        }
      });
      this.#worker.on("error", (error) => {
        why = error instanceof Error ? error.message : String(error);
      });
      this.#worker.on("exit", () => {
        resolve(why);
        this.#isGone = true;
        for (const ready of this.ports) ready.length = 0;
        this.#wakeFd = -1;
        for (const descriptor of this.#leaves) this.#libc?.close(descriptor);
        for (const number of [...this.#waiting.keys()]) this.#answer(number, GONE);
        made.onGone(this, why);
      });
    });
  }

  ask<Do extends Command["do"]>(command: Command & { do: Do }): Promise<Answers[Do] | typeof GONE> {
    if (this.#isGone) return Promise.resolve(GONE);
    const number = ++this.#lastNumber;
    this.#asked.push(command);
    if (canWait(command)) this.#sendLater();
    else this.#sendSoon();
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve as (value: unknown) => void); // the thread answers in kind
    });
  }

  /** It closes its streams and lets go of everything. */
  async stop({ handOver }: { handOver: boolean }): Promise<void> {
    const stopped = this.ask({ do: "stop", handOver });
    this.#send();
    await stopped;
    await this.#worker.terminate();
  }

  async kill(): Promise<void> {
    const ended = this.#worker.terminate();
    this.#wake();
    await ended;
  }

  #answerAll({ numbers, values }: { numbers: number[]; values: unknown[] }): void {
    for (const [i, number] of numbers.entries()) this.#answer(number, values[i]);
  }

  #answer(number: number, value: unknown): void {
    const resolve = this.#waiting.get(number);
    this.#waiting.delete(number);
    resolve?.(value);
  }

  /** Once for all that is asked in this turn: under load that is the commands of many calls for one switch of threads. */
  #sendSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  /** With the next command that cannot wait, or alone when none comes. */
  #sendLater(): void {
    if (this.#isDueLater) return;
    this.#isDueLater = true;
    setTimeout(() => {
      this.#isDueLater = false;
      this.#send();
    }, PATIENCE_MS);
  }

  #send(): void {
    if (this.#asked.length === 0) return;
    const ports = this.#asked.flatMap((command) => (command.do === "writeTo" ? [command.port] : []));
    this.#worker.postMessage(this.#asked, ports);
    this.#asked = [];
    this.#wake();
  }

  /** Its loop sleeps in the kernel: a word on this descriptor makes it look at its messages. */
  #wake(): void {
    if (this.#wakeFd >= 0) this.#libc?.write(this.#wakeFd, ONE, 8);
  }
}
