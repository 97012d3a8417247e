import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { type TestClock, testClock } from "../../../test/ground/test-clock.ts";
import { realClock } from "../../clock.ts";
import type { Handlers } from "../../jobs/handler.ts";
import { startWorkers, type Workers } from "../../jobs/workers.ts";
import { silentLog } from "../../log.ts";
import { type Converter, openConverter } from "../../media/convert.ts";
import { wavHeader } from "../../media/wav.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import { runnerIn } from "../../programs/program.ts";
import type { Database } from "../../store/db.ts";
import { hasFaxDocument } from "../../store/fax-records.ts";
import { sql } from "../../store/sql.ts";
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
  await db.query(sql`delete from exchanges`);
  await db.query(sql`delete from jobs`);
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

async function exchangeKeeping(days: number, { faxDays }: { faxDays?: number } = {}): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, recording_retention_days, fax_retention_days, crm_secret)
     values ('Test', $1, $2, $3, 'secret') returning id`,
    [`${randomUUID()}.example`, days, faxDays ?? null],
  );
  return row!.id;
}

type FaxOnDisk = { exchangeId: number; callUuid: string; name: string };

/** A record with a document, of an order when there is one. */
async function arrivedFax(exchangeId: number, daysAgo: number, orderId: number | null = null): Promise<FaxOnDisk> {
  const callUuid = randomUUID();
  const name = `faxes/${orderId ?? callUuid}`;
  for (const ending of [".tif", ".pdf"]) await objects.put(`${name}${ending}`, { bytes: Buffer.from("page") });
  await db.query(
    sql`insert into fax_records (call_uuid, exchange_id, order_id, direction, caller_id_number, original_destination,
       start_stamp, end_stamp, success, object_key, pdf_key) values ($1, $2, $3, $4, '1', '2', $5, $5, true, $6, $7)`,
    [
      ...[callUuid, exchangeId, orderId, orderId === null ? "inbound" : "outbound"],
      ...[new Date(clock.wall() - daysAgo * DAY), `${name}.tif`, `${name}.pdf`],
    ],
  );
  return { exchangeId, callUuid, name };
}

async function sentFax(
  exchangeId: number,
  { daysAgo, state }: { daysAgo: number; state: "sent" | "failed" | "waiting" },
): Promise<FaxOnDisk> {
  const at = new Date(clock.wall() - daysAgo * DAY);
  const [order] = await db.query<{ id: number }>(
    sql`insert into fax_orders (exchange_id, created_at, local_station_id, remote_station_id, object_key, pages, state,
       next_try_at, finished_at) values ($1, $2, '1', '2', '', 1, $3, $2, $4) returning id`,
    [exchangeId, at, state, state === "waiting" ? null : at],
  );
  const fax = await arrivedFax(exchangeId, daysAgo, order!.id);
  await db.query(sql`update fax_orders set object_key = $2 where id = $1`, [order!.id, `${fax.name}.tif`]);
  return fax;
}

type KeptOf = { callUuid: string; objectKey: string; exchangeId: number };

async function recordedCall(exchangeId: number, daysAgo: number): Promise<KeptOf> {
  const callUuid = randomUUID();
  const objectKey = `recordings/${callUuid}.wav`;
  const at = new Date(clock.wall() - daysAgo * DAY);
  const sound = Buffer.alloc(2 * 8_000 * 4);
  const bytes = Buffer.concat([wavHeader({ rate: 8_000, channels: 2, dataBytes: sound.length }), sound]);
  await objects.put(objectKey, { bytes });
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
       recording, hangup_cause) values ($1, $2, 'inbound', $3, $3, '1', '2', 'present', 'NORMAL_CLEARING')`,
    [exchangeId, callUuid, at],
  );
  await db.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type, created_at) values ($1, $2, $3, 'audio/wav', $4)`,
    [callUuid, exchangeId, objectKey, at],
  );
  return { callUuid, objectKey, exchangeId };
}

/** Where its sound lies. */
async function leftMessage(
  exchangeId: number,
  mailbox: string,
  { deletedDaysAgo }: { deletedDaysAgo?: number },
): Promise<string> {
  const objectKey = `voicemail/${randomUUID()}.wav`;
  await objects.put(objectKey, { bytes: Buffer.from("sound") });
  const deletedAt = deletedDaysAgo === undefined ? null : new Date(clock.wall() - deletedDaysAgo * DAY);
  await db.query(
    sql`with extension as (insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256)
       values ($1, $2, '', '', '') returning id)
     insert into voicemail_messages (uuid, exchange_id, extension_id, caller_id_number, start_stamp, duration_seconds,
       object_key, media_type, deleted_at)
     select gen_random_uuid(), $1, id, '1', $3, 1, $4, 'audio/wav', $5 from extension`,
    [exchangeId, mailbox, new Date(clock.wall() - 3 * DAY), objectKey, deletedAt],
  );
  return objectKey;
}

const stateOf = async (callUuid: string) => {
  const [row] = await db.query<{ recording: string; deleted: boolean; media_type: string; object_key: string }>(
    sql`select cdrs.recording, deleted_at is not null as deleted, media_type, object_key
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
  await planRetention(db, clock.wall());
  await planRetention(db, clock.wall()); // a second node, or a restart
  expect(await db.query(sql`select id from jobs`)).toHaveLength(1);
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
  expect(await db.query(sql`select id from jobs`)).toHaveLength(1); // tomorrow's
});

test("faxes are deleted when their exchange's time for them is over, and never before it has said one", async () => {
  const [short, forever] = [await exchangeKeeping(30, { faxDays: 30 }), await exchangeKeeping(30)];
  const arrived = await arrivedFax(short, 31);
  const sent = await sentFax(short, { daysAgo: 31, state: "sent" });
  const kept = [
    await arrivedFax(short, 29),
    await arrivedFax(forever, 400),
    await sentFax(short, { daysAgo: 31, state: "waiting" }), // for a line, for a month
    await sentFax(forever, { daysAgo: 400, state: "failed" }),
  ];
  await planRetention(db, clock.wall());
  const handlers = { [RETAIN_RECORDINGS]: retainRecordings({ db, clock, log: silentLog, objects }) };
  await (await crew(handlers)).idle();
  const sizes = (name: string) => Promise.all([".tif", ".pdf"].map((ending) => objects.size(`${name}${ending}`)));
  for (const { name, exchangeId, callUuid } of [arrived, sent]) {
    expect(await sizes(name)).toEqual([undefined, undefined]);
    expect(await hasFaxDocument(db, exchangeId, callUuid)).toBe(false);
  }
  for (const { name, exchangeId, callUuid } of kept) {
    expect(await sizes(name)).toEqual([4, 4]);
    expect(await hasFaxDocument(db, exchangeId, callUuid)).toBe(true);
  }
  clock.pass(2 * DAY);
  await workers!.idle();
  expect(await hasFaxDocument(db, kept[0]!.exchangeId, kept[0]!.callUuid)).toBe(false);
  expect(await db.query(sql`select 1 from fax_records`)).toHaveLength(6); // who sent what to whom is still known
});

test("the sound of a message that its owner deleted is gone a day later, and nobody else's", async () => {
  const exchangeId = await exchangeKeeping(30);
  const [deleted, today, kept] = [
    await leftMessage(exchangeId, "2000", { deletedDaysAgo: 2 }),
    await leftMessage(exchangeId, "2001", { deletedDaysAgo: 0 }),
    await leftMessage(exchangeId, "2002", {}),
  ];
  await planRetention(db, clock.wall());
  await (await crew({ [RETAIN_RECORDINGS]: retainRecordings({ db, clock, log: silentLog, objects }) })).idle();
  expect(await objects.size(deleted)).toBeUndefined();
  for (const objectKey of [today, kept]) expect(await objects.size(objectKey)).toBeDefined();
  expect(await db.query(sql`select from voicemail_messages`)).toHaveLength(2);
});

test("a kept recording becomes MP3 and stays one recording", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const converter = openConverter({ runProgram: runnerIn("limited"), clock: realClock });
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

test("a kill after the MP3 took its place, and before the WAV was deleted, costs nothing but the WAV", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const converter = openConverter({ runProgram: runnerIn("limited"), clock: realClock });
  const isKilled: Objects = { ...objects, delete: () => Promise.reject(new Error("killed")) };
  const first = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects: isKilled, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(first)).idle();
  await workers!.stop();
  await db.query(sql`delete from jobs`);
  const again = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(again)).idle();
  const state = await stateOf(recording.callUuid);
  expect(state).toMatchObject({ recording: "present", media_type: "audio/mpeg" });
  expect(await objects.size(state.object_key)).toBeGreaterThan(1_000);
  expect(await objects.size(recording.objectKey)).toBeUndefined();
});

test("without ffmpeg a recording stays as it was recorded", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const converter = openConverter({ runProgram: runnerIn("limited"), clock: realClock, program: "no-such-ffmpeg" });
  const handlers = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(handlers)).idle();
  expect(await stateOf(recording.callUuid)).toMatchObject({ media_type: "audio/wav", recording: "present" });
  expect(await objects.size(recording.objectKey)).toBeDefined();
});

test("a recording deleted while it was being compressed stays deleted", async () => {
  const recording = await recordedCall(await exchangeKeeping(90), 0);
  const real = openConverter({ runProgram: runnerIn("limited"), clock: realClock });
  const converter: Converter = {
    ...real,
    async toMp3(files) {
      const converted = await real.toMp3(files, { whose: 1 });
      await db.query(sql`update recordings set deleted_at = now() where call_uuid = $1`, [recording.callUuid]);
      return converted;
    },
  };
  const handlers = { [COMPRESS_RECORDING]: compressRecordings({ db, log: silentLog, objects, converter }) };
  await oweCompression(db, [recording]);
  await (await crew(handlers)).idle();
  expect(await objects.size(recording.objectKey.replace(".wav", ".mp3"))).toBeUndefined();
});
