// The main thread's line to the disk thread: which recordings are being written, and who waits for their end.
// It is started with the first recording. When it dies, what it was writing has failed, and another takes its place.

import { resolve } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { RecordingFault, StreamId } from "../engine.ts";
import type { FromDisk, RecordingEnd, ToDisk } from "./disk.ts";

export type RecordingsOptions = {
  workerPath: string;
  log: { warn(details: object, message: string): void };
  onFault: ((fault: RecordingFault) => void) | undefined;
  /** There is another disk thread: whoever has a port to the old one needs a new one. */
  onAnother(): void;
};

type Begun = { path: string; place: number };
type Waiting = Begun & { sides: StreamId[]; resolve(end: RecordingEnd): void; ended: Promise<RecordingEnd> };

/** A file that was told to end is complete by then, also on a disk that other things keep busy. */
const LATEST_END_MS = 30_000;
/** One that dies at once would only die again. */
const BETWEEN_STARTS_MS = 1_000;

export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #disk: Worker | undefined;
  /** What the thread is to know, until there is one: many servers never record. */
  #unsent: { message: ToDisk; transfer: MessagePort[] }[] | undefined = [];
  #restart: NodeJS.Timeout | undefined;
  #lastRecording = 0;
  #isStopping = false;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  begin(sides: StreamId[], begun: Begun): { recording: number; ended: Promise<RecordingEnd> } {
    this.#begin();
    const recording = ++this.#lastRecording;
    let resolve: (end: RecordingEnd) => void = () => {};
    const ended = new Promise<RecordingEnd>((found) => {
      resolve = found;
    });
    this.#waiting.set(recording, { ...begun, sides, resolve, ended });
    if (!this.#disk) this.#lose(recording, "no disk thread");
    return { recording, ended };
  }

  sidesOf(recording: number): StreamId[] {
    return this.#waiting.get(recording)?.sides ?? [];
  }

  note(recording: number, sides: StreamId[]): void {
    const waiting = this.#waiting.get(recording);
    if (waiting) waiting.sides = sides;
  }

  /** The same streams, one that is being recorded first: the first one stays in its thread. */
  first(streams: StreamId[]): StreamId[] {
    if (this.#waiting.size === 0) return streams;
    const recorded = [...this.#waiting.values()];
    const stays = streams.find((stream) => recorded.some(({ sides }) => sides.includes(stream)));
    return stays === undefined ? streams : [stays, ...streams.filter((stream) => stream !== stays)];
  }

  /** A port for a media thread; what it sends is written. */
  connect(place: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#post({ is: "serve", thread: place, port: port2 }, [port2]);
    return port1;
  }

  /** A media thread died: its files are closed as they are. */
  abandon(place: number): void {
    const recordings = [...this.#waiting].filter(([, begun]) => begun.place === place).map(([recording]) => recording);
    this.#post({ is: "abandon", thread: place, recordings }, []);
  }

  /** Its thread was dead before it could begin. */
  abandonOne(recording: number): void {
    this.#post({ is: "abandon", recordings: [recording] }, []);
  }

  /** It has been told to end: a thread that is stuck, or a disk, must not keep its call for ever. */
  awaitEnd(recording: number): void {
    const waiting = this.#waiting.get(recording);
    if (!waiting) return;
    const late = setTimeout(() => this.#lose(recording, "late"), LATEST_END_MS);
    void waiting.ended.then(() => clearTimeout(late));
  }

  async stop(): Promise<void> {
    for (const recording of this.#waiting.keys()) this.awaitEnd(recording);
    await Promise.all([...this.#waiting.values()].map((one) => one.ended));
    this.#isStopping = true;
    clearTimeout(this.#restart);
    await this.#disk?.terminate();
  }

  async kill(): Promise<void> {
    await this.#disk?.terminate();
  }

  #begin(): void {
    const unsent = this.#unsent;
    if (!unsent) return;
    this.#unsent = undefined;
    this.#disk = this.#start();
    for (const { message, transfer } of unsent) this.#post(message, transfer);
  }

  #start(): Worker {
    const disk = new Worker(resolve(this.#options.workerPath), { workerData: { role: "disk" } });
    const startedMs = performance.now();
    let why = "the disk thread ended";
    disk.on("message", (message: FromDisk) => {
      if (message.is === "ended") this.#end(message.recording, message);
      else for (const recording of message.recordings) this.#end(recording, NEVER_BEGUN);
    });
    disk.on("error", (error) => {
      why = error instanceof Error ? error.message : String(error);
    });
    disk.on("exit", () => {
      if (!this.#isStopping) this.#replace(why, performance.now() - startedMs);
    });
    return disk;
  }

  /** What it was writing ends now; what was written until then lies where it is. */
  #replace(why: string, livedMs: number): void {
    this.#disk = undefined;
    this.#options.log.warn({ why, recordings: this.#waiting.size }, "the disk thread died and is started again");
    for (const recording of [...this.#waiting.keys()]) this.#lose(recording, why);
    const again = () => {
      this.#disk = this.#start();
      this.#options.onAnother();
    };
    if (livedMs > BETWEEN_STARTS_MS) again();
    else this.#restart = setTimeout(again, BETWEEN_STARTS_MS);
  }

  #lose(recording: number, code: string): void {
    const path = this.#waiting.get(recording)?.path;
    if (path !== undefined)
      this.#end(recording, { durationMs: 0, ended: "unwritable", fault: { path, step: "thread", code } });
  }

  #end(recording: number, { durationMs, ended, key, fault }: RecordingEnd): void {
    const waiting = this.#waiting.get(recording);
    if (!waiting) return;
    this.#waiting.delete(recording);
    if (fault) this.#options.onFault?.(fault);
    waiting.resolve({ durationMs, ended, ...(key === undefined ? {} : { key }), ...(fault && { fault }) });
  }

  #post(message: ToDisk, transfer: MessagePort[]): void {
    if (this.#unsent) this.#unsent.push({ message, transfer });
    else this.#disk?.postMessage(message, transfer);
  }
}

const NEVER_BEGUN: RecordingEnd = { durationMs: 0, ended: "stream-closed" };
