import { expect, test } from "vitest";
import { rowsOf } from "../../test/ground/workbooks.ts";
import { writeWorkbook } from "./workbook.ts";

test("a workbook holds what was put into it: numbers, texts of any signs, gaps, and nothing that XML cannot hold", async () => {
  async function* portions() {
    yield [
      ["numara", "ad", "süre"],
      ["0532", 'Ayşe <"Ay" & Co>', 12],
    ];
    yield [["=1+1", "", -3]];
    yield [["a\u0000\u0007b", "😀", 0]];
  }
  const pieces: Buffer[] = [];
  for await (const piece of writeWorkbook(portions())) pieces.push(piece);
  expect(await rowsOf(Buffer.concat(pieces))).toEqual([
    ["numara", "ad", "süre"],
    ["0532", 'Ayşe <"Ay" & Co>', "12"],
    ["=1+1", "", "-3"],
    ["ab", "😀", "0"],
  ]);
});

test("rows that fail to come break the workbook off instead of leaving it waiting", async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first row
  async function* portions(): AsyncGenerator<string[][]> {
    throw new Error("the database is away");
  }
  const reading = (async () => {
    for await (const _ of writeWorkbook(portions()));
  })();
  await expect(reading).rejects.toThrow("the database is away");
});
