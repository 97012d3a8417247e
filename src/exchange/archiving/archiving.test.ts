import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openDriveServer } from "../../../test/customer/google-drive.ts";
import { BUCKET, openS3Server, S3_LOGIN, type S3Server } from "../../../test/customer/s3.ts";
import { freshDatabase } from "../../../test/ground/database.ts";
import { secrets } from "../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { openHttpClient } from "../../archive/http-client.ts";
import { realClock } from "../../clock.ts";
import { startWorkers, type Workers } from "../../jobs/workers.ts";
import { silentLog } from "../../log.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import { findArchivedRecording } from "../../store/archived-recordings.ts";
import { countArchived, deleteArchive, listArchives, switchArchiveOff } from "../../store/archives.ts";
import { listAuditLines } from "../../store/audit.ts";
import type { Database, Db } from "../../store/db.ts";
import { deleteExchange } from "../../store/exchanges.ts";
import { forgetRecordings, replaceRecordings } from "../../store/recordings.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { type Archives, openArchives } from "./archives.ts";
import { ARCHIVE_RECORDING, archivingHandlers } from "./jobs.ts";
import { planArchiving } from "./plan.ts";
import { removeAllOutside } from "./remove-all.ts";
import { type ArchiveChanges, setArchive } from "./settings.ts";

const DAY = 86_400_000;

let db: Database;
let clock: TestClock;
let objects: Objects;
let archives: Archives;
let s3: S3Server;
let workers: Workers | undefined;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const folder = await mkdtemp(join(tmpdir(), "archiving-"));
  objects = await openObjects(folder);
  s3 = await openS3Server();
  // The network has its own time; only what is planned is wound.
  const client = openHttpClient({ clock: realClock, privateAllowed: true, patienceMs: 5_000 });
  archives = openArchives({ client, secrets });
  whenOver(async () => {
    archives.close();
    await s3.close();
    await rm(folder, { recursive: true });
  });
});
beforeEach(async () => {
  await db.query(sql`delete from exchanges`);
  await db.query(sql`delete from jobs`);
  clock = testClock();
  s3.front.misbehave = undefined;
  s3.front.heard.length = 0;
});
afterEach(async () => {
  const stopped = workers?.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
  workers = undefined;
});

const place = (): ArchiveChanges => ({
  ...{ kind: "s3", url: s3.url, bucket: BUCKET, prefix: "p", user: S3_LOGIN.accessKey, secret: S3_LOGIN.secretKey },
  local_days: 1,
});

async function exchangeWith(changes: ArchiveChanges | undefined): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('Test', $1, 'secret') returning id`,
    [`${randomUUID()}.example`],
  );
  if (changes) await setArchive({ db, secrets, exchangeId: row!.id }, changes);
  return row!.id;
}

async function recording(exchangeId: number, { daysAgo = 0, size = 5_000, kept = true } = {}) {
  const callUuid = randomUUID();
  const objectKey = `recordings/${callUuid}.mp3`;
  const bytes = randomBytes(size);
  if (kept) await objects.put(objectKey, { bytes });
  const at = new Date(clock.wall() - daysAgo * DAY);
  await db.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type, created_at) values ($1, $2, $3, 'audio/mpeg', $4)`,
    [callUuid, exchangeId, objectKey, at],
  );
  return { exchangeId, callUuid, objectKey, bytes };
}

type Recording = Awaited<ReturnType<typeof recording>>;

const rowOf = async ({ exchangeId, callUuid }: Recording) =>
  (await findArchivedRecording(db, { exchangeId, callUuid }))!;

/** Plans, and does what is due. */
async function round(): Promise<void> {
  await planArchiving(db, clock.wall());
  const handlers = archivingHandlers({ db, clock, log: silentLog, objects, archives });
  workers ??= await startWorkers({ db, clock, log: silentLog, handlers, random: () => 0.5 });
  await workers.idle();
}

async function outside({ exchangeId, ...it }: Recording): Promise<Buffer | string> {
  const row = await rowOf({ exchangeId, ...it });
  if (row.archiveId === null || row.archiveName === null) return "nowhere";
  const range = { from: 0, to: it.bytes.length - 1 };
  const wanted = { archiveId: row.archiveId, name: row.archiveName, size: it.bytes.length, range };
  const stream = await archives.read(db, exchangeId, wanted);
  if ("trouble" in stream) return stream.trouble;
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const isHere = async ({ objectKey }: Recording) => (await objects.size(objectKey)) !== undefined;
const puts = () => s3.front.heard.filter(({ method }) => method === "PUT").map(({ url }) => url);

test("a recording is put away, stays here for its days, and then lives only outside", async () => {
  const exchangeId = await exchangeWith(place());
  const it = await recording(exchangeId);
  await round();
  expect(await rowOf(it)).toMatchObject({ archivedAt: new Date(clock.wall()), localGoneAt: null });
  expect(puts()).toEqual([`/${BUCKET}/p/2026/01/05/${it.callUuid}.mp3`]);
  expect(await isHere(it)).toBe(true);
  clock.pass(DAY - 60_000);
  await round();
  expect(await isHere(it)).toBe(true);
  clock.pass(60_000);
  await round();
  expect(await isHere(it)).toBe(false);
  expect(await outside(it)).toEqual(it.bytes);
  expect(puts()).toHaveLength(1);
  expect(await countArchived(db, exchangeId)).toEqual({
    ...{ archived: 1, outsideOnly: 1, waiting: 0, failing: 0, toRemove: 0 },
  });
});

test("nothing is put away before its day, while it is still compressed, or without an archive", async () => {
  const later = await exchangeWith({ ...place(), after_days: 2 });
  const young = await recording(later, { daysAgo: 1 });
  const old = await recording(later, { daysAgo: 2 });
  const busy = await recording(later, { daysAgo: 3 });
  await db.query(
    sql`insert into jobs (kind, payload, unique_key, run_at, max_attempts) values ('recording.compress', '{}', $1, 'infinity', 5)`,
    [busy.callUuid],
  );
  const none = await recording(await exchangeWith(undefined), { daysAgo: 9 });
  await round();
  const archived = await Promise.all([young, old, busy, none].map(async (it) => (await rowOf(it)).archivedAt !== null));
  expect(archived).toEqual([false, true, false, false]);
  expect(await countArchived(db, later)).toMatchObject({ archived: 1, waiting: 2 });
});

test("a backlog of years is taken along little by little", async () => {
  const exchangeId = await exchangeWith(place());
  await db.query(
    sql`insert into recordings (call_uuid, exchange_id, object_key, media_type, created_at)
     select gen_random_uuid(), $1, 'recordings/x' || n, 'audio/mpeg', $2::timestamptz - n * interval '1 hour'
     from generate_series(1, 1200) as n`,
    [exchangeId, new Date(clock.wall())],
  );
  const owed = async () => (await db.query(sql`select 1 from jobs where kind = ${sql`'recording.archive'`}`)).length;
  await planArchiving(db, clock.wall());
  expect(await owed()).toBe(500);
  await planArchiving(db, clock.wall());
  expect(await owed()).toBe(500);
  // Their files are not here: each is looked at once, noted, and in nobody's way.
  for (let turn = 0; turn < 3; turn++) await round();
  expect(await owed()).toBe(0);
  expect(await countArchived(db, exchangeId)).toMatchObject({ failing: 1_200, archived: 0 });
  expect(puts()).toEqual([]);
});

/** The database of a server that is killed at one statement. */
function killedAt(words: RegExp): Db {
  const query: Db["query"] = async (text: Sql, values) => {
    if (words.test(String(text))) throw new Error("killed");
    return db.query(text, values);
  };
  return { query, transaction: (work) => db.transaction((inner) => work({ ...inner, query })) };
}

async function runKilled(it: Recording, words: RegExp): Promise<void> {
  const handlers = archivingHandlers({ db: killedAt(words), clock, log: silentLog, objects, archives });
  const { exchangeId, callUuid } = it;
  const job = { id: 1, attempt: 1, lane: null, signal: new AbortController().signal };
  const run = handlers[ARCHIVE_RECORDING]!.run({ exchangeId, callUuid } as never, job);
  await expect(run).rejects.toThrow("killed");
}

test("killed before, between and after the copy, nothing is lost and nothing lies outside twice", async () => {
  const exchangeId = await exchangeWith(place());
  const it = await recording(exchangeId);
  for (const moment of [
    /set archive_id = /,
    /set archived_at = \$4/,
    /from archives where exchange_id = \$1 and active/,
  ]) {
    await runKilled(it, moment);
    expect(await isHere(it)).toBe(true);
    expect(await rowOf(it)).toMatchObject({ archivedAt: null });
    clock.pass(40 * DAY); // however long the server was away, a copy that was never checked does not count
    await planArchiving(db, clock.wall());
    expect(await db.query(sql`select 1 from jobs where kind = ${sql`'recording.leave'`}`)).toEqual([]);
  }
  await round();
  expect(await rowOf(it)).toMatchObject({ archivedAt: new Date(clock.wall()) });
  expect(new Set(puts()).size).toBe(1);
  expect(await outside(it)).toEqual(it.bytes);
});

test("where ids are given out, too, a kill between the copy and its row leaves one file", async () => {
  const drive = await openDriveServer();
  whenOver(() => drive.close());
  const { url, folder, key: secret } = drive;
  const it = await recording(await exchangeWith({ kind: "google-drive", url, folder, secret }));
  await runKilled(it, /set archived_at = \$4/);
  expect(drive.files.size).toBe(1);
  await round();
  expect(await rowOf(it)).toMatchObject({ archivedAt: new Date(clock.wall()) });
  expect([...drive.files.values()].map(({ name }) => name)).toEqual([`${it.callUuid}.mp3`]);
  expect(await outside(it)).toEqual(it.bytes);
});

test("killed between the row and the file, the copy here goes with the next try", async () => {
  const it = await recording(await exchangeWith(place()));
  await round();
  await db.query(sql`update recordings set local_gone_at = $2 where call_uuid = $1`, [it.callUuid, new Date()]);
  await db.query(
    sql`insert into jobs (kind, payload, unique_key, share, max_attempts, run_at)
     values ('recording.leave', $1, $2, 'archive', 9, 'epoch')`,
    [{ exchangeId: it.exchangeId, callUuid: it.callUuid }, it.callUuid],
  );
  await round();
  expect(await isHere(it)).toBe(false);
});

test("the copy here does not go when the store has lost its own: it is put there again", async () => {
  const it = await recording(await exchangeWith(place()));
  await round();
  const archive = await archives.open(db, it.exchangeId, (await rowOf(it)).archiveId!);
  if ("trouble" in archive) throw new Error(archive.trouble);
  await archive.remove((await rowOf(it)).archiveName!);
  clock.pass(2 * DAY);
  await round();
  expect(await isHere(it)).toBe(true);
  await round();
  expect(await outside(it)).toEqual(it.bytes);
  expect(puts()).toHaveLength(2);
  clock.pass(2 * DAY);
  await round();
  expect(await isHere(it)).toBe(false);
});

test("a store that lies about what it took gets it again and again, and the copy here stays", async () => {
  const it = await recording(await exchangeWith(place()));
  s3.front.misbehave = ({ method }, response) => {
    if (method === "HEAD") response.writeHead(200, { "content-length": 4_999 }).end();
    return method === "HEAD";
  };
  await round();
  expect(await rowOf(it)).toMatchObject({ archivedAt: null });
  expect(await countArchived(db, it.exchangeId)).toMatchObject({ failing: 1, waiting: 1, archived: 0 });
  clock.pass(40 * DAY);
  await round();
  expect(await isHere(it)).toBe(true);
  s3.front.misbehave = undefined;
  clock.pass(DAY);
  await round();
  expect(await countArchived(db, it.exchangeId)).toMatchObject({ failing: 0, waiting: 0, archived: 1 });
});

test("a store that refuses is tried at growing distances, told of once, and at once when it is set right", async () => {
  const exchangeId = await exchangeWith({ ...place(), secret: "wrong" });
  const it = await recording(exchangeId);
  await round();
  const waits: number[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const [job] = await db.query<{ run_at: Date }>(sql`select run_at from jobs`);
    waits.push(Math.round((job!.run_at.getTime() - clock.wall()) / 60_000));
    clock.pass(job!.run_at.getTime() - clock.wall());
    await round();
  }
  expect(waits.slice(0, 4)).toEqual([1, 1, 2, 4]);
  expect(Math.max(...waits)).toBe(60);
  const told = () =>
    listAuditLines(db, exchangeId).then((lines) => lines.map(({ did, details }) => [did, details.why]));
  expect(await told()).toEqual([["archive-failing", "login"]]);
  const [row] = await listArchives(db, exchangeId);
  expect(row).toMatchObject({ trouble: { trouble: "login", detail: "SignatureDoesNotMatch" } });
  expect(JSON.stringify(await db.query(sql`select * from jobs`))).not.toContain("wrong");
  await setArchive({ db, secrets, exchangeId }, { secret: S3_LOGIN.secretKey });
  clock.pass(60 * 60_000);
  await round();
  expect(await rowOf(it)).toMatchObject({ archivedAt: new Date(clock.wall()) });
  expect(await told()).toEqual([
    ["archive-works", undefined],
    ["archive-failing", "login"],
  ]);
});

test("what is deleted here is removed outside, as soon as the store lets us", async () => {
  const exchangeId = await exchangeWith(place());
  const it = await recording(exchangeId);
  await round();
  await objects.delete(it.objectKey);
  await forgetRecordings(db, [it.callUuid], clock.wall());
  s3.front.misbehave = ({ method }, response) => {
    if (method === "DELETE") response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    return method === "DELETE";
  };
  await round();
  expect(await countArchived(db, exchangeId)).toMatchObject({ toRemove: 1, failing: 1 });
  expect((await listArchives(db, exchangeId))[0]).toMatchObject({ trouble: { trouble: "forbidden" } });
  const [archive] = await listArchives(db, exchangeId);
  expect(await deleteArchive(db, exchangeId, archive!.id)).toMatchObject({ refused: "in-use" });
  expect(await outside(it)).toEqual(it.bytes);
  s3.front.misbehave = undefined;
  await switchArchiveOff(db, exchangeId); // what is owed is owed all the same
  clock.pass(2 * 60_000);
  await round();
  expect(await countArchived(db, exchangeId)).toMatchObject({ toRemove: 0, failing: 0 });
  expect(await rowOf(it)).toMatchObject({ archiveId: null, archiveName: null });
  expect(await deleteArchive(db, exchangeId, archive!.id)).toBeUndefined();
});

test("a recording that is deleted while it is being put leaves nothing outside", async () => {
  const it = await recording(await exchangeWith(place()));
  let deleted: Promise<unknown> | undefined;
  s3.front.misbehave = ({ method }) => {
    if (method === "PUT") deleted = forgetRecordings(db, [it.callUuid], clock.wall());
    return false;
  };
  await round();
  await deleted;
  s3.front.misbehave = undefined;
  await round();
  expect(await rowOf(it)).toMatchObject({ archiveId: null });
  const kept = s3.front.heard.filter(({ method }) => method === "DELETE");
  expect(kept.length).toBeGreaterThan(0);
});

test("after a move earlier recordings are served from where they were put", async () => {
  const exchangeId = await exchangeWith(place());
  const first = await recording(exchangeId);
  await round();
  const second = await openS3Server();
  whenOver(() => second.close());
  const where = { db, secrets, exchangeId };
  // A stored secret is not taken along to another host.
  expect(await setArchive(where, { url: second.url })).toEqual({ refused: "blank", field: "secret" });
  await setArchive(where, { url: second.url, secret: S3_LOGIN.secretKey });
  const later = await recording(exchangeId);
  clock.pass(2 * DAY);
  await round();
  await round();
  const [inUse, earlier] = await listArchives(db, exchangeId);
  expect([inUse!.active, earlier!.active]).toEqual([true, false]);
  expect((await rowOf(first)).archiveId).toBe(earlier!.id);
  expect((await rowOf(later)).archiveId).toBe(inUse!.id);
  expect(await isHere(first)).toBe(false);
  expect(await outside(first)).toEqual(first.bytes);
  expect(await outside(later)).toEqual(later.bytes);
  expect(await deleteArchive(db, exchangeId, earlier!.id)).toMatchObject({ refused: "in-use" });
  // Keys and folders may change: names are known as they are.
  await setArchive(where, { prefix: "q" });
  expect(await listArchives(db, exchangeId)).toHaveLength(2);
});

test("a file that lies outside is not replaced by another one here", async () => {
  const it = await recording(await exchangeWith(place()));
  await round();
  const other = { newKey: "recordings/other.mp3", mediaType: "audio/mpeg" };
  expect(await replaceRecordings(db, [{ ...it, ...other }])).toEqual(new Set());
});

test("an exchange that goes takes what it has outside along, or says why not", async () => {
  const exchangeId = await exchangeWith(place());
  const [first, second] = [await recording(exchangeId), await recording(exchangeId)];
  await round();
  s3.front.misbehave = (_heard, response) => {
    response.writeHead(403).end();
    return true;
  };
  const parts = { db, archives, nowMs: clock.wall() };
  expect(await removeAllOutside(parts, exchangeId)).toMatchObject({ trouble: "forbidden" });
  s3.front.misbehave = undefined;
  expect(await removeAllOutside(parts, exchangeId)).toBeUndefined();
  for (const it of [first, second]) expect(await outside(it)).toBe("nowhere");
  expect(await deleteExchange(db, exchangeId)).toBe(true);
});

test("settings that do not fit together are refused", async () => {
  const exchangeId = await exchangeWith(undefined);
  const set = (changes: ArchiveChanges) => setArchive({ db, secrets, exchangeId }, { ...place(), ...changes });
  const wrong: [ArchiveChanges, object][] = [
    [{ bucket: "" }, { refused: "blank", field: "bucket" }],
    [{ user: "" }, { refused: "blank", field: "user" }],
    [{ secret: null }, { refused: "blank", field: "secret" }],
    [{ bucket: "../other" }, { refused: "malformed", field: "bucket" }],
    [{ region: "eu central" }, { refused: "malformed", field: "region" }],
    [{ prefix: "a/../../b" }, { refused: "malformed", field: "prefix" }],
    [{ prefix: "a\nb" }, { refused: "malformed", field: "prefix" }],
    [{ url: "ftp://store.example" }, { refused: "malformed", field: "url" }],
    [{ url: "https://user:secret@store.example" }, { refused: "malformed", field: "url" }],
    [{ url: "https://store.example/?a=b" }, { refused: "malformed", field: "url" }],
    [
      { kind: "webdav", url: null },
      { refused: "blank", field: "url" },
    ],
    [{ kind: "google-drive" }, { refused: "blank", field: "folder" }],
    [
      { kind: "google-drive", folder: "a/b" },
      { refused: "malformed", field: "folder" },
    ],
    [
      { kind: "google-drive", folder: "1abc", secret: "no key" },
      { refused: "malformed", field: "secret" },
    ],
  ];
  for (const [changes, refusal] of wrong) expect(await set(changes), JSON.stringify(changes)).toEqual(refusal);
  expect(await listArchives(db, exchangeId)).toEqual([]);
  expect(await set({})).toHaveProperty("id");
  const [row] = await db.query<{ secret: string }>(sql`select secret from archives where exchange_id = $1`, [
    exchangeId,
  ]);
  expect(row!.secret).toMatch(/^sealed:/);
});
