// Backups that were changed on their way: whatever is spoilt in one is found before anything is written.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { backUp } from "../../src/backup/backup.ts";
import { restore } from "../../src/backup/restore.ts";
import { header, padding } from "../../src/backup/tar.ts";
import { realClock } from "../../src/clock.ts";
import { makeFirstRun } from "../../src/first-run/first-run.ts";
import { openObjects } from "../../src/objects/objects.ts";
import type { Db } from "../../src/store/db.ts";
import { freshDatabase } from "../ground/database.ts";
import { secrets } from "../ground/secrets.ts";
import { whenOver } from "../ground/when-over.ts";
import { below, seeded } from "../sip/sip-mutator.ts";
import { floodOf, SEED } from "./flood.ts";
import { openSpoiler } from "./octet-spoiler.ts";

const COUNT = floodOf(60);
vi.setConfig({ testTimeout: 60_000 + COUNT * 200 });

const folder = mkdtempSync(join(tmpdir(), "santral-backups-"));
whenOver(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "backup.tar.gz");
const { db } = await freshDatabase();
const objectsFolder = join(folder, "objects");
await makeFirstRun({ db, secrets, objects: await openObjects(objectsFolder), file: join(folder, "first-run.json") });
await backUp({ db, objectsFolder, file, version: "0.0.0", clock: realClock, keyFile: undefined });
const good = readFileSync(file);

/** Nothing is written before the whole archive has been found good. */
const REACHED = { refused: "reached" };
const untouched = { transaction: async () => REACHED } as unknown as Db;

async function restored(bytes: Buffer): Promise<string> {
  const spoilt = join(folder, "spoilt.tar.gz");
  writeFileSync(spoilt, bytes);
  const needs = { db: untouched, objectsFolder, migrationsFolder: "src/store/migrations", withoutKeys: true };
  const done = await restore({ ...needs, file: spoilt, keyFile: join(folder, "secret.keys") });
  return "refused" in done ? done.refused : "restored";
}

test("a good one gets as far as the database", async () => {
  expect(await restored(good)).toBe(REACHED.refused);
});

test(`${COUNT} spoilt ones are refused in words, packed and unpacked, or nothing that counts is spoilt`, async () => {
  const archive = gunzipSync(good);
  const seen = new Map<string, number>();
  for (let at = 0; at < COUNT; at++) {
    const random = seeded(Math.imul(SEED + at, 0x9e3779b1));
    const spoil = openSpoiler(random, [good, archive.subarray(0, 4_096)], good.length * 4);
    // Where a part of the archive begins or ends, and anywhere.
    const from = below(random, archive.length / 512) * 512;
    const part = Buffer.concat([
      archive.subarray(0, from),
      spoil(archive.subarray(from, from + 512)),
      archive.subarray(from + 512),
    ]);
    const bytes = random() < 0.3 ? spoil(good) : gzipSync(part, { level: 1 });
    const came = await restored(bytes);
    seen.set(came, (seen.get(came) ?? 0) + 1);
    expect(["not-a-backup", "damaged", "newer", "reached"], `seed ${SEED + at}`).toContain(came);
  }
  expect((seen.get("damaged") ?? 0) + (seen.get("not-a-backup") ?? 0)).toBeGreaterThan(COUNT / 2);
});

const entry = (name: string, content: string) =>
  Buffer.concat([header(name, content.length), Buffer.from(content), padding(content.length)]);

test.each([
  ["a name that leads out", entry("objects/../../etc/passwd", "x")],
  ["a manifest of brackets", entry("manifest.json", "[".repeat(1_000_000))],
  ["keys that are none", Buffer.concat([entry("secret.keys", "{".repeat(1_000)), entry("manifest.json", "{}")])],
  [
    "a part that is longer than the rest",
    Buffer.concat([header("tables/exchanges/1.rows", 8 ** 11 - 1), Buffer.alloc(512)]),
  ],
  ["nothing but zeros", Buffer.alloc(10_000_000)],
])("%s is no backup", async (_what, archive) => {
  expect(await restored(gzipSync(archive))).toBe("not-a-backup");
});
