// The main thread's line to the disk thread: which recordings are being written, and who waits for their end.

import { resolve } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { StreamId } from "../engine.ts";
import type { FromDisk, ToDisk } from "./disk.ts";

type Waiting = { sides: StreamId[]; resolve(end: FromDisk): void; ended: Promise<FromDisk> };

export class Recordings {
  readonly #workerPath: string;
  readonly #waiting = new Map<number, Waiting>();
  #disk: Worker;
  #lastRecording = 0;
  #isStopping = false;

  constructor(workerPath: string) {
    this.#workerPath = workerPath;
    this.#disk = this.#start();
  }

  begin(sides: StreamId[]): { recording: number; ended: Promise<FromDisk> } {
    const recording = ++this.#lastRecording;
    let resolve: (end: FromDisk) => void = () => {};
    const ended = new Promise<FromDisk>((found) => {
      resolve = found;
    });
    this.#waiting.set(recording, { sides, resolve, ended });
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
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#post({ is: "serve", port: port2 }, [port2]);
    return port1;
  }

  /** A media thread died: its files are closed as they are. */
  abandon(place: number): void {
    this.#post({ is: "abandon", thread: place }, []);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#waiting.values()].map((one) => one.ended));
    this.#isStopping = true;
    await this.#disk.terminate();
  }

  #start(): Worker {
    const disk = new Worker(resolve(this.#workerPath), { workerData: { role: "disk" } });
    disk.on("message", (end: FromDisk) => this.#end(end));
    disk.on("error", () => {});
    disk.on("exit", () => this.#isStopping || this.#endAll());
    return disk;
  }

  #end(end: FromDisk): void {
    const waiting = this.#waiting.get(end.recording);
    this.#waiting.delete(end.recording);
    waiting?.resolve(end);
  }

  /** Nothing can be recorded any more; what waits must not wait for ever. */
  #endAll(): void {
    for (const recording of [...this.#waiting.keys()]) this.#end({ recording, durationMs: 0, ended: "unwritable" });
  }

  #post(message: ToDisk, transfer: MessagePort[]): void {
    this.#disk.postMessage(message, transfer);
  }
}
