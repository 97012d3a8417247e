// The disk side of recording, in a thread of its own: pieces arrive twice a second and are written at once,
// so that neither a slow disk delays a voice nor a crash loses more than the last piece.

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { MessagePort } from "node:worker_threads";
import { HEADER_BYTES, wavHeader } from "../wav.ts";

export type ToDisk =
  | { is: "begin"; recording: number; thread: number; path: string; rate: number; channels: number }
  | { is: "samples"; recording: number; samples: Int16Array }
  | { is: "end"; recording: number; ended: string; key?: string }
  /** That thread died: close what it left open. */
  | { is: "abandon"; thread: number }
  /** A media thread's own line to here. */
  | { is: "serve"; port: MessagePort };

export type FromDisk = { recording: number; durationMs: number; ended: string; key?: string };

type OpenFile = { fd: number; thread: number; rate: number; channels: number; dataBytes: number };

export class Disk {
  readonly #files = new Map<number, OpenFile>();
  readonly #tell: (message: FromDisk) => void;

  constructor(tell: (message: FromDisk) => void) {
    this.#tell = tell;
  }

  take(message: ToDisk): void {
    // The handler is chosen by the very field that its message is narrowed on.
    (this.#handlers[message.is] as (message: ToDisk) => void)(message);
  }

  readonly #handlers: { [Is in ToDisk["is"]]: (message: ToDisk & { is: Is }) => void } = {
    begin: ({ recording, thread, path, rate, channels }) => {
      try {
        const fd = openSync(path, "w", 0o600);
        this.#files.set(recording, { fd, thread, rate, channels, dataBytes: 0 });
        this.#append(recording, new Int16Array(0));
      } catch {
        this.#tell({ recording, durationMs: 0, ended: "unwritable" });
      }
    },
    samples: ({ recording, samples }) => this.#append(recording, samples),
    end: ({ recording, ended, key }) => this.#end(recording, ended, key),
    abandon: ({ thread }) => {
      for (const [recording, file] of this.#files) if (file.thread === thread) this.#end(recording, "stream-closed");
    },
    serve: ({ port }) => port.on("message", (message: ToDisk) => this.take(message)),
  };

  /** Sound first, header second: whenever the process dies, the header never promises more than is there. */
  #append(recording: number, samples: Int16Array): void {
    const file = this.#files.get(recording);
    if (!file) return;
    try {
      writeAll(
        file.fd,
        new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
        HEADER_BYTES + file.dataBytes,
      );
      file.dataBytes += samples.byteLength;
      writeAll(file.fd, wavHeader(file), 0);
    } catch {
      // A full disk ends this recording, not the thread that writes all the others.
      this.#end(recording, "unwritable");
    }
  }

  #end(recording: number, ended: string, key?: string): void {
    const file = this.#files.get(recording);
    if (!file) return;
    this.#files.delete(recording);
    try {
      fsyncSync(file.fd);
    } finally {
      closeSync(file.fd);
      const durationMs = Math.round((file.dataBytes / (2 * file.channels * file.rate)) * 1000);
      this.#tell({ recording, durationMs, ended, ...(key === undefined ? {} : { key }) });
    }
  }
}

function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
