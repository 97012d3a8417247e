import { expect, test } from "vitest";
import { csvReader, jsonReader, separatorOf, type TableReader } from "./table.ts";

/** The same, however it comes in pieces. */
function readInPieces<Row>(open: () => TableReader<Row>, text: string): { rows: Row[]; isWhole: boolean } {
  const results = [1, 2, 3, 7, text.length + 1].map((size) => {
    const reader = open();
    const rows: Row[] = [];
    for (let at = 0; at < text.length; at += size) rows.push(...reader.read(text.slice(at, at + size)));
    return { rows, isWhole: reader.isWhole() };
  });
  for (const result of results) expect(result).toEqual(results[0]);
  return results[0] as { rows: Row[]; isWhole: boolean };
}

test("cells in quotation marks hold separators, line breaks and quotation marks", () => {
  const text = 'a,"b, ""c""\r\nd", e \r\n\r\n"",\n1,2"3,4\n';
  expect(readInPieces(() => csvReader(","), text)).toEqual({
    rows: [
      ["a", 'b, "c"\r\nd', "e"],
      ["1", '2"3', "4"],
    ],
    isWhole: true,
  });
});

test("a quotation mark that is never closed is told, and a cell of ten million letters is cut", () => {
  expect(readInPieces(() => csvReader(";"), 'a;"b\nc;d\n')).toEqual({ rows: [], isWhole: false });
  const [row] = csvReader(",").read(`a,${"x".repeat(10_000_000)},c\n`);
  expect(row?.map((cell) => cell.length)).toEqual([1, 10_000, 1]);
});

test("the separator is the one that the first line has most of", () => {
  expect(["a,b,c", "a;b,c;d", "a\tb", "a"].map(separatorOf)).toEqual([",", ";", "\t", ","]);
});

test("the records of a JSON list come one by one, from the list itself or the first one inside", () => {
  const records = [{ a: 'x]}"\\' }, { b: { c: [1, { d: "[" }] } }, { e: "ü\u2028" }];
  const whole = { rows: records, isWhole: true };
  expect(readInPieces(jsonReader, JSON.stringify(records))).toEqual(whole);
  expect(readInPieces(jsonReader, JSON.stringify(records, null, 2))).toEqual(whole);
  expect(readInPieces(jsonReader, JSON.stringify({ page: 1, contacts: records, others: [{ z: 1 }] }))).toEqual(whole);
});

test("a JSON text that is cut off, or has no list, is not whole; a record that is no JSON is left to the reader", () => {
  expect(readInPieces(jsonReader, '[{"a":1},{"b":').isWhole).toBe(false);
  expect(readInPieces(jsonReader, '{"contacts":[{"a":1}]').isWhole).toBe(false);
  expect(readInPieces(jsonReader, '{"error":"no"}')).toEqual({ rows: [], isWhole: false });
  expect(readInPieces(jsonReader, "[]")).toEqual({ rows: [], isWhole: true });
  expect(readInPieces(jsonReader, '[{"a":1},{a:1}]')).toEqual({ rows: [{ a: 1 }, undefined], isWhole: true });
});
