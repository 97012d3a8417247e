// The disk side of recording, in a thread of its own: pieces arrive twice a second and are written at once,
// so that neither a slow disk delays a voice nor a crash loses more than the last piece.

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { RecordingFault } from "../engine.ts";
import { HEADER_BYTES, wavHeader } from "../wav.ts";

export type ToDisk =
  | { is: "begin"; recording: number; thread: number; path: string; rate: number; channels: number; untilMs?: number }
  | { is: "samples"; recording: number; samples: Int16Array }
  | { is: "end"; recording: number; ended: string; key?: string }
  /** That thread died: close what it left open. Whoever waits for these is told that nothing more comes of them. */
  | { is: "abandon"; thread?: number; recordings: number[] }
  /** A media thread's own line to here. */
  | { is: "serve"; thread: number; port: MessagePort };

export type FromDisk =
  | ({ is: "ended"; recording: number } & RecordingEnd)
  /** All that was begun of them has been ended before this. */
  | { is: "abandoned"; recordings: number[] };

export type RecordingEnd = { durationMs: number; ended: string; key?: string; fault?: RecordingFault };

/** What is asked of the file system. */
export type DiskFiles = {
  openSync(path: string, flags: string, mode: number): number;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  /** How many octets there are. */
  sizeSync(fd: number): number;
  ftruncateSync(fd: number, length: number): void;
  fsyncSync(fd: number): void;
  closeSync(fd: number): void;
};

const realFiles: DiskFiles = {
  openSync,
  writeSync,
  ftruncateSync,
  fsyncSync,
  closeSync,
  sizeSync: (fd) => fstatSync(fd).size,
};

type OpenFile = { fd: number; path: string; thread: number; rate: number; channels: number; dataBytes: number };

/** Whatever fails with one file is that recording's fault and nobody else's: nothing here throws. */
export class Disk {
  readonly #files = new Map<number, OpenFile>();
  readonly #ports = new Map<number, MessagePort>();
  readonly #tell: (message: FromDisk) => void;
  readonly #disk: DiskFiles;

  constructor(tell: (message: FromDisk) => void, disk: DiskFiles = realFiles) {
    this.#tell = tell;
    this.#disk = disk;
  }

  take(message: ToDisk): void {
    // The handler is chosen by the very field that its message is narrowed on.
    (this.#handlers[message.is] as (message: ToDisk) => void)(message);
  }

  readonly #handlers: { [Is in ToDisk["is"]]: (message: ToDisk & { is: Is }) => void } = {
    begin: ({ recording, thread, path, rate, channels, untilMs }) => {
      try {
        const fd = this.#disk.openSync(path, untilMs === undefined ? "w" : "r+", 0o600);
        this.#files.set(recording, { fd, path, thread, rate, channels, dataBytes: 0 });
      } catch (error) {
        const fault = faultOf(path, "open", error);
        return this.#tell({ is: "ended", recording, durationMs: 0, ended: "unwritable", fault });
      }
      if (untilMs !== undefined) this.#goOn(recording, untilMs);
      this.#append(recording, new Int16Array(0));
    },
    samples: ({ recording, samples }) => this.#append(recording, samples),
    end: ({ recording, ended, key }) => this.#end(recording, { ended, ...(key === undefined ? {} : { key }) }),
    abandon: ({ thread, recordings }) => {
      if (thread !== undefined) this.#hearOut(thread);
      for (const [recording, file] of this.#files)
        if (file.thread === thread || recordings.includes(recording)) this.#end(recording, { ended: "stream-closed" });
      this.#tell({ is: "abandoned", recordings });
    },
    serve: ({ thread, port }) => {
      this.#ports.set(thread, port);
      port.on("message", (message: ToDisk) => this.take(message));
    },
  };

  /** An earlier process wrote its beginning: silence follows until so long after it began. */
  #goOn(recording: number, untilMs: number): void {
    const file = this.#files.get(recording)!; // it was opened a moment ago
    const frameBytes = 2 * file.channels;
    try {
      const there = Math.max(0, Math.floor((this.#disk.sizeSync(file.fd) - HEADER_BYTES) / frameBytes));
      const frames = Math.max(there, Math.round((untilMs * file.rate) / 1000));
      this.#disk.ftruncateSync(file.fd, HEADER_BYTES + frames * frameBytes);
      file.dataBytes = frames * frameBytes;
    } catch (error) {
      this.#end(recording, { ended: "unwritable", fault: faultOf(file.path, "write", error) });
    }
  }

  /** What it had sent before it died comes by another way than the word of its death, and may be later. */
  #hearOut(thread: number): void {
    const port = this.#ports.get(thread);
    if (!port) return;
    this.#ports.delete(thread);
    for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) this.take(last.message);
    port.close();
  }

  /** Sound first, header second: whenever the process dies, the header never promises more than is there. */
  #append(recording: number, samples: Int16Array): void {
    const file = this.#files.get(recording);
    if (!file) return;
    try {
      const sound = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      this.#write(file.fd, sound, HEADER_BYTES + file.dataBytes);
      this.#write(file.fd, wavHeader({ ...file, dataBytes: file.dataBytes + samples.byteLength }), 0);
      file.dataBytes += samples.byteLength;
    } catch (error) {
      // A full disk ends this recording, not the thread that writes all the others.
      this.#end(recording, { ended: "unwritable", fault: faultOf(file.path, "write", error) });
    }
  }

  #end(recording: number, end: Omit<RecordingEnd, "durationMs">): void {
    const file = this.#files.get(recording);
    if (!file) return;
    this.#files.delete(recording);
    const synced = attempt(file.path, "sync", () => this.#disk.fsyncSync(file.fd));
    const closed = attempt(file.path, "close", () => this.#disk.closeSync(file.fd));
    const fault = end.fault ?? synced ?? closed;
    const durationMs = Math.round((file.dataBytes / (2 * file.channels * file.rate)) * 1000);
    this.#tell({ is: "ended", recording, durationMs, ...end, ...(fault && { fault }) });
  }

  #write(fd: number, bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; )
      done += this.#disk.writeSync(fd, bytes, done, bytes.length - done, at + done);
  }
}

function attempt(path: string, step: RecordingFault["step"], act: () => void): RecordingFault | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return faultOf(path, step, error);
  }
}

function faultOf(path: string, step: RecordingFault["step"], error: unknown): RecordingFault {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return { path, step, code: String(code ?? message ?? error) };
}
