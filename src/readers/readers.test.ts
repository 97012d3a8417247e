import { resolve } from "node:path";
import { expect, test } from "vitest";
import { whenOver } from "../../test/ground/when-over.ts";
import { zip } from "../../test/ground/workbooks.ts";
import { realClock } from "../clock.ts";
import { openTableApart, readTable } from "../imports/table-apart.ts";
import { FileFailed } from "../imports/table-rows.ts";
import { openReaders, type ReaderLimits } from "./readers.ts";
import { ReadingFailed } from "./task.ts";

const log = { warn: () => undefined };
const workerPath = resolve("dist/file-reader.js");

function reading(limits: Partial<ReaderLimits> = {}) {
  const readers = openReaders({ clock: realClock, log, workerPath, limits });
  whenOver(() => readers.close());
  return readers;
}

const now = { share: "three", when: "now" } as const;

async function rowsIn(file: Buffer, readers = reading()): Promise<string[][]> {
  const { heading, portions } = await openTableApart(readers, file, now);
  const rows = [heading];
  for await (const portion of portions) rows.push(...portion.map(({ cells }) => cells));
  return rows;
}

const sheet = (xml: string) =>
  zip({ "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${xml}</sheetData></worksheet>` });

test("a table that is read in a thread has the rows it has here, and so has a second one", async () => {
  const readers = reading();
  expect(await rowsIn(Buffer.from("phone;name\n05320001122;Ayşe\n"), readers)).toEqual([
    ["phone", "name"],
    ["05320001122", "Ayşe"],
  ]);
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const book = sheet(`<row>${cell("phone")}</row><row>${cell("05320001122")}</row>`);
  expect(await rowsIn(book, readers)).toEqual([["phone"], ["05320001122"]]);
});

test("why a file cannot be read is the same, and the next one is read", async () => {
  const readers = reading();
  await expect(rowsIn(Buffer.from("\0\0\0\0"), readers)).rejects.toEqual(new FileFailed("unreadable"));
  await expect(rowsIn(Buffer.from(""), readers)).rejects.toEqual(new FileFailed("empty"));
});

test("what takes too long, or too much memory, is refused, and the next one is read", async () => {
  const long = sheet("<row><c/></row>".repeat(3_000_000));
  await expect(rowsIn(long, reading({ pieceMs: 50 }))).rejects.toEqual(new FileFailed("too-large"));
  const strings = `<sst>${"<si><t>abcdefgh</t></si>".repeat(1_900_000)}</sst>`;
  const large = zip({ "xl/worksheets/sheet1.xml": "<worksheet/>", "xl/sharedStrings.xml": strings });
  const readers = reading({ memoryMb: 32 });
  await expect(rowsIn(large, readers)).rejects.toEqual(new FileFailed("too-large"));
  expect(await rowsIn(Buffer.from("phone\n05320001122\n"), readers)).toHaveLength(2);
});

test("a file that unpacks to hundreds of times its size is refused early, stored or packed", async () => {
  const bomb = sheet("<row/>".repeat(12_000_000));
  expect(bomb.length).toBeLessThan(200_000);
  await expect(rowsIn(bomb)).rejects.toEqual(new FileFailed("too-large"));
});

test("who has many files to be read keeps nobody else waiting", async () => {
  const readers = reading({ threads: 2, each: 1 });
  const given = () => ({ bytes: new Uint8Array(Buffer.from("a,b\n1,2\n")) });
  const began: string[] = [];
  const open = async (share: string) => {
    const pieces = readers.read(readTable, given(), { share, when: "now" })[Symbol.asyncIterator]();
    await pieces.next();
    began.push(share);
    return pieces;
  };
  const first = await open("one");
  const second = open("one");
  await (await open("two")).return?.();
  expect(began).toEqual(["one", "two"]);
  await first.return?.();
  await (await second).return?.();
  expect(began).toEqual(["one", "two", "one"]);
});

test("who brings more than may wait is told so, in pieces and in bytes, and everybody else is read", async () => {
  const readers = reading();
  const open = (share: string, bytes = Buffer.from("a,b\n1,2\n")) => {
    const given = { bytes: new Uint8Array(bytes) };
    const how = { share, when: "now", transfer: [given.bytes.buffer] } as const;
    return readers.read(readTable, given, how)[Symbol.asyncIterator]();
  };
  const first = open("one");
  await first.next();
  const line = Array.from({ length: 110 }, () => open("one"));
  const brought = line.map((pieces) => pieces.next());
  const refused = brought.slice(32).map((it) => it.catch((error: unknown) => error));
  for (const error of await Promise.all(refused)) expect(error).toEqual(new ReadingFailed("no-turn"));

  const large = open("two");
  await large.next();
  const [waits, tooMuch] = [open("two", Buffer.alloc(30_000_000)), open("two", Buffer.alloc(30_000_000))];
  const waiting = waits.next().catch(() => undefined);
  await expect(tooMuch.next()).rejects.toEqual(new ReadingFailed("no-turn"));
  expect(await rowsIn(Buffer.from("phone\n1\n"), readers)).toHaveLength(2);

  await Promise.all([first.return?.(), large.return?.(), waiting]);
  for (const [at, pieces] of line.slice(0, 32).entries()) {
    await brought[at];
    await pieces.return?.();
  }
});
