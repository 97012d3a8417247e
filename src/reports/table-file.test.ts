import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import type { Language } from "../languages.ts";
import type { Cell } from "./cell.ts";
import { inOnePortion, upTo } from "./portions.ts";
import { tableFormats } from "./table-file.ts";

async function csv(rows: Cell[][], language?: Language): Promise<string> {
  let whole = "";
  for await (const piece of tableFormats.csv.write(inOnePortion(rows), language)) whole += piece;
  return whole;
}

const rows: Cell[][] = [
  ["start", "day", "missed", "average_wait_seconds"],
  [
    { wall: "2026-11-18 23:30:00" },
    { wall: "2026-11-19" },
    { plain: "true", said: (language) => ({ tr: "Evet", en: "Yes" })[language] },
    1.5,
  ],
];

test("programs get days, codes and numbers as they always did", async () => {
  expect(await csv(rows)).toBe(
    "\uFEFFstart,day,missed,average_wait_seconds\r\n2026-11-18 23:30:00,2026-11-19,true,1.5\r\n",
  );
});

test("people get them as the spreadsheets of their language take them", async () => {
  const line = async (language: Language) => (await csv(rows, language)).split("\r\n")[1];
  expect(await line("tr")).toBe("18.11.2026 23:30:00;19.11.2026;Evet;1,5");
  expect(await line("en")).toBe("2026-11-18 23:30:00,2026-11-19,Yes,1.5");
});

test("who stops a table stops the reading of its rows", async () => {
  let [read, isOver] = [0, false];
  async function* endless() {
    try {
      for (;;) yield [[String(read++)]];
    } finally {
      isOver = true;
    }
  }
  for (const { write } of Object.values(tableFormats)) {
    isOver = false;
    const stream = Readable.from(write(endless()));
    const before = read;
    for await (const _ of stream) if (read > before) break; // who leaves the loop destroys the stream
    await vi.waitFor(() => expect(isOver).toBe(true));
  }
});

test("a sheet has as many rows as spreadsheets take, and no more are read", async () => {
  let read = 0;
  async function* portions() {
    for (;;) {
      read += 1;
      yield [["a"], ["b"], ["c"]];
    }
  }
  const rows: unknown[] = [];
  for await (const some of upTo(7, portions())) rows.push(...some);
  expect([rows.length, read]).toEqual([7, 3]);
});
