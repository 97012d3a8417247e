// What has just become of calls, in files of our own until the database has it: a process that is killed between the two
// has not forgotten who talks. Never synced, since it has to survive `kill -9`, and no power cut.

import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseLine, printLine } from "../../arrears/line.ts";
import type { Log } from "../../log.ts";

export type Notebook = {
  /** Kept beside others in the order of their coming. Call what is returned as soon as the database has it. */
  note(key: string, entry: unknown): () => void;
  /** Kept when nothing is on its way to the disk any more. */
  close(): Promise<void>;
};

export type Note = [key: string, entry: unknown];

/** One that is this long is left for the other as soon as nothing that stands there is needed any more. */
const PAGE_BYTES = 256 * 1024;
const PAGES = ["1.notes", "2.notes"] as const;
const LINE_BREAK = 0x0a;

type Page = { file: FileHandle; bytes: number; coming: Buffer[]; needed: number; isWiped: boolean };

/** What an earlier process noted: much of it may be in the database, and what was torn off by its end is left out. */
export async function readNotes(folder: string): Promise<Note[]> {
  const lines = await Promise.all(PAGES.map((name) => linesIn(join(folder, name))));
  return lines
    .flat()
    .sort((one, other) => one.batch - other.batch)
    .flatMap(({ entries }) => entries);
}

/** What stood there is gone. */
export async function openNotebook(folder: string, log: Log): Promise<Notebook> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const opened = await Promise.all(PAGES.map((name) => open(join(folder, name), "w", 0o600)));
  const pages: Page[] = opened.map((file) => ({ file, bytes: 0, coming: [], needed: 0, isWiped: false }));
  let [now, other] = pages as [Page, Page]; // there are two
  let notes = 0;
  let writing: Promise<void> | undefined;
  let isFailing = false;
  const write = () => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (isAnyDue()) write();
    });
  };
  return {
    note(key, entry) {
      if (now.bytes > PAGE_BYTES && other.needed === 0) [now, other] = [other, now];
      const page = now;
      notes += 1;
      const line = printLine({ life: "", batch: notes, atMs: 0, entries: [[key, entry]] });
      page.coming.push(line);
      page.bytes += line.length;
      page.needed += 1;
      write();
      return () => {
        page.needed -= 1;
        if (page.needed === 0) wipe(page);
      };
    },
    async close() {
      while (writing) await writing;
      for (const { file } of pages) await file.close();
    },
  };

  function wipe(page: Page): void {
    Object.assign(page, { bytes: 0, coming: [], isWiped: true });
    write();
  }

  function isAnyDue(): boolean {
    return pages.some(({ coming, isWiped }) => isWiped || coming.length > 0);
  }

  async function writeAll(): Promise<void> {
    for (const page of pages)
      await writePage(page).then(
        () => {
          isFailing = false;
        },
        (error: unknown) => {
          if (!isFailing)
            log.warn({ error: String(error) }, "what becomes of calls cannot be noted before it is written");
          isFailing = true;
        },
      );
  }
}

async function writePage(page: Page): Promise<void> {
  const { file, coming, isWiped } = page;
  if (!isWiped && coming.length === 0) return;
  Object.assign(page, { coming: [], isWiped: false });
  const octets = Buffer.concat(coming);
  const from = page.bytes - octets.length;
  if (isWiped) await file.truncate(0);
  if (octets.length > 0) await file.write(octets, 0, octets.length, from);
}

async function linesIn(path: string) {
  const octets = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  });
  const lines: NonNullable<ReturnType<typeof parseLine>>[] = [];
  for (
    let start = 0, end = octets.indexOf(LINE_BREAK);
    end >= 0;
    start = end + 1, end = octets.indexOf(LINE_BREAK, start)
  ) {
    const line = parseLine(octets.subarray(start, end));
    if (line) lines.push(line);
  }
  return lines;
}
