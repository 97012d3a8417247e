import { randomBytes, randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import type { Archive } from "../archive/archive.ts";
import { realClock } from "../clock.ts";
import type { Archives } from "../exchange/archiving/archives.ts";
import { archivingHandlers, LEAVE_RECORDING } from "../exchange/archiving/jobs.ts";
import { COMPRESS_RECORDING, compressRecordings } from "../exchange/recordings/compress.ts";
import { RETAIN_RECORDINGS, retainRecordings } from "../exchange/recordings/retain.ts";
import { makeFirstRun } from "../first-run/first-run.ts";
import type { JobHandler, RunningJob } from "../jobs/handler.ts";
import { silentLog } from "../log.ts";
import type { Converter } from "../media/convert.ts";
import { type Objects, openObjects, shardedPath } from "../objects/objects.ts";
import type { Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "santral-busy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const OF_EACH = 120;
const job: RunningJob = { id: 1, attempt: 1, lane: null, signal: new AbortController().signal };

async function furnished(name: string) {
  const { db } = await freshDatabase();
  const objectsFolder = join(folder, name);
  const objects = await openObjects(objectsFolder);
  const made = await makeFirstRun({ db, secrets, objects, file: join(folder, `${name}.json`) });
  return { db, objects, objectsFolder, town: await furnish(db, objects, made!.exchange.id) };
}

test("an archive made while recordings come, are compressed, expire and leave has every file its rows speak of", async () => {
  const { db, objectsFolder, town } = await furnished("objects");

  let isOver = false;
  const calls = (async () => {
    while (!isOver) await town.record("now");
  })();
  const work = Promise.all([town.compressAll(), town.leaveAll(), town.expireAll()]);
  const file = join(folder, "busy.tar.gz");
  const done = await backUp({ db, objectsFolder, file, version: "0.0.0", clock: realClock, keyFile: undefined });
  isOver = true;
  await Promise.all([calls, work]);
  expect(done).toMatchObject({ missing: 0 });

  const { owner: other } = await freshDatabase();
  const places = { objectsFolder: join(folder, "restored"), keyFile: join(folder, "secret.keys") };
  const migrationsFolder = "src/store/migrations";
  const restored = await restore({ db: other, file, migrationsFolder, withoutKeys: true, ...places });
  expect(restored).toMatchObject({ files: "files" in done ? done.files : 0 });
  const named = await other.query<{ key: string }>(
    sql`select object_key as key from recordings where deleted_at is null and local_gone_at is null`,
  );
  expect(named.length).toBeGreaterThan(OF_EACH);
  const lacking = [];
  for (const { key } of named) {
    const found = await stat(join(places.objectsFolder, shardedPath(key))).catch(() => undefined);
    if (!found) lacking.push(key);
  }
  expect(lacking).toEqual([]);

  // What was put aside for it is gone with it, and so is what was to be deleted.
  expect((await readdir(objectsFolder)).filter((name) => /kep|kee/.test(name))).toEqual([]);
  const [left] = await db.query<{ count: number }>(sql`select count(*) from recordings where object_key like '%.wav'
    and deleted_at is null and local_gone_at is null and created_at < now() - interval '1 hour'`);
  expect(left).toEqual({ count: 0 });
}, 120_000);

test("a row whose file is lost is told of and keeps nobody from making a backup; a second one is refused", async () => {
  const { db, objects, objectsFolder, town } = await furnished("lossy");
  const uuid = await town.record("now");
  await objects.delete(`recordings/${uuid}.wav`);
  const wanted = { db, objectsFolder, version: "0.0.0", clock: realClock, keyFile: undefined };
  const [first, second] = await Promise.all([
    backUp({ ...wanted, file: join(folder, "lossy.tar.gz") }),
    backUp({ ...wanted, file: join(folder, "second.tar.gz") }),
  ]);
  expect([first, second]).toContainEqual({ refused: "under-way", pid: process.pid });
  expect([first, second]).toContainEqual(expect.objectContaining({ missing: 1 }));

  // A keeper that was killed keeps nothing any more.
  await mkdir(join(objectsFolder, ".keeping 1 00000000-0000-0000-0000-000000000000 1"));
  const gone = await town.record("now");
  await objects.delete(`recordings/${gone}.wav`);
  expect(await readdir(objectsFolder)).not.toContain(".kept");
  expect(await backUp({ ...wanted, file: join(folder, "third.tar.gz") })).toMatchObject({ missing: 2 });
  expect((await readdir(objectsFolder)).filter((name) => name.startsWith(".k"))).toEqual([]);
});

/** So many recordings for each kind of work, and the work itself as the server does it. */
async function furnish(db: Db, objects: Objects, exchangeId: number) {
  await db.query(sql`update exchanges set recording_retention_days = 30 where id = $1`, [exchangeId]);
  const [archive] = await db.query<{ id: number }>(
    sql`insert into archives (exchange_id, kind, url) values ($1, 'webdav', 'https://x.example')
      returning id`,
    [exchangeId],
  );
  const outside = { check: async () => undefined } as unknown as Archive;
  const parts = { db, clock: realClock, log: silentLog, objects };
  const leave = archivingHandlers({
    ...parts,
    archives: { open: async () => outside } as unknown as Archives,
  })[LEAVE_RECORDING]!;
  const converter = {
    toMp3: async ({ input, output }: { input: string; output: string }) => {
      await copyFile(input, output);
      return {};
    },
  } as unknown as Converter;
  const handlers: Record<string, JobHandler> = {
    [COMPRESS_RECORDING]: compressRecordings({ ...parts, converter }),
    [RETAIN_RECORDINGS]: retainRecordings(parts),
    [LEAVE_RECORDING]: leave,
  };
  const run = (kind: string, payload: object) => handlers[kind]!.run(payload as never, job);
  const record = async (age: "now" | "days" | "months"): Promise<string> => {
    const callUuid = randomUUID();
    await objects.put(`recordings/${callUuid}.wav`, { bytes: randomBytes(60_000) });
    await db.query(
      sql`insert into recordings (call_uuid, exchange_id, object_key, media_type, duration_ms, created_at)
        values ($1, $2, $3, 'audio/wav', 1000, now() - $4::interval)`,
      [callUuid, exchangeId, `recordings/${callUuid}.wav`, { now: "0", days: "2 days", months: "60 days" }[age]],
    );
    return callUuid;
  };
  const several = async (age: "days" | "months") => {
    const uuids = [];
    for (let i = 0; i < OF_EACH; i++) uuids.push(await record(age));
    return uuids;
  };
  const [toCompress, toLeave] = [await several("days"), await several("days")];
  await several("months");
  await db.query(
    sql`update recordings set archive_id = $2, archive_name = 'x', archived_size = 1, archived_sha256 = 'x',
      archived_md5 = 'x', archived_at = now() where call_uuid = any ($1::uuid[])`,
    [toLeave, archive!.id],
  );
  return {
    record,
    async compressAll() {
      for (const callUuid of toCompress)
        await run(COMPRESS_RECORDING, { callUuid, exchangeId, objectKey: `recordings/${callUuid}.wav` });
    },
    async leaveAll() {
      for (const callUuid of toLeave) await run(LEAVE_RECORDING, { callUuid, exchangeId });
    },
    expireAll: () => run(RETAIN_RECORDINGS, {}),
  };
}
