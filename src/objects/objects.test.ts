import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Objects, openObjects, shardedPath } from "./objects.ts";

let folder: string;
let objects: Objects;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "objects-"));
  objects = await openObjects(join(folder, "store"), { limitBytes: 1_000_000 });
});
afterAll(() => rm(folder, { recursive: true }));

const contents = async (key: string, range?: { from?: number; to?: number }) => {
  const reading = await objects.read(key, range);
  return reading && { text: (await buffer(reading.stream)).toString(), size: reading.size, range: reading.range };
};

test("bytes, a stream and a finished file are kept and read back", async () => {
  expect(await objects.put("sounds/a.wav", { bytes: Buffer.from("hello") })).toEqual({ size: 5 });
  expect(await objects.put("sounds/b.wav", { stream: Readable.from(["he", "llo", "!"].map(Buffer.from)) })).toEqual({
    size: 6,
  });
  const finished = objects.scratch(".wav");
  await writeFile(finished, "recorded");
  expect(await objects.put("recordings/c.wav", { file: finished })).toEqual({ size: 8 });
  await expect(stat(finished)).rejects.toThrow("ENOENT");
  expect((await contents("sounds/a.wav"))?.text).toBe("hello");
  expect((await contents("sounds/b.wav"))?.text).toBe("hello!");
  expect(await readFile(objects.path("recordings/c.wav"), "utf8")).toBe("recorded");
});

test("a second put replaces the first as a whole", async () => {
  await objects.put("x/again", { bytes: Buffer.from("long first text") });
  await objects.put("x/again", { bytes: Buffer.from("second") });
  expect((await contents("x/again"))?.text).toBe("second");
});

test("part of an object can be read, as players ask for it", async () => {
  await objects.put("x/range", { bytes: Buffer.from("0123456789") });
  expect(await contents("x/range", { from: 2, to: 4 })).toEqual({ text: "234", size: 10, range: { from: 2, to: 4 } });
  expect(await contents("x/range", { from: 7 })).toEqual({ text: "789", size: 10, range: { from: 7, to: 9 } });
  expect(await contents("x/range", { from: 8, to: 99 })).toEqual({ text: "89", size: 10, range: { from: 8, to: 9 } });
  expect(await contents("x/range", { from: 10 })).toBeUndefined();
  expect(await contents("x/range", { from: 5, to: 4 })).toBeUndefined();
});

test("an empty object is an object", async () => {
  await objects.put("x/empty", { bytes: new Uint8Array() });
  expect((await contents("x/empty"))?.text).toBe("");
  expect(await objects.size("x/empty")).toBe(0);
});

test("a deleted object is gone, and deleting it again says so", async () => {
  await objects.put("x/gone", { bytes: Buffer.from("bye") });
  expect(await objects.delete("x/gone")).toBe(true);
  expect(await objects.delete("x/gone")).toBe(false);
  expect(await contents("x/gone")).toBeUndefined();
  expect(await objects.size("x/gone")).toBeUndefined();
});

test("what is too large is refused and leaves nothing behind", async () => {
  const refusal = { refused: "too-large", limitBytes: 1_000_000 };
  expect(await objects.put("x/large", { bytes: new Uint8Array(1_000_001) })).toEqual(refusal);
  let given = 0;
  const endless = new Readable({
    read() {
      given += 65_536;
      this.push(Buffer.alloc(65_536));
    },
  });
  expect(await objects.put("x/large", { stream: endless })).toEqual(refusal);
  expect(given).toBeLessThan(2_000_000);
  expect(await objects.size("x/large")).toBeUndefined();
});

test("a stream that breaks leaves the old object as it was", async () => {
  await objects.put("x/kept", { bytes: Buffer.from("old") });
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from("half");
      throw new Error("line lost");
    })(),
  );
  await expect(objects.put("x/kept", { stream: broken })).rejects.toThrow("line lost");
  expect((await contents("x/kept"))?.text).toBe("old");
});

describe("a key cannot lead out of the folder", () => {
  test.each([
    "",
    ".",
    "..",
    "../secret",
    "a/../../secret",
    "/etc/passwd",
    "a//b",
    "a/",
    "a/.hidden",
    ".scratch/x",
    "a\\..\\b",
    "a\0b",
    "a b",
    "é",
    "a/b/c/d/e/f/g",
    "x".repeat(201),
  ])("%j", (key) => {
    expect(() => objects.path(key)).toThrow("not an object key");
  });
});

test("keys spread over folders", () => {
  expect(shardedPath("recordings/2f6c1d00-aaaa.mp3")).toBe("recordings/2f/6c/2f6c1d00-aaaa.mp3");
  expect(shardedPath("a")).toBe("a0/00/a");
});

test("leftovers of a process that died are cleared at the next start, and those of a living one are not", async () => {
  const other = join(folder, "left");
  const gone = spawnSync("true").pid;
  const [dead, living] = [`${gone}-x`, `${process.pid}-x`].map((name) => join(other, ".scratch", name)) as [
    string,
    string,
  ];
  for (const draft of [dead, living]) {
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, "half.put"), "half");
  }
  await openObjects(other);
  await expect(stat(dead)).rejects.toThrow("ENOENT");
  expect((await stat(join(living, "half.put"))).size).toBe(4);
});

const straceWorks = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

test.skipIf(!straceWorks)("the bytes reach the disk before the name, and the name before the answer", async () => {
  const script = `
    import { openObjects } from ${JSON.stringify(join(process.cwd(), "src/objects/objects.ts"))};
    const objects = await openObjects(${JSON.stringify(join(folder, "traced"))});
    await objects.put("sounds/abcdef", { bytes: Buffer.from("hello") });
    process.stderr.write("ANSWERED");
  `;
  const bundle = join(folder, "traced.mjs");
  const { build } = await import("esbuild");
  await build({
    stdin: { contents: script, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: bundle,
    logLevel: "silent",
  });
  const log = join(folder, "trace.log");
  spawnSync("strace", [
    "-f",
    "-y",
    "-o",
    log,
    "-e",
    "trace=fsync,fdatasync,rename,renameat,renameat2,write",
    process.execPath,
    bundle,
  ]);
  const calls = (await readFile(log, "utf8"))
    .split("\n")
    .filter((line) => !line.includes("unfinished") || /fsync|rename/.test(line))
    .flatMap((line) => {
      if (/fsync\(.*\.put>/.test(line)) return ["sync draft"];
      if (/rename.*abcdef/.test(line)) return ["rename"];
      if (/fsync\(.*ab\/cd>/.test(line)) return ["sync folder"];
      if (/ANSWERED/.test(line)) return ["answer"];
      return [];
    });
  expect(calls).toEqual(["sync draft", "rename", "sync folder", "answer"]);
});
