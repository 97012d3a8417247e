import { expect, test } from "vitest";
import { csvRows } from "./spreadsheet.ts";

const readCsv = (text: string) => [...csvRows(text)].filter((row) => row !== undefined);

test("a table in CSV is read with any separator, quotation marks and line ends", () => {
  const rows = [
    ["numara", "ad"],
    ["0532 123 45 67", 'Ayşe "Ay" Yılmaz'],
  ];
  for (const mark of [",", ";", "\t"])
    expect(readCsv(`numara${mark}ad\r\n0532 123 45 67${mark}"Ayşe ""Ay"" Yılmaz"\n\n`)).toEqual(rows);
  expect(readCsv('a,b\n"two\nlines",x')).toEqual([
    ["a", "b"],
    ["two\nlines", "x"],
  ]);
});

test("a quotation mark that does not close, or closes in the middle, ends what can be read; so many rows are enough", () => {
  expect(readCsv('a,b\nc,"d')).toEqual([["a", "b"], ["c"]]);
  expect(readCsv('a,b\n"c"d,e')).toEqual([["a", "b"]]);
  expect(readCsv('a,b\nc"d,e')).toEqual([["a", "b"]]);
  expect(readCsv('"",b\n""""\n"x')).toEqual([["", "b"], ['"']]);
  expect(readCsv("a\rb\r\nc,")).toEqual([["a"], ["b"], ["c"]]);
  expect(readCsv("1\n".repeat(60_000))).toHaveLength(50_000);
  expect(readCsv('""'.repeat(1_000_000))).toEqual([['"'.repeat(5_000)]]);
});

test("whoever reads a long one may pause after every few thousand cells, empty ones as well", () => {
  for (const text of ["\n".repeat(20_000), ";".repeat(20_000), "1\n".repeat(20_000)])
    expect([...csvRows(text)].filter((row) => row === undefined)).toHaveLength(10);
});
