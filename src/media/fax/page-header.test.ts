// What stands on top of a page that is sent.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { differences, drawPages, writePages } from "../../../test/fax/drawn-pages.ts";
import type { Bitmap } from "./g4.ts";
import { drawHeader, preparePages } from "./page-header.ts";

const WIDTH = 1728;
const HEADER = {
  when: "15.11.2026 09:18",
  from: "Şişli Ağız ve Diş Sağlığı İç Hastalıkları <A&B>",
  to: "+903124445566",
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-header-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("Turkish letters are drawn as such, and the last row is white", async () => {
  const line = await drawHeader(HEADER, "1/3", 196);
  if (process.env.SANTRAL_TEST_LOOK) await look(line, process.env.SANTRAL_TEST_LOOK);
  const ink = (y: number) => Array.from({ length: WIDTH }, (_, x) => isBlack(line, x, y)).filter(Boolean).length;
  expect(ink(line.rows - 1)).toBe(0);
  const all = Array.from({ length: line.rows }, (_, y) => ink(y)).reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThan(2_000);
  const plain = await drawHeader(
    { ...HEADER, from: HEADER.from.replaceAll("ğ", "g").replaceAll("Ş", "S") },
    "1/3",
    196,
  );
  expect(plain.bits).not.toEqual(line.bits);
});

function isBlack({ bits, width }: Bitmap, x: number, y: number): boolean {
  return (bits[y * (width / 8) + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
}

async function look(line: Bitmap, path: string) {
  const points = Buffer.alloc(line.width * line.rows);
  for (let y = 0; y < line.rows; y++)
    for (let x = 0; x < line.width; x++) points[y * line.width + x] = isBlack(line, x, y) ? 0 : 255;
  await sharp(points, { raw: { width: line.width, height: line.rows, channels: 1 } })
    .png()
    .toFile(path);
}
