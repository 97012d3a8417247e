// What may be faxed and what may not: honest documents become pages, everything else a clear word, within bounds.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { differences, drawPages, writePages } from "../../../test/fax/drawn-pages.ts";
import { makePdf, makePicture, makeVastPng } from "../../../test/fax/made-documents.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { runAsServer } from "../../../test/ground/walls.ts";
import { realClock } from "../../clock.ts";
import type { RunProgram } from "../../programs/program.ts";
import { readTiff } from "../fax/tiff.ts";
import { paginate } from "./draw-text.ts";
import { openDrawer } from "./drawer.ts";
import type { Fineness } from "./paper.ts";

const folder = mkdtempSync(join(tmpdir(), "documents-"));
const drawer = openDrawer({
  runProgram: runAsServer,
  clock: realClock,
  program: resolve("dist/document-drawer.js"),
  atOnce: 2,
  mostPages: 20,
});
const SLOW = 240_000;

afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
async function draw(bytes: Buffer, fineness: Fineness = "fine") {
  const [input, output] = [join(folder, `${++made}.document`), join(folder, `${made}.tif`)];
  await writeFile(input, bytes);
  const drawn = await drawer.draw({ input, output, fineness }, { whose: made });
  return { drawn, output };
}

async function pagesOf(bytes: Buffer, fineness?: Fineness) {
  const { drawn, output } = await draw(bytes, fineness);
  expect(drawn).not.toHaveProperty("refused");
  const read = readTiff(await readFile(output));
  if (read.is === "unreadable") throw new Error(read.why);
  return { output, pages: read.pages };
}

/** How much of a part of a page is black, 0 to 1; places in parts of its size. */
async function ink(tiff: string, page: number, [left, top, right, bottom]: [number, number, number, number]) {
  const { width = 0, height = 0 } = await sharp(tiff, { page }).metadata();
  const [x, y] = [Math.round(left * width), Math.round(top * height)];
  const area = { left: x, top: y, width: Math.round(right * width) - x, height: Math.round(bottom * height) - y };
  const { channels } = await sharp(await sharp(tiff, { page }).extract(area).greyscale().png().toBuffer()).stats();
  return 1 - channels[0]!.mean / 255; // a picture has a channel
}

describe("a document that can be faxed", () => {
  test("is a PDF: every page on A4, one that lies on its side is turned", { timeout: SLOW }, async () => {
    const lying = { wide: 842, high: 595, content: "0 g 0 0 421 595 re f" };
    const { pages, output } = await pagesOf(makePdf([{ content: "0 g 0 0 595 421 re f" }, lying, { wide: 200 }]));
    expect(pages.map(({ width, rows, across, down }) => [width, rows, across, down])).toEqual(
      Array(3).fill([1728, 2292, 204, 196]),
    );
    expect(await ink(output, 0, [0.1, 0.55, 0.9, 0.95])).toBeGreaterThan(0.99);
    expect(await ink(output, 0, [0.1, 0.05, 0.9, 0.45])).toBeLessThan(0.01);
    expect(await ink(output, 1, [0.1, 0.05, 0.9, 0.45])).toBeGreaterThan(0.99); // its left half is on top
    expect(await ink(output, 1, [0.1, 0.55, 0.9, 0.95])).toBeLessThan(0.01);
  });

  test.each(["png", "jpeg"] as const)("is a picture (%s), whole and upright", { timeout: SLOW }, async (kind) => {
    const { pages, output } = await pagesOf(await makePicture(kind), "standard");
    expect(pages).toMatchObject([{ width: 1728, rows: 1146, down: 98 }]);
    expect(await ink(output, 0, [0.05, 0.1, 0.45, 0.9])).toBeGreaterThan(0.99);
    expect(await ink(output, 0, [0.55, 0.1, 0.95, 0.9])).toBeLessThan(0.01);
  });

  test("is a TIFF: a fax stays as it is, point for point, on all its pages", { timeout: SLOW }, async () => {
    const sent = drawPages(3);
    const file = await writePages(join(folder, "sent.tif"), sent);
    const { output } = await pagesOf(await readFile(file));
    expect(await differences(output, sent)).toEqual([0, 0, 0]);
    const { pages, output: other } = await pagesOf(await readFile(file), "standard");
    expect(pages).toHaveLength(3);
    expect(await ink(other, 0, [0, 0, 1, 1])).toBeGreaterThan(0);
  });

  test("is plain text: Turkish and Arabic, blanks kept, Arabic set from the right", { timeout: SLOW }, async () => {
    const { pages, output } = await pagesOf(
      Buffer.from("\n\n\nMerhaba ŞĞİ\n\nالعربية\n\f          ikinci sayfa & <b>"),
    );
    expect(pages).toHaveLength(2);
    const line = (page: number, from: number, to: number, row: number) =>
      ink(output, page, [from, (96 + row * 33) / 2386, to, (96 + (row + 1) * 33) / 2386]);
    expect(await line(0, 0.05, 0.2, 0)).toBe(0);
    expect(await line(0, 0.05, 0.2, 3)).toBeGreaterThan(0.02);
    expect(await line(0, 0.05, 0.5, 5)).toBe(0);
    expect(await line(0, 0.8, 0.95, 5)).toBeGreaterThan(0.02);
    expect(await line(1, 0.05, 0.14, 0)).toBe(0);
    expect(await line(1, 0.16, 0.4, 0)).toBeGreaterThan(0.02);
  });

  test("may be text that offices wrote before there was UTF-8", { timeout: SLOW }, async () => {
    expect((await draw(Buffer.from([0x44, 0xfe, 0xf0, 0xfd, 0x0a]))).drawn).toEqual({ pages: 1 });
  });
});

test("lines of text are broken at blanks, and a page holds so many", () => {
  const long = `${"kelime ".repeat(30)}${"x".repeat(200)}`;
  const [page] = paginate(long);
  expect(page!.every((line) => line.length <= 90)).toBe(true);
  expect(page!.join("").replaceAll(" ", "")).toBe(long.replaceAll(" ", ""));
  expect(paginate("satır\n".repeat(130)).map((lines) => lines.length)).toEqual([62, 62, 6]);
  // Looked through as a whole it would take minutes.
  expect(paginate("x".repeat(500_000))).toHaveLength(90);
  const signs = "ş👩‍👩‍👧e\u0301".repeat(400);
  expect(paginate(signs).flat().join("")).toBe(signs);
  expect(
    paginate(signs)
      .flat()
      .filter((line) => /^[\u0301\u200d]/.test(line)),
  ).toEqual([]);
});

describe("a document that cannot be faxed", () => {
  const whole = makePdf([{}, {}]);
  const hostile: [string, string, () => Buffer | Promise<Buffer>][] = [
    ["is empty", "empty", () => Buffer.alloc(0)],
    ["is nothing but blanks", "empty", () => Buffer.from(" \n\t\n")],
    ["is cut off", "broken", () => whole.subarray(0, 400)],
    ["begins like a PDF", "broken", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(4_000)])],
    ["is locked with a password", "encrypted", () => makePdf([{}], { password: "secret" })],
    ["has too many pages", "too-many-pages", () => makePdf(Array(500).fill({}))],
    ["is too long a text", "too-many-pages", () => Buffer.from("satır\n".repeat(20_000))],
    ["is noise", "unknown-type", () => randomBytes(20_000)],
    ["is a program's own format", "unknown-type", () => Buffer.from("PK\x03\x04\x14\0\0\0\b\0", "latin1")],
    ["is a web page", "unknown-type", () => Buffer.from("<!DOCTYPE html><html><body>Giriş</body></html>")],
    [
      "is a drawing that could fetch others",
      "unknown-type",
      () => Buffer.from('<svg><image href="/etc/passwd"/></svg>'),
    ],
    ["is a picture that is vast", "too-much", () => makeVastPng(100_000, 100_000)],
    ["is a picture that is cut off", "broken", async () => (await makePicture("png")).subarray(0, 200)],
    ["is a TIFF without pages", "broken", () => Buffer.from("II*\0\x08\0\0\0", "latin1")],
  ];
  test.concurrent.each(hostile)("because it %s is refused as %s", { timeout: SLOW }, async (_, refused, make) => {
    const { drawn } = await draw(await make());
    expect(drawn).toMatchObject({ refused });
  });

  test("again and again, because its pages go in a circle, is drawn once", { timeout: SLOW }, async () => {
    expect((await draw(await circle())).drawn).toEqual({ pages: 2 });
  });

  test("in time is given up, and its process with it", { timeout: SLOW }, async () => {
    const hasty = openDrawer({
      runProgram: runAsServer,
      clock: realClock,
      program: resolve("dist/document-drawer.js"),
      limitMs: 1,
    });
    const input = join(folder, "late.pdf");
    await writeFile(input, whole);
    const output = join(folder, "late.tif");
    expect(await hasty.draw({ input, output, fineness: "fine" }, { whose: 1 })).toEqual({ refused: "too-much" });
  });
});

test("documents that take for ever are one exchange's alone: another's is drawn in a moment", {
  timeout: SLOW,
}, async () => {
  const clock = testClock();
  const run: RunProgram = (program, signal) =>
    program.words.some((word) => word.includes("endless"))
      ? new Promise((end) =>
          signal?.addEventListener("abort", () => end({ code: null, said: "", complained: "" }), { once: true }),
        )
      : runAsServer(program, signal);
  const { draw } = openDrawer({ runProgram: run, clock, program: resolve("dist/document-drawer.js") });
  const output = join(folder, "fair.tif");
  const endless = Array.from({ length: 40 }, () =>
    draw({ input: "endless", output, fineness: "fine" }, { whose: 1, bytes: 1_000 }),
  );
  const refused = endless.slice(33); // one at work, 32 that wait for it
  for (const one of refused) expect(await one).toEqual({ refused: "no-turn" });
  const input = join(folder, "honest.pdf");
  await writeFile(input, makePdf([{ content: "0 g 0 0 595 421 re f" }]));
  expect(await draw({ input, output, fineness: "fine" }, { whose: 2, bytes: 1_000 })).toEqual({ pages: 1 });
  for (const one of endless.slice(0, 33)) {
    clock.pass(120_000);
    expect(await one).toEqual({ refused: "too-much" });
  }
});

/** Its second directory names the first as the next. */
async function circle(): Promise<Buffer> {
  const file = await readFile(await writePages(join(folder, "circle.tif"), drawPages(2, { rows: 100 })));
  const first = file.readUInt32LE(4);
  const second = file.readUInt32LE(first + 2 + file.readUInt16LE(first) * 12);
  file.writeUInt32LE(first, second + 2 + file.readUInt16LE(second) * 12);
  return file;
}
