import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/database.ts";
import { type TestClock, testClock } from "../../../test/test-clock.ts";
import { realClock } from "../../clock.ts";
import { type Handlers, startWorkers, type Workers } from "../../jobs/workers.ts";
import { silentLog } from "../../log.ts";
import { type Converter, openConverter } from "../../media/convert.ts";
import { wavHeader } from "../../media/wav.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import type { Database } from "../../store/db.ts";
import { COMPRESS_RECORDING, compressRecordings, oweCompression } from "./compress.ts";
import { planRetention, RETAIN_RECORDINGS, retainRecordings } from "./retain.ts";

const DAY = 86_400_000;

let db: Database;
let clock: TestClock;
let objects: Objects;
let folder: string;
let workers: Workers | undefined;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  folder = await mkdtemp(join(tmpdir(), "recordings-"));
  objects = await openObjects(folder);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  await db.query("delete from exchanges");
  await db.query("delete from jobs");
  clock = testClock();
});
afterEach(async () => {
  await workers?.stop();
  workers = undefined;
});

async function crew(handlers: Handlers): Promise<Workers> {
  workers = await startWorkers({ db, clock, log: silentLog, handlers });
  return workers;
}

async function exchangeKeeping(days: number): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    "insert into exchanges (name, sip_domain, recording_retention_days) values ('Test', $1, $2) returning id",
    [`${randomUUID()}.example`, days],
  );
  return row!.id;
}

async function recordedCall(exchangeId: number, daysAgo: number): Promise<{ callUuid: string; objectKey: string }> {
  const callUuid = randomUUID();
  const objectKey = `recordings/${callUuid}.wav`;
  const at = new Date(clock.now() - daysAgo * DAY);
  const sound = Buffer.alloc(2 * 8_000 * 4);
  const bytes = Buffer.concat([wavHeader({ rate: 8_000, channels: 2, dataBytes: sound.length }), sound]);
  await objects.put(objectKey, { bytes });
  await db.query(
    `insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
       recording, hangup_cause) values ($1, $2, 'inbound', $3, $3, '1', '2', 'present', 'NORMAL_CLEARING')`,
    [exchangeId, callUuid, at],
  );
  await db.query(
    "insert into recordings (call_uuid, exchange_id, object_key, media_type, created_at) values ($1, $2, $3, 'audio/wav', $4)",
    [callUuid, exchangeId, objectKey, at],
  );
  return { callUuid, objectKey };
}

const stateOf = async (callUuid: string) => {
  const [row] = await db.query<{ recording: string; deleted: boolean; media_type: string; object_key: string }>(
    `select cdrs.recording, deleted_at is not null as deleted, media_type, object_key
     from cdrs join recordings using (call_uuid) where call_uuid = $1`,
    [callUuid],
  );
  return row!;
};

test("recordings are deleted when their exchange's time for them is over, and the CDR says so", async () => {
  const [short, long] = [await exchangeKeeping(30), await exchangeKeeping(90)];
  const old = await recordedCall(short, 31);
  const young = await recordedCall(short, 29);
  const kept = await recordedCall(long, 31);
  const handlers = { [RETAIN_RECORDINGS]: retainRecordings({ db, clock, log: silentLog, objects }) };
  await planRetention(db, clock.now());
  await planRetention(db, clock.now()); // a second node, or a restart
  expect(await db.query("select id from jobs")).toHaveLength(1);
  await (await crew(handlers)).idle();
  expect(await stateOf(old.callUuid)).toMatchObject({ recording: "deleted", deleted: true });
  expect(await objects.size(old.objectKey)).toBeUndefined();
  for (const { callUuid, objectKey } of [young, kept]) {
    expect(await stateOf(callUuid)).toMatchObject({ recording: "present", deleted: false });
    expect(await objects.size(objectKey)).toBeDefined();
  }
  clock.pass(2 * DAY);
  await workers!.idle();
  expect(await stateOf(young.callUuid)).toMatchObject({ recording: "deleted" });
  expect(await stateOf(kept.callUuid)).toMatchObject({ recording: "present" });
  expect(await db.query("select id from jobs")).toHaveLength(1); // tomorrow's
});

test("a kept recording becomes MP3 and stays one recording", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const converter = openConverter({ clock: realClock });
  const handlers = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(handlers)).idle();
  const state = await stateOf(recording.callUuid);
  expect(state).toMatchObject({ recording: "present", media_type: "audio/mpeg" });
  expect(await objects.size(state.object_key)).toBeGreaterThan(1_000);
  expect(await objects.size(recording.objectKey)).toBeUndefined();
  await oweCompression(db, [recording]); // a crash before the note: the second try finds nothing to do
  await workers!.idle();
  expect(await stateOf(recording.callUuid)).toEqual(state);
});

test("without ffmpeg a recording stays as it was recorded", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const converter = openConverter({ clock: realClock, program: "no-such-ffmpeg" });
  const handlers = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(handlers)).idle();
  expect(await stateOf(recording.callUuid)).toMatchObject({ media_type: "audio/wav", recording: "present" });
  expect(await objects.size(recording.objectKey)).toBeDefined();
});

test("a recording deleted while it was being compressed stays deleted", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const real = openConverter({ clock: realClock });
  const converter: Converter = {
    ...real,
    async toMp3(files) {
      const converted = await real.toMp3(files);
      await db.query("update recordings set deleted_at = now() where call_uuid = $1", [recording.callUuid]);
      return converted;
    },
  };
  const handlers = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(handlers)).idle();
  expect(await objects.size(recording.objectKey.replace(".wav", ".mp3"))).toBeUndefined();
});
