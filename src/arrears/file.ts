// A file of arrears: lines are added at its end and are on disk when that is kept; it goes when all of it is written
// elsewhere. It survives kills and power cuts: a torn last line was acknowledged to nobody, and is cut off.

import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../durable-file.ts";
import { type BatchId, type Line, parseLine, printLine } from "./line.ts";

/** `endsAt` is behind lines that are damaged, too: those are passed over. */
export type Read = { lines: Line[]; endsAt: number };

export type FileState = {
  /** Where its last whole line ends; 0: there is no file. */
  bytes: number;
  /** Not passed yet. */
  entries: number;
  oldestMs: number | undefined;
  /** Lines that are not what was written: the file is put aside in the end, not removed. */
  damaged: number;
};

const MODE = 0o600;
const BLOCK_BYTES = 256 * 1024;
const LINE_BREAK = 0x0a;
const EMPTY: FileState = { bytes: 0, entries: 0, oldestMs: undefined, damaged: 0 };

export class ArrearsFile {
  readonly #path: string;
  #handle: FileHandle | undefined;
  #state: FileState;
  /** Up to here everything was passed. */
  #head = 0;
  /** One thing after the other: an end that is cut off must not be one that is being written. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(path: string, handle: FileHandle | undefined, state: FileState) {
    this.#path = path;
    this.#handle = handle;
    this.#state = state;
  }

  static async open(path: string): Promise<ArrearsFile> {
    const handle = await open(path, "r+").catch(isMissing);
    return new ArrearsFile(path, handle, handle ? await wholeLinesOf(handle) : EMPTY);
  }

  get state(): FileState {
    return this.#state;
  }

  /** Kept when the line is on disk; broken: it is not, and the file is as it was. */
  append(line: Line): Promise<void> {
    return this.#inTurn(() => this.#append(line));
  }

  /** The oldest lines that were not passed yet, at least one where there is one. */
  read(mostBytes: number): Promise<Read> {
    return this.#inTurn(async () => {
      const found: Read = { lines: [], endsAt: this.#head };
      for await (const { line, endsAt } of this.#left()) {
        if (found.lines.length > 0 && endsAt - this.#head > mostBytes) break;
        if (line) found.lines.push(line);
        found.endsAt = endsAt;
      }
      this.#state = { ...this.#state, oldestMs: found.lines[0]?.atMs ?? this.#state.oldestMs };
      return found;
    });
  }

  /** What was read is written. */
  pass({ lines, endsAt }: Read): void {
    this.#passTo(
      endsAt,
      lines.reduce((sum, { entries }) => sum + entries.length, 0),
    );
  }

  /** If that batch is in it, then it and all before it are written. */
  passThrough({ life, batch }: BatchId): Promise<void> {
    return this.#inTurn(async () => {
      let entries = 0;
      for await (const { line, endsAt } of this.#left()) {
        entries += line?.entries.length ?? 0;
        if (line?.life === life && line.batch === batch) return this.#passTo(endsAt, entries);
      }
    });
  }

  /** Removes the file if all of it was passed. False: something is left, or came meanwhile. */
  finish(): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#head < this.#state.bytes) return false;
      await this.#letGo();
      if (this.#state.damaged > 0) await rename(this.#path, await freeName(`${this.#path}.damaged`));
      else await rm(this.#path, { force: true });
      await syncFolder(dirname(this.#path)); // it must not come back with the next power cut
      this.#state = EMPTY;
      this.#head = 0;
      return true;
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#letGo());
  }

  async #append(line: Line): Promise<void> {
    const { bytes: start, entries, oldestMs = line.atMs } = this.#state;
    const bytes = printLine(line);
    this.#handle ??= await openToWrite(this.#path, start);
    try {
      for (let done = 0; done < bytes.length; )
        done += (await this.#handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
      await this.#handle.datasync();
    } catch (error) {
      // After a sync that failed nobody knows what is on disk: the next try writes it anew, through a new handle.
      await this.#handle.truncate(start).catch(() => undefined);
      await this.#letGo().catch(() => undefined);
      throw error;
    }
    this.#state = {
      ...this.#state,
      bytes: start + bytes.length,
      entries: entries + line.entries.length,
      oldestMs,
    };
  }

  async *#left(): AsyncGenerator<{ line: Line | undefined; endsAt: number }> {
    if (this.#head >= this.#state.bytes) return;
    this.#handle ??= await open(this.#path, "r+");
    for await (const { bytes, endsAt } of linesOf(this.#handle, this.#head, this.#state.bytes))
      yield { line: parseLine(bytes), endsAt };
  }

  #passTo(endsAt: number, passed: number): void {
    const { bytes, entries, oldestMs } = this.#state;
    this.#head = endsAt;
    this.#state = { ...this.#state, entries: entries - passed, oldestMs: endsAt < bytes ? oldestMs : undefined };
  }

  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#before.then(act);
    this.#before = done.catch(() => undefined); // told to whoever asked
    return done;
  }

  async #letGo(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

/** Of several that were put aside none takes the place of another. */
async function freeName(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = `${path}-${number}`;
    if (!(await stat(name).catch(isMissing))) return name;
  }
}

function isMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function openToWrite(path: string, bytes: number): Promise<FileHandle> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, bytes === 0 ? "w+" : "r+", MODE);
  try {
    await handle.truncate(bytes);
    if (bytes > 0) return handle;
    await syncFolder(dirname(path));
    if (made !== undefined) await syncFolder(dirname(dirname(path)));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** What a crash tore off at the end is cut off. */
async function wholeLinesOf(handle: FileHandle): Promise<FileState> {
  const state = await stateOf(handle);
  await handle.truncate(state.bytes);
  await handle.sync();
  return state;
}

/** Of a file that somebody else may be writing. */
export async function lookAtFile(path: string): Promise<FileState> {
  const handle = await open(path, "r").catch(isMissing);
  try {
    return handle ? await stateOf(handle) : EMPTY;
  } finally {
    await handle?.close();
  }
}

async function stateOf(handle: FileHandle): Promise<FileState> {
  const { size } = await handle.stat();
  const state = { ...EMPTY };
  for await (const { bytes, endsAt } of linesOf(handle, 0, size)) {
    const line = parseLine(bytes);
    state.bytes = endsAt;
    if (line) state.entries += line.entries.length;
    else state.damaged += 1;
    state.oldestMs ??= line?.atMs;
  }
  return state;
}

/** Whole lines between two places; what is behind the last line break is none. */
async function* linesOf(
  handle: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<{ bytes: Buffer; endsAt: number }> {
  const block = Buffer.alloc(Math.min(BLOCK_BYTES, to - from));
  let begun: Buffer[] = [];
  let at = from;
  while (at < to) {
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, to - at), at);
    if (bytesRead === 0) return;
    let start = 0;
    for (let end = endIn(start); end >= 0; end = endIn(start)) {
      yield { bytes: Buffer.concat([...begun, block.subarray(start, end)]), endsAt: at + end + 1 };
      begun = [];
      start = end + 1;
    }
    begun.push(Buffer.from(block.subarray(start, bytesRead)));
    at += bytesRead;

    function endIn(start: number): number {
      const end = block.indexOf(LINE_BREAK, start);
      return end < bytesRead ? end : -1;
    }
  }
}
