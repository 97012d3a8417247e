import { existsSync } from "node:fs";
import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { type FakeBucket, fakeBucket } from "../../test/customer/fake-bucket.ts";
import { soon } from "../../test/ground/eventually.ts";
import { type TestClock, testClock } from "../../test/ground/test-clock.ts";
import { trouble } from "../archive/archive.ts";
import { silentLog } from "../log.ts";
import { type BucketObjects, openBucketObjects } from "./bucket-objects.ts";

let folder: string;
let bucket: FakeBucket;
let clock: TestClock;
let objects: BucketObjects;

const open = (cacheBytes: number) => openBucketObjects({ folder, bucket, cacheBytes, clock, log: silentLog });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cache-"));
  bucket = fakeBucket();
  clock = testClock();
  objects = await open(1_000_000);
  return async () => {
    await objects.close();
    await rm(folder, { recursive: true });
  };
});

const bytes = (words: string) => ({ bytes: Buffer.from(words) });
const there = (key: string) => bucket.files.get(key)?.bytes.toString();
const paid = () => soon("nothing is owed", async () => objects.view().owed === 0);
const readAll = async (key: string) => {
  const reading = await objects.read(key);
  return reading && (await text(reading.stream));
};

describe("copies here", () => {
  const HOUR = 3_600_000;
  const age = (key: string, hours: number) => {
    const at = new Date(clock.wall() - hours * HOUR);
    return utimes(objects.path(key), at, at);
  };
  const isHere = (key: string) => existsSync(objects.path(key));

  test("go when they take too much room: those first that were not used for longest", async () => {
    await objects.close();
    objects = await open(20);
    for (const key of ["x/1", "x/2", "x/3", "x/4"]) await objects.put(key, bytes("0123456789"));
    await paid();
    await objects.trim();
    expect(isHere("x/1")).toBe(true); // all were used within the hour
    clock.pass(HOUR);
    for (const [key, hours] of [
      ["x/1", 1],
      ["x/2", 4],
      ["x/3", 3],
      ["x/4", 2],
    ] as const)
      await age(key, hours);
    await objects.fetched("x/2");
    await objects.trim();
    expect(["x/1", "x/2", "x/3", "x/4"].filter(isHere)).toEqual(["x/1", "x/2"]);
    expect(objects.view().cache).toEqual({ files: 2, bytes: 20, unconfirmed: 0 });
    expect(await readAll("x/3")).toBe("0123456789");
  });

  test("stay while they are owed, and while the bucket does not say that it has them", async () => {
    await objects.close();
    objects = await open(0);
    await objects.put("x/there", bytes("there"));
    await objects.put("x/other", bytes("other"));
    await objects.put("x/lost", bytes("lost"));
    await paid();
    bucket.files.delete("x/lost");
    bucket.files.set("x/other", { bytes: Buffer.from("of another size"), sha256: undefined });
    bucket.fails = () => trouble("unreachable");
    await objects.put("x/owed", bytes("owed"));
    clock.pass(HOUR);
    await objects.trim();
    expect(["x/there", "x/other", "x/lost", "x/owed"].filter(isHere)).toHaveLength(4);
    bucket.fails = ({ ask }) => (ask === "look" ? undefined : trouble("unreachable"));
    await objects.trim();
    expect(["x/there", "x/other", "x/lost", "x/owed"].filter(isHere)).toEqual(["x/other", "x/lost", "x/owed"]);
    expect(objects.view().cache.unconfirmed).toBe(2);
  });
});

describe("everything at once", () => {
  test("the files of an older installation go into the bucket, and only those that it lacks", async () => {
    for (let i = 0; i < 5; i++) await objects.put(`x/${i}`, bytes(`${i}`));
    await paid();
    bucket.files.delete("x/3");
    bucket.files.set("x/4", { bytes: Buffer.from("half of it"), sha256: undefined });
    expect(await objects.oweAll()).toEqual({ owed: 2 });
    await paid();
    expect([there("x/3"), there("x/4")]).toEqual(["3", "4"]);
    expect(await objects.oweAll()).toEqual({ owed: 0 });
  });

  test("more than a thousand come back, strange names excepted", async () => {
    for (let i = 0; i < 1_050; i++) bucket.files.set(`x/n${i}`, { bytes: Buffer.from("n"), sha256: undefined });
    bucket.files.set("../../etc/passwd", { bytes: Buffer.from("no"), sha256: undefined });
    bucket.files.set("x/ü b", { bytes: Buffer.from("no"), sha256: undefined });
    expect(await objects.fetchAll()).toEqual({ fetched: 1_050 });
    expect(await objects.fetchAll()).toEqual({ fetched: 0 });
    expect(existsSync(objects.path("x/n1049"))).toBe(true);
  });
});
