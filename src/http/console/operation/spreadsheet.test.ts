import { expect, test } from "vitest";
import { readCsv } from "./spreadsheet.ts";

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
