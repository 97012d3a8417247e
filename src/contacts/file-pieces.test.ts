import { expect, test } from "vitest";
import { SourceFailed } from "./failure.ts";
import { rowsOf } from "./file-pieces.ts";

const MEBIBYTE = 1024 * 1024;

async function readAll(text: string): Promise<number> {
  let count = 0;
  for await (const { rows } of rowsOf({ bytes: Buffer.from(text), contentType: "", memory: {} }, []))
    count += rows.length;
  return count;
}

const card = (more: string) => `BEGIN:VCARD\r\nFN:Ayşe\r\n${more}TEL:05320001122\r\nEND:VCARD\r\n`;

test("cards are found wherever a file is cut into pieces", async () => {
  for (let length = 8_100; length < 8_200; length += 7)
    expect(await readAll(card(`NOTE:${"x".repeat(length)}\r\n`) + card(""))).toBe(2);
  expect(await readAll(card("") + card(`PHOTO:${"A".repeat(100_000)}\r\n`) + card(""))).toBe(3);
});

// Whoever reads what waits again with each piece is busy for minutes.
test("what waits for its end is read once, however long it is: blanks, beginnings, folded lines", async () => {
  await expect(readAll("\r\n".repeat(10 * MEBIBYTE))).rejects.toEqual(new SourceFailed("cut-off", "0"));
  await expect(readAll("BEGIN:VCARD\n".repeat(2 * MEBIBYTE))).rejects.toBeInstanceOf(SourceFailed);
  expect(await readAll(card(`NOTE:x\r\n${" x\r\n".repeat(4 * MEBIBYTE)}`))).toBe(1);
}, 30_000);

test("a table may begin with blank lines", async () => {
  expect(await readAll(`${"\r\n".repeat(9_000)}phone;name\n05320001122;Ayşe\n`)).toBe(1);
});
