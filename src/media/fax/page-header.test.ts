// What stands on top of a page that is sent.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

test("pages keep every point below the header, with room for it or without", async () => {
  const [blank, full] = drawPages(2);
  full!.bits.fill(0xaa, 0, 216); // two pages were drawn
  const sent = [blank!, full!];
  const tiff = await writePages(join(folder, "sent.tif"), sent);
  const prepared = await preparePages(tiff, HEADER, join(folder, "headed.tif"));
  expect(prepared).toEqual({ is: "ready", pages: 2, tiff: join(folder, "headed.tif") });
  expect(await differences(join(folder, "headed.tif"), sent, { headerRows: 34 })).toEqual([0, 0]);
});

test("without a header the pages are sent as they are, and what is no fax is not sent", async () => {
  const tiff = await writePages(join(folder, "plain.tif"), drawPages(3));
  expect(await preparePages(tiff, undefined, "")).toEqual({ is: "ready", pages: 3, tiff });
  const narrow = await writePages(join(folder, "narrow.tif"), [
    { width: 800, rows: 8, bits: new Uint8Array(800), down: 98 },
  ]);
  expect(await preparePages(narrow, undefined, "")).toMatchObject({ is: "unreadable" });
  await writeFile(join(folder, "text.tif"), "not a picture");
  expect(await preparePages(join(folder, "text.tif"), undefined, "")).toMatchObject({ is: "unreadable" });
});

function isBlack({ bits, width }: Bitmap, x: number, y: number): boolean {
  return (bits[y * (width / 8) + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
}
