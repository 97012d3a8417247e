// The ledger: what the streams of this process are, page by page, in a file that the next process reads when this one was
// killed. It is written by the main thread and never waited for: a slow disk delays no voice. It holds keys of calls, so
// nobody else may read it, and a stream that ends is wiped out of it.

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { StreamId } from "../engine.ts";
import { machineStart } from "./boot-clock.ts";
import { COUNTERS } from "./kept-stream.ts";
import { LEDGER_VERSION, PAGE_BYTES, type PrintedFacts, printFacts, printHead, writePage } from "./ledger-page.ts";

/** What a media thread tells: facts that are new, and counters of these and others, a row each. */
export type KeptNews = { facts: [StreamId, string][]; counted: StreamId[]; counters: Float64Array<ArrayBuffer> };

type Entry = { page: number; facts: PrintedFacts; counters: Float64Array };

export type LedgerOptions = {
  folder: string;
  log: { warn(details: object, message: string): void };
};

export const LEDGER_NAME = /^[0-9a-f-]{36}\.ledger$/;
/** Pages written in one go. */
const MOST_AT_ONCE = 128;
/** Pages between two that are written along with them: that costs less than another write. */
const NEAR = 16;
/** A disk that refuses is asked again after a while. */
const AGAIN_MS = 10_000;

export class Ledger {
  readonly #options: LedgerOptions;
  readonly #path: string;
  readonly #entries = new Map<StreamId, Entry>();
  readonly #owners: (Entry | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #dirty = new Set<number>();
  readonly #pages = Buffer.alloc(MOST_AT_ONCE * PAGE_BYTES);
  #file: FileHandle | undefined;
  #writing: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#path = join(options.folder, `${randomUUID()}.ledger`);
  }

  /** Of streams that are carried: one that was closed meanwhile is not entered again. */
  take({ facts, counted, counters }: KeptNews, isCarried: (stream: StreamId) => boolean): void {
    for (const [stream, text] of facts) if (isCarried(stream)) this.#enter(stream, text);
    for (const [i, stream] of counted.entries()) {
      const entry = this.#entries.get(stream);
      if (!entry) continue;
      entry.counters = counters.subarray(i * COUNTERS, (i + 1) * COUNTERS);
      this.#dirty.add(entry.page);
    }
    this.#write();
  }

  forget(stream: StreamId): void {
    const entry = this.#entries.get(stream);
    if (!entry) return;
    this.#entries.delete(stream);
    this.#owners[entry.page] = undefined;
    this.#free.push(entry.page);
    this.#dirty.add(entry.page);
    this.#write();
  }

  /** All that was taken until now is in the file, unless the disk refuses. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** `keep`: all that was taken is in the file, and the next process reads it. */
  async close({ keep }: { keep: boolean }): Promise<void> {
    clearTimeout(this.#again);
    this.#again = undefined;
    if (keep) this.#write();
    else this.#dirty.clear();
    await this.written();
    this.#isClosed = true;
    clearTimeout(this.#again);
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
    if (!keep) remove(this.#path);
  }

  #enter(stream: StreamId, text: string): void {
    const facts = printFacts(text);
    if (!facts) {
      this.#options.log.warn({ stream, octets: text.length }, "a stream is too much for the ledger");
      return this.forget(stream);
    }
    const known = this.#entries.get(stream);
    const page = known?.page ?? this.#free.pop() ?? this.#owners.length;
    const entry = { page, facts, counters: known?.counters ?? new Float64Array(COUNTERS) };
    this.#entries.set(stream, entry);
    this.#owners[page] = entry;
    this.#dirty.add(page);
  }

  #write(): void {
    if (this.#writing || this.#again || this.#isClosed || this.#dirty.size === 0) return;
    this.#writing = this.#writeAll()
      .catch((error: NodeJS.ErrnoException) => this.#giveUp(error.code ?? error.message))
      .finally(() => {
        this.#writing = undefined;
        this.#write();
      });
  }

  async #writeAll(): Promise<void> {
    this.#file ??= await openAnew(this.#options.folder, this.#path);
    while (this.#dirty.size > 0) {
      const pages = [...this.#dirty].sort((one, other) => one - other);
      for (const run of runsOf(pages)) await this.#writeRun(this.#file, run);
    }
  }

  async #writeRun(file: FileHandle, { first, count }: Run): Promise<void> {
    for (let i = 0; i < count; i++) {
      const page = this.#pages.subarray(i * PAGE_BYTES, (i + 1) * PAGE_BYTES);
      const owner = this.#owners[first + i];
      this.#dirty.delete(first + i);
      if (owner) writePage(page, owner.facts, owner.counters);
      else page.fill(0);
    }
    const length = count * PAGE_BYTES;
    const { bytesWritten } = await file.write(this.#pages, 0, length, (first + 1) * PAGE_BYTES);
    if (bytesWritten < length) throw new Error("a page was not written to its end");
  }

  /** What is old must not be believed: without a file nobody goes on with anything. */
  async #giveUp(code: string): Promise<void> {
    this.#options.log.warn(
      { code, path: this.#path },
      "the ledger of streams cannot be written: calls would not outlive this process",
    );
    await this.#file?.close().catch(() => undefined);
    this.#file = undefined;
    remove(this.#path);
    for (const { page } of this.#entries.values()) this.#dirty.add(page);
    if (this.#isClosed) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.#write();
    }, AGAIN_MS);
    this.#again.unref();
  }
}

/** On a disk that takes nothing more it may stay: what is too old in it is not believed. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk was told of already.
  }
}

async function openAnew(folder: string, path: string): Promise<FileHandle> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = await open(path, "w", 0o600);
  await file.write(printHead({ version: LEDGER_VERSION, machine: machineStart() }), 0, PAGE_BYTES, 0);
  return file;
}

type Run = { first: number; count: number };

/** Pages that lie side by side, or nearly so. */
function runsOf(pages: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const page of pages) {
    const last = runs.at(-1);
    const count = last ? page - last.first + 1 : 0;
    if (last && count <= last.count + NEAR && count <= MOST_AT_ONCE) last.count = count;
    else runs.push({ first: page, count: 1 });
  }
  return runs;
}
