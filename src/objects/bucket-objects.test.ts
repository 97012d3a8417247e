import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeBucket, fakeBucket } from "../../test/customer/fake-bucket.ts";
import { soon } from "../../test/ground/eventually.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { type Trouble, trouble } from "../archive/archive.ts";
import { silentLog } from "../log.ts";
import { type BucketObjects, openBucketObjects } from "./bucket-objects.ts";
import { FilesAway } from "./objects.ts";
import type { Began, Sent } from "./parts.ts";

let folder: string;
let bucket: FakeBucket;
let clock: TestClock;
let objects: BucketObjects;

const open = (cacheBytes = 1_000_000) => openBucketObjects({ folder, bucket, cacheBytes, clock, log: silentLog });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bucket-objects-"));
  bucket = fakeBucket();
  clock = testClock();
  objects = await open();
  return async () => {
    await objects.close();
    await rm(folder, { recursive: true });
  };
});

const bytes = (words: string) => ({ bytes: Buffer.from(words) });
const there = (key: string) => bucket.files.get(key)?.bytes.toString();
const paid = () => soon("nothing is owed", async () => objects.view().owed === 0);
const readAll = async (key: string, range?: { from?: number; to?: number }) => {
  const reading = await objects.read(key, range);
  return reading && (await text(reading.stream));
};
/** Put, paid, and taken away here: it lies in the bucket alone. */
async function onlyThere(key: string, words: string): Promise<void> {
  await objects.put(key, bytes(words));
  await paid();
  await rm(objects.path(key));
}
/** Winds the clock until something has happened, for what waits for its next try. */
const winding = (what: string, happened: () => boolean) =>
  soon(what, async () => {
    clock.pass(1_000);
    return happened();
  });

test("what is put lies here at once and in the bucket soon", async () => {
  expect(await objects.put("sounds/a.wav", bytes("hello"))).toEqual({ size: 5 });
  expect(await readAll("sounds/a.wav")).toBe("hello");
  await soon("it is there", async () => objects.view().uploads === 1);
  expect(there("sounds/a.wav")).toBe("hello");
  expect(objects.view()).toMatchObject({ uploads: 1, owedBytes: 0, failures: {}, trouble: undefined });
});

test("what lies only in the bucket is read, whole and in part, and is here from then on", async () => {
  await onlyThere("x/far", "0123456789");
  expect(await objects.size("x/far")).toBe(10);
  expect(existsSync(objects.path("x/far"))).toBe(false);
  expect(await readAll("x/far", { from: 2, to: 4 })).toBe("234");
  expect(await readFile(objects.path("x/far"), "utf8")).toBe("0123456789");
  bucket.fails = () => trouble("unreachable");
  expect(await readAll("x/far")).toBe("0123456789");
  expect(await objects.read("x/far", { from: 10 })).toBeUndefined();
});

test("however many ask for one, it comes once", async () => {
  await onlyThere("x/wanted", "once");
  bucket.asked = [];
  const paths = await Promise.all(Array.from({ length: 20 }, () => objects.fetched("x/wanted")));
  expect(new Set(paths)).toEqual(new Set([objects.path("x/wanted")]));
  expect(bucket.asked.filter(({ ask }) => ask === "open")).toHaveLength(1);
  expect(objects.view().fetches).toBe(1);
});

test("what is nowhere is nowhere, and what the bucket cannot say now is another matter", async () => {
  expect(await objects.size("x/none")).toBeUndefined();
  expect(await objects.read("x/none")).toBeUndefined();
  expect(await objects.fetched("x/none")).toBeUndefined();
  bucket.fails = () => trouble("forbidden", "AccessDenied");
  await expect(objects.size("x/none")).rejects.toThrow(FilesAway);
  await expect(objects.read("x/none")).rejects.toThrow(FilesAway);
  await expect(objects.fetched("x/none")).rejects.toThrow("https://bucket.example/files: forbidden AccessDenied");
  expect(await objects.here("x/none")).toBeUndefined();
});

describe("a bucket that fails", () => {
  test.each<Trouble>([
    trouble("busy", "HTTP 500"),
    trouble("late"),
    trouble("forbidden", "AccessDenied"),
    trouble("no-address", "ENOTFOUND"),
    trouble("clock", "RequestTimeTooSkewed"),
  ])("with $trouble is owed everything, and gets it when it is back", async (why) => {
    bucket.fails = () => why;
    for (let i = 0; i < 10; i++) await objects.put(`x/${i}`, bytes(`${i}`));
    await soon("it was noticed", async () => objects.view().trouble?.trouble === why.trouble);
    expect(objects.view()).toMatchObject({ owed: 10, owedBytes: 10, uploads: 0 });
    bucket.asked = [];
    clock.pass(999);
    expect(bucket.asked).toEqual([]);
    bucket.fails = () => undefined;
    await winding("all are there", () => objects.view().owed === 0);
    expect(bucket.files.size).toBe(10);
    expect(objects.view().trouble).toBeUndefined();
  });

  test("is asked ever more rarely, by one at a time", async () => {
    bucket.fails = () => trouble("unreachable");
    for (let i = 0; i < 20; i++) await objects.put(`x/${i}`, bytes(`${i}`));
    await soon("it was noticed", async () => objects.view().trouble !== undefined);
    // Everything that was under way has failed by now.
    await soon("all answers are in", async () => clock.waiting() > 0);
    bucket.asked = [];
    for (let minute = 0; minute < 30; minute++) {
      clock.pass(60_000);
      await soon("this try is over", async () => (objects.view().failures.unreachable ?? 0) > minute);
    }
    expect(bucket.asked.length).toBeLessThan(45);
  });

  test("at one file lets the others pass", async () => {
    bucket.fails = ({ key }) => (key === "x/poison" ? trouble("refused", "HTTP 400") : undefined);
    await objects.put("x/poison", bytes("never"));
    for (let i = 0; i < 10; i++) await objects.put(`x/${i}`, bytes(`${i}`));
    await winding("the others are there", () => bucket.files.size === 10);
    expect(objects.view().owed).toBe(1);
  });

  test("to keep what it was given is given it again", async () => {
    let lies = 2;
    bucket.fails = ({ ask }) => (ask === "check" && lies-- > 0 ? trouble("differs", "SHA-256") : undefined);
    await objects.put("x/again", bytes("true"));
    await winding("it is there", () => objects.view().uploads === 1);
    expect(objects.view()).toMatchObject({ owed: 0, failures: { differs: 2 } });
  });

  test("in the middle of a file gives nothing", async () => {
    await onlyThere("x/cut", "0123456789");
    bucket.sends = (whole) => Readable.from([whole.subarray(0, 5)]);
    await expect(objects.fetched("x/cut")).rejects.toThrow("what came is not what was put");
    bucket.sends = () => Readable.from([Buffer.from("012345678x")]);
    await expect(objects.fetched("x/cut")).rejects.toThrow("what came is not what was put");
    expect(existsSync(objects.path("x/cut"))).toBe(false);
    bucket.sends = undefined;
    expect(await objects.fetched("x/cut")).toBe(objects.path("x/cut"));
  });

  test("keeps a call waiting for five seconds, and the next one hears it", async () => {
    await onlyThere("sounds/late.wav", "la la");
    let answer = () => {};
    const answered = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined);
    });
    bucket.fails = ({ ask }) => (ask === "look" ? answered : undefined);
    const played = objects.toPlay("sounds/late.wav");
    await soon("it waits", async () => clock.waiting() > 1);
    clock.pass(5_000);
    expect(await played).toBe(objects.path("sounds/late.wav"));
    expect(existsSync(await played)).toBe(false);
    answer();
    expect(await objects.toPlay("sounds/late.wav")).toBe(objects.path("sounds/late.wav"));
    expect(existsSync(await played)).toBe(true);
  });
});

describe("after a kill", () => {
  test("what was owed is found again, the oldest first", async () => {
    bucket.fails = () => trouble("unreachable");
    for (const key of ["x/b", "x/a", "x/c"]) await objects.put(key, bytes(key));
    await objects.delete("x/a");
    await objects.close();
    bucket.fails = () => undefined;
    bucket.files.set("x/a", { bytes: Buffer.from("old"), sha256: undefined });
    objects = await open();
    await paid();
    expect([...bucket.files.keys()].sort()).toEqual(["x/b", "x/c"]);
    await objects.close();
    bucket.asked = [];
    objects = await open();
    expect(bucket.asked).toEqual([]);
  });

  test("a file that was noted and never kept is owed no more", async () => {
    await objects.close();
    bucket.fails = () => trouble("unreachable");
    objects = await open();
    await objects.put("x/half", bytes("half"));
    await objects.close();
    await rm(objects.path("x/half"));
    bucket.fails = () => undefined;
    objects = await open();
    await paid();
    expect(bucket.files.size).toBe(0);
  });

  test("between the two words about one object nothing is deleted", async () => {
    bucket.fails = () => trouble("unreachable");
    await objects.put("x/both", bytes("kept"));
    await objects.close();
    const [shard = ""] = await readdir(join(folder, ".owed"));
    await writeFile(join(folder, ".owed", shard, "x~both.delete"), "");
    bucket.fails = () => undefined;
    objects = await open();
    await paid();
    expect(there("x/both")).toBe("kept");
  });

  test("an upload in parts that was under way is ended before the next", async () => {
    const { put } = bucket;
    bucket.put = async (_key: string, _file: Sent, _signal?: AbortSignal, began?: Began) => {
      await began?.("upload-1");
      return trouble("unreachable");
    };
    await objects.put("x/large", bytes("large"));
    await soon("it failed", async () => objects.view().trouble !== undefined);
    await objects.close();
    bucket.put = put;
    bucket.asked = [];
    objects = await open();
    await paid();
    expect(bucket.asked[0]).toEqual({ ask: "abort", key: "x/large" });
  });
});

describe("a deletion", () => {
  test("is owed, and nobody sees the object meanwhile", async () => {
    await onlyThere("x/gone", "bye");
    bucket.fails = () => trouble("unreachable");
    expect(await objects.delete("x/gone")).toBe(true);
    expect(await objects.size("x/gone")).toBeUndefined();
    expect(await objects.read("x/gone")).toBeUndefined();
    expect(await objects.fetched("x/gone")).toBeUndefined();
    expect(there("x/gone")).toBe("bye");
    bucket.fails = () => undefined;
    await winding("it is gone there", () => !bucket.files.has("x/gone"));
  });

  test("wins over an upload that is under way, and a later put over the deletion", async () => {
    let goOn = () => {};
    const held = new Promise<undefined>((resolve) => {
      goOn = () => resolve(undefined);
    });
    bucket.fails = ({ ask }) => (ask === "put" ? held : undefined);
    await objects.put("x/race", bytes("first"));
    await soon("it is under way", async () => bucket.asked.some(({ ask }) => ask === "put"));
    await objects.delete("x/race");
    goOn();
    await paid();
    expect(bucket.files.has("x/race")).toBe(false);
    await objects.put("x/race", bytes("second"));
    await paid();
    expect(there("x/race")).toBe("second");
  });

  test("that the bucket only says it has done is done again", async () => {
    await onlyThere("x/stays", "still here");
    let lies = 1;
    const { remove } = bucket;
    bucket.remove = async (key) => (lies-- > 0 ? undefined : remove(key));
    await objects.delete("x/stays");
    await winding("it is gone", () => !bucket.files.has("x/stays"));
  });

  test("is not forgotten over a put that was refused", async () => {
    await onlyThere("x/no", "old");
    bucket.fails = () => trouble("unreachable");
    await objects.delete("x/no");
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("half");
        throw new Error("line lost");
      })(),
    );
    await expect(objects.put("x/no", { stream: broken })).rejects.toThrow("line lost");
    bucket.fails = () => undefined;
    await winding("it is gone there", () => !bucket.files.has("x/no"));
    expect(objects.view().owed).toBe(0);
  });
});
