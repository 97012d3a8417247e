// What has just become of calls, in files of our own until the database has it: a process that is killed between the two
// has not forgotten who talks. Never synced, since it has to survive `kill -9`, and no power cut.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stamped, textIn } from "../../arrears/line.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";

export type Notebook = {
  /** JSON, kept until what is returned is called: then the database has it. */
  note(text: string): () => void;
  close(): Promise<void>;
};

/** One that is this long is left for the other as soon as nothing that stands there is needed any more. */
const PAGE_BYTES = 256 * 1024;
const PAGES = ["1.notes", "2.notes"] as const;
const LINE_BREAK = 0x0a;
/** In a rush a page that has just become free is written again at once. */
const WIPED_AFTER_MS = 1_000;

type Page = { file: number; bytes: number; needed: number };

/** What an earlier process noted, in its order: much of it may be in the database. What its end tore off is left out. */
export async function readNotes(folder: string): Promise<string[]> {
  const pages = await Promise.all(PAGES.map((name) => linesIn(join(folder, name))));
  const numbered = pages.flat().map((line) => {
    const end = line.indexOf(" ");
    return { number: Number(line.slice(0, end)), text: line.slice(end + 1) };
  });
  return numbered.sort((one, other) => one.number - other.number).map(({ text }) => text);
}

/**
 * What stood there is gone. A note is written before whoever makes it goes on: a few kilobytes into the memory that the
 * system keeps of the file cost less than another thread that is woken for it.
 */
export async function openNotebook({
  folder,
  clock,
  log,
}: {
  folder: string;
  clock: Clock;
  log: Log;
}): Promise<Notebook> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pages: Page[] = PAGES.map((name) => ({ file: openSync(join(folder, name), "w", 0o600), bytes: 0, needed: 0 }));
  let [now, other] = pages as [Page, Page]; // there are two
  let notes = 0;
  let isFailing = false;
  let wiping: (() => void) | undefined;

  return {
    note(text) {
      if (now.bytes > PAGE_BYTES && other.needed === 0) {
        [now, other] = [other, now];
        tryTo(() => wipe(now));
      }
      const page = now;
      notes += 1;
      tryTo(() => {
        page.bytes += writeSync(page.file, stamped(`${notes} ${text}`), 0, undefined, page.bytes);
      });
      page.needed += 1;
      return () => {
        page.needed -= 1;
        if (page.needed === 0) wiping ??= clock.after(WIPED_AFTER_MS, wipeUnneeded);
      };
    },
    async close() {
      wiping?.();
      wipeUnneeded();
      for (const { file } of pages) closeSync(file);
    },
  };

  function wipeUnneeded(): void {
    wiping = undefined;
    for (const page of pages) if (page.needed === 0 && page.bytes > 0) tryTo(() => wipe(page));
  }

  /** The database is where it belongs; a disk that takes nothing is told of, and stops nobody. */
  function tryTo(act: () => void): void {
    try {
      act();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: String(error) }, "what becomes of calls cannot be noted on disk");
      isFailing = true;
    }
  }
}

function wipe(page: Page): void {
  page.bytes = 0;
  ftruncateSync(page.file, 0);
}

async function linesIn(path: string): Promise<string[]> {
  const octets = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  });
  const lines: string[] = [];
  let start = 0;
  for (let end = octets.indexOf(LINE_BREAK); end >= 0; end = octets.indexOf(LINE_BREAK, start)) {
    lines.push(...[textIn(octets.subarray(start, end))].flatMap((text) => text ?? []));
    start = end + 1;
  }
  return lines;
}
