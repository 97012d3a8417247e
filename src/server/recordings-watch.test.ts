import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { whenOver } from "../../test/ground/when-over.ts";
import { COMPRESS_RECORDING, compressionsAtOnce, oweCompression } from "../exchange/recordings/compress.ts";
import type { Log } from "../log.ts";
import { sql } from "../store/sql.ts";
import { watchRecordings } from "./recordings-watch.ts";

async function watched() {
  const { db } = await freshDatabase();
  const path = await mkdtemp(join(tmpdir(), "watch-"));
  whenOver(() => rm(path, { recursive: true }));
  const registry = new Registry();
  const clock = testClock();
  const said: string[] = [];
  const note = (_: object, text: string) => void said.push(text);
  const log = { warn: note, error: note, info: note, debug: () => undefined } as unknown as Log;
  const folder = { path, recordings: join(path, "recordings") };
  const watch = watchRecordings({ registry, db, clock, log, folder });
  whenOver(() => watch.close());
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await registry.metrics())?.[1]);
  return { db, clock, said, watch, registry, metric };
}

test("compression that falls behind is measured, and told when it begins and once an hour", async () => {
  const { db, clock, said, metric } = await watched();
  const behind = () => said.filter((it) => it.startsWith("recordings are not compressed")).length;
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      clock.pass(60_000);
      while (clock.waiting() === 0) await new Promise(setImmediate); // until it has looked
    }
  };
  await oweCompression(
    db,
    ["one", "two"].map((callUuid) => ({ callUuid, exchangeId: 1, objectKey: `recordings/${callUuid}.wav` })),
  );
  expect(await metric("santral_recordings_uncompressed")).toBe(2);
  expect(await metric("santral_recordings_uncompressed_seconds")).toBeLessThan(600);
  await minutes(2);
  expect(behind()).toBe(0);
  await db.query(sql`update jobs set created_at = now() - interval '2 hours' where unique_key = 'one'`);
  expect(await metric("santral_recordings_uncompressed_seconds")).toBeGreaterThan(7_000);
  await minutes(3);
  expect(behind()).toBe(1);
  await minutes(60);
  expect(behind()).toBe(2);
  await db.query(sql`delete from jobs where kind = $1`, [COMPRESS_RECORDING]);
  await minutes(2);
  expect(behind()).toBe(2);
  expect(await metric("santral_disk_free_bytes")).toBeGreaterThan(0);
  expect(await metric("santral_recordings_unclaimed")).toBe(0);
});

test("a recording that failed is logged with its path, counted, and remembered for the doctor", async () => {
  const { watch, registry, said, clock } = await watched();
  expect(watch.view()).toEqual({ faults: 0 });
  const fault = { path: "/data/recordings/x.wav", step: "write", code: "ENOSPC" } as const;
  watch.report(fault);
  expect(said).toEqual(["a recording could not be written"]);
  expect(watch.view()).toEqual({ faults: 1, last: { ...fault, at: new Date(clock.wall()).toISOString() } });
  expect(await registry.metrics()).toContain('santral_recording_faults_total{step="write"} 1');
});

test("half of the cores compress, and one always does", () => {
  expect([1, 2, 4, 16].map(compressionsAtOnce)).toEqual([1, 1, 2, 8]);
});
