import { once } from "node:events";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { tableFormats, upTo } from "./table-file.ts";

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
    await once(stream, "readable");
    stream.destroy();
    await once(stream, "close");
    expect(isOver).toBe(true);
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
