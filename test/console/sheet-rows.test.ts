import { expect, test } from "vitest";
import { sheetRows } from "../../console/ui/sheet-rows.ts";
import { writeWorkbook } from "../../src/reports/workbook.ts";

test("of a workbook one sees how many rows have come, however its bytes are cut", async () => {
  async function* portions() {
    yield [["numara", "ad"]];
    for (let portion = 0; portion < 20; portion += 1)
      yield Array.from({ length: 500 }, (_, row) => [`<row>${portion}`, Math.sin(portion * 500 + row)]);
  }
  const pieces: Buffer[] = [];
  for await (const piece of writeWorkbook(portions())) pieces.push(piece);
  const whole = new Uint8Array(Buffer.concat(pieces));
  for (const size of [7, 1_000, 16_384]) {
    const coming = sheetRows()!; // this process can unpack
    const seen: number[] = [];
    for (let at = 0; at < whole.length; at += size) {
      await coming.take(whole.slice(at, at + size));
      seen.push(coming.rows());
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(new Set(seen).size).toBeGreaterThan(2);
    await expect.poll(coming.rows).toBe(10_000);
  }
});
