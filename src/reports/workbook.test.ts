import { expect, test } from "vitest";
import { partOf, rowsOf } from "../../test/ground/workbooks.ts";
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

test("days and moments are days to a spreadsheet, by the clock of the exchange, and shown as the language has them", async () => {
  async function* portions() {
    yield [[{ wall: "2026-11-18 23:30:00" }, { wall: "2026-11-19" }, { wall: "2026-11-19 00:00:00" }]];
  }
  for (const [language, form] of [
    ["tr", "dd.mm.yyyy hh:mm:ss"],
    ["en", "dd\\/mm\\/yyyy hh:mm:ss"],
  ] as const) {
    const pieces: Buffer[] = [];
    for await (const piece of writeWorkbook(portions(), language)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    expect((await rowsOf(bytes))[0]?.map(Number)).toEqual([46_344 + 23.5 / 24, 46_345, 46_345]);
    expect(partOf(bytes, "xl/styles.xml")).toContain(`formatCode="${form}"`);
    expect(partOf(bytes, "xl/worksheets/sheet1.xml")).toContain('<c s="2"><v>46345</v></c>');
  }
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
