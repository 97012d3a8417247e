import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { realClock } from "../../clock.ts";
import { silentLog } from "../../log.ts";
import { wavHeader } from "../../media/wav.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import type { Database } from "../../store/db.ts";
import { writeLiveCalls } from "../../store/live-calls.ts";
import { sql } from "../../store/sql.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import { recoverMessage } from "../features/voicemail/recover-message.ts";
import { recoverCalls } from "../journal/recovery.ts";
import { journalParts } from "./journal-parts.ts";
import { adoptLeftovers, countUnclaimed, recordingIn, unclaimedIn } from "./leftovers.ts";

let db: Database;
let folder: string;
let objects: Objects;
let exchangeId: number;

beforeEach(async () => {
  ({ db } = await freshDatabase());
  const root = await mkdtemp(join(tmpdir(), "leftovers-"));
  whenOver(() => rm(root, { recursive: true, force: true }));
  folder = join(root, "recordings");
  await mkdir(folder);
  objects = await openObjects(join(root, "objects"));
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ('Left', 'left.example', 'secret') returning id`,
  );
  exchangeId = row!.id;
});

async function soundAt(name: string, seconds = 2, channels = 2): Promise<string> {
  const sound = Buffer.alloc(8_000 * seconds * channels * 2, 1);
  const header = wavHeader({ rate: 8_000, channels, dataBytes: 0 }); // as a crash leaves it
  await writeFile(join(folder, name), Buffer.concat([header, sound]));
  return join(folder, name);
}

function callFacts(more: Partial<CallFacts> = {}): CallFacts {
  return {
    uuid: randomUUID(),
    exchangeId,
    direction: "inbound",
    origin: "phone",
    startMs: realClock.wall() - 60_000,
    callerNumber: "905321234567",
    callerName: "",
    outboundCallerId: "",
    destinationNumber: "1001",
    destinationName: "",
    dialedUser: "1001",
    connectedUser: "",
    queueWaitSeconds: 0,
    story: [],
    ...more,
  };
}

/** In the journal, as it stood when the process died. */
async function wasUp(facts: CallFacts): Promise<void> {
  const { uuid: callUuid, startMs, recordingPath } = facts;
  await writeLiveCalls(db, "here", [{ callUuid, exchangeId, facts, startMs, recordingPath, seenMs: realClock.wall() }]);
}

async function startAgain(): Promise<void> {
  const parts = journalParts({
    ...{ db, clock: realClock, log: silentLog, node: "here", objects, recordings: folder },
    onRecovered: async (facts) => void (await recoverMessage({ db, objects, folder }, facts)),
  });
  await recoverCalls(parts);
  await adoptLeftovers({ db, log: silentLog, objects, folder });
}

async function recordOf(uuid: string) {
  const [row] = await db.query<{ recording: string; objectKey: string | null; durationMs: number | null }>(
    sql`select recording, object_key as "objectKey", duration_ms as "durationMs"
     from cdrs left join recordings using (call_uuid) where call_uuid = $1`,
    [uuid],
  );
  return row;
}

async function closedWithout(facts: CallFacts): Promise<void> {
  await wasUp(facts);
  await startAgain();
  expect(await recordOf(facts.uuid)).toMatchObject({ recording: "none" });
}

test("a recording begun in the last second before a crash, not yet in the journal, is with its call", async () => {
  const facts = callFacts();
  await wasUp(facts);
  await soundAt(`${facts.uuid}-${randomUUID()}.wav`, 1, 1);
  await soundAt(`${facts.uuid}.wav`, 2);
  await startAgain();
  expect(await recordOf(facts.uuid)).toMatchObject({ recording: "present", durationMs: 3_000 });
  expect(await readdir(folder)).toEqual([]);
});

test("one that was in keeping already, and not in the journal, is with its call", async () => {
  const facts = callFacts();
  await wasUp(facts);
  const objectKey = `recordings/${facts.uuid}.wav`;
  await objects.put(objectKey, { file: await soundAt(`${facts.uuid}.wav`) });
  await startAgain();
  expect(await recordOf(facts.uuid)).toEqual({ recording: "present", objectKey, durationMs: 2_000 });
});

test("one that could not be kept when its call ended is with its record after the next start, and compressed later", async () => {
  const facts = callFacts();
  await closedWithout(facts);
  await soundAt(`${facts.uuid}.wav`);
  await startAgain();
  const objectKey = `recordings/${facts.uuid}.wav`;
  expect(await recordOf(facts.uuid)).toEqual({ recording: "present", objectKey, durationMs: 2_000 });
  const owed = await db.query(sql`select payload from jobs where kind = 'recording.compress'`);
  expect(owed).toEqual([{ payload: { callUuid: facts.uuid, objectKey, exchangeId } }]);
  // A second file of the same call is one that is in keeping.
  await soundAt(`${facts.uuid}.wav`, 1);
  await startAgain();
  expect(await recordOf(facts.uuid)).toMatchObject({ durationMs: 2_000 });
  expect(await readdir(folder)).toEqual([]);
});

test("one of a call that nobody knows is put aside and counted, and one of a call that goes on is left alone", async () => {
  const stranger = `${randomUUID()}.wav`;
  await soundAt(stranger);
  await soundAt(`message-${stranger}`);
  await soundAt(`listen-${stranger}`);
  await soundAt(`greeting-${stranger}`);
  await writeFile(join(folder, "notes.txt"), "not ours");
  const live = callFacts();
  await wasUp(live);
  const goesOn = await soundAt(`${live.uuid}.wav`);
  await adoptLeftovers({ db, log: silentLog, objects, folder });
  expect((await readdir(unclaimedIn(folder))).sort()).toEqual([stranger, `message-${stranger}`].sort());
  expect(await countUnclaimed(folder)).toBe(2);
  expect(goesOn).toBe(recordingIn(folder, live.uuid));
  expect((await readdir(folder)).sort()).toEqual([`${live.uuid}.wav`, "notes.txt", "unclaimed"].sort());
});

test.each(["while it was spoken", "while it was kept"])(
  "a message that a crash cut off %s reaches its owner, once",
  async (when) => {
    await db.query(
      sql`insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256) values ($1, '1001', 'Ada', '', '')`,
      [exchangeId],
    );
    const facts = callFacts({ story: [{ atMs: 0, is: "asked-for-message", mailbox: "1001" }] });
    await wasUp(facts);
    const path = await soundAt(`message-${facts.uuid}.wav`, 4, 1);
    if (when === "while it was kept") await objects.put(`voicemail/${facts.uuid}.wav`, { file: path });
    await startAgain();
    await wasUp(facts);
    await startAgain();
    const messages = await db.query(
      sql`select uuid, caller_id_number as caller, duration_seconds as seconds, object_key as "objectKey"
       from voicemail_messages`,
    );
    const objectKey = `voicemail/${facts.uuid}.wav`;
    expect(messages).toEqual([{ uuid: facts.uuid, caller: "905321234567", seconds: 4, objectKey }]);
    expect(existsSync(path)).toBe(false);
    expect(await objects.size(objectKey)).toBeGreaterThan(60_000);
  },
);
