import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { type TestClock, testClock } from "../../../test/ground/test-clock.ts";
import { silentLog } from "../../log.ts";
import { wavHeader } from "../../media/wav.ts";
import { type Objects, openObjects } from "../../objects/objects.ts";
import { formsOfCall } from "../../store/call-forms.ts";
import { listCdrs } from "../../store/cdrs.ts";
import type { Database } from "../../store/db.ts";
import { createForm } from "../../store/forms.ts";
import { abandonedCalls, readStory } from "../../store/live-calls.ts";
import { sql } from "../../store/sql.ts";
import { storyInWords } from "../../words/story/story.ts";
import type { CallEnd, CallFacts } from "../calls/call-facts.ts";
import { storyOf } from "../calls/story.ts";
import { journalParts } from "../recordings/journal-parts.ts";
import { keepRecording } from "../recordings/keep.ts";
import { type JournalParts, openJournal } from "./journal.ts";
import { recoverCalls } from "./recovery.ts";

let db: Database;
let clock: TestClock;
let objects: Objects;
let folder: string;
let exchangeId: number;
let parts: JournalParts;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  folder = await mkdtemp(join(tmpdir(), "journal-"));
  objects = await openObjects(join(folder, "objects"));
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  await db.query(sql`delete from exchanges`);
  await db.query(sql`delete from jobs`);
  await db.query(sql`delete from nodes`);
  clock = testClock();
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_url, crm_secret)
     values ('Test', 'test.example', 'http://crm.example', 'secret') returning id`,
  );
  exchangeId = row!.id;
  parts = { ...journalParts({ db, clock, log: silentLog, node: "here", objects }), gatherMs: 0 };
});

const call = (changes: Partial<CallFacts> = {}): CallFacts => ({
  uuid: randomUUID(),
  exchangeId,
  direction: "inbound",
  origin: "phone",
  startMs: clock.wall(),
  callerNumber: "902123205062",
  callerName: "",
  outboundCallerId: "",
  destinationNumber: "1001",
  destinationName: "Ayşe",
  dialedUser: "1001",
  connectedUser: "",
  queueWaitSeconds: 0,
  story: [],
  ...changes,
});

const end = (changes: Partial<CallEnd> = {}): CallEnd => ({
  endMs: clock.wall(),
  cause: "NORMAL_CLEARING",
  by: "caller",
  legs: [],
  ...changes,
});

async function cdrs() {
  const { rows } = await listCdrs(db, exchangeId, {}, { page: 1, limit: 100 });
  return rows;
}

async function eventsOwed(): Promise<string[]> {
  const jobs = await db.query<{ event: string }>(
    sql`select payload ->> 'event' as event from jobs where kind = 'webhook.deliver' order by id`,
  );
  return jobs.map(({ event }) => event);
}

async function recordingFile(seconds: number): Promise<string> {
  const path = join(folder, `${randomUUID()}.wav`);
  const sound = Buffer.alloc(seconds * 8_000 * 4);
  // The header still says nothing is in it, as after a crash.
  await writeFile(path, Buffer.concat([wavHeader({ rate: 8_000, channels: 2, dataBytes: 0 }), sound]));
  return path;
}

test("what is told of a call that has its record leaves nothing behind that a crash could have cut off", async () => {
  const journal = openJournal(parts);
  const facts = call();
  journal.opened(facts);
  await journal.closed(facts, end());
  journal.changed(facts);
  journal.rang(facts);
  journal.answered(facts);
  journal.userLeft(facts, { extension: "1001", cause: "NORMAL_CLEARING", endMs: clock.wall() });
  await journal.close();
  expect(await abandonedCalls(db, "here", clock.wall())).toEqual([]);
  expect(await eventsOwed()).toEqual(["hangup"]);
});

test("a call from its first ring to its record", async () => {
  const journal = openJournal(parts);
  const facts = call();
  journal.opened(facts);
  journal.rang(facts);
  clock.pass(4_000);
  facts.answerMs = clock.wall();
  facts.connectedUser = "1001";
  journal.answered(facts);
  clock.pass(60_000);
  facts.story.push({ atMs: clock.wall(), is: "over", cause: "NORMAL_CLEARING" });
  const legs = [
    {
      number: "1001",
      startMs: facts.startMs,
      answerMs: facts.answerMs,
      address: "10.0.0.5",
      userAgent: "Phone",
      writeCodec: "PCMA",
      readCodec: "PCMA",
    },
  ];
  await journal.closed(facts, end({ by: "callee", legs }));
  await journal.close();
  expect(await cdrs()).toMatchObject([
    {
      callUuid: facts.uuid,
      callerIdNumber: "02123205062",
      destinationNumber: "1001",
      durationSeconds: 64,
      talkSeconds: 60,
      missed: false,
      recording: "none",
      sipHangupDisposition: "callee",
      hangupCause: "NORMAL_CLEARING",
    },
  ]);
  expect(await db.query(sql`select destination_number, ip_address, read_codec, hangup_cause from cdr_legs`)).toEqual([
    { destination_number: "1001", ip_address: "10.0.0.5", read_codec: "PCMA", hangup_cause: "NORMAL_CLEARING" },
  ]);
  expect(await eventsOwed()).toEqual(["ringing", "answer", "hangup"]);
  expect(await db.query(sql`select call_uuid from live_calls`)).toEqual([]);
  expect(await readStory(db, exchangeId, facts.uuid)).toEqual([
    { atMs: clock.wall(), is: "over", cause: "NORMAL_CLEARING" },
  ]);
  expect(await readStory(db, exchangeId + 1, facts.uuid)).toBeUndefined();
  expect(clock.waiting()).toBe(0);
});

test("a call that is closed twice has one record and one hangup event", async () => {
  const journal = openJournal(parts);
  const facts = call();
  journal.opened(facts);
  await Promise.all([journal.closed(facts, end()), openJournal({ ...parts, signsOfLife: false }).closed(facts, end())]);
  await journal.close();
  expect(await cdrs()).toHaveLength(1);
  expect(await eventsOwed()).toEqual(["hangup"]);
});

test("hundreds of calls that end together are all written", async () => {
  const journal = openJournal(parts);
  const calls = Array.from({ length: 450 }, () => call());
  for (const facts of calls) {
    journal.opened(facts);
    journal.rang(facts);
  }
  await Promise.all(calls.map((facts) => journal.closed(facts, end())));
  await journal.close();
  const [count] = await db.query<{ count: number }>(sql`select count(*) from cdrs`);
  expect(count!.count).toBe(450);
  expect(await eventsOwed()).toHaveLength(900);
});

test("one call that cannot be written does not take the others with it", async () => {
  const journal = openJournal(parts);
  const [good, orphan, other] = [call(), call({ exchangeId: 999_999 }), call()];
  await Promise.all([good, orphan, other].map((facts) => journal.closed(facts, end())));
  await journal.close();
  expect((await cdrs()).map(({ callUuid }) => callUuid).sort()).toEqual([good.uuid, other.uuid].sort());
});

test("changes without an event are written within a second, and only their last state", async () => {
  const journal = openJournal(parts);
  const facts = call();
  journal.opened(facts);
  for (let n = 0; n < 50; n++) {
    facts.callerName = `name ${n}`;
    journal.changed(facts);
  }
  clock.pass(1_000);
  await journal.close();
  const [row] = await db.query(sql`select facts ->> 'callerName' as name from live_calls`);
  expect(row).toEqual({ name: "name 49" });
});

test("after a crash every call has its record, ended at the last sign of life, with its recording and events", async () => {
  const crashed = openJournal(parts);
  const ringing = call();
  const talking = call({
    answerMs: clock.wall() + 2_000,
    connectedUser: "1001",
    recordingPath: await recordingFile(5),
  });
  for (const facts of [ringing, talking]) {
    crashed.opened(facts);
    crashed.rang(facts);
  }
  crashed.answered(talking);
  await crashed.close(); // as far as it came; neither call was closed
  await db.query(sql`update nodes set seen_at = $1`, [new Date(clock.wall() + 30_000)]);
  clock.pass(59_000);
  expect(await abandonedCalls(db, "elsewhere", clock.wall())).toEqual([]);
  clock.pass(2_000);
  expect(await abandonedCalls(db, "elsewhere", clock.wall())).toHaveLength(2); // nobody else is left to do it
  expect(await recoverCalls(parts)).toBe(2);
  expect(await recoverCalls(parts)).toBe(0);
  const records = await cdrs();
  expect(records).toHaveLength(2);
  const found = records.find(({ callUuid }) => callUuid === talking.uuid)!;
  expect(found).toMatchObject({
    hangupCause: "SYSTEM_SHUTDOWN",
    durationSeconds: 30,
    talkSeconds: 28,
    recording: "present",
  });
  expect(records.find(({ callUuid }) => callUuid === ringing.uuid)).toMatchObject({ missed: true, recording: "none" });
  const [kept] = await db.query<{ object_key: string; duration_ms: number }>(
    sql`select object_key, duration_ms from recordings`,
  );
  expect(kept!.duration_ms).toBe(5_000);
  expect(await objects.size(kept!.object_key)).toBe(44 + 5 * 8_000 * 4);
  expect((await eventsOwed()).sort()).toEqual(["answer", "hangup", "hangup", "ringing", "ringing"]);
  expect(await db.query(sql`select kind from jobs where kind = 'recording.compress'`)).toHaveLength(1);
});

test("a form is owed from the answer on, once, and a crash does not forget it", async () => {
  const formId = Number(await createForm(db, { exchangeId, name: "Görüşme", active: true, fields: [] }));
  const about = {
    formId,
    version: 1,
    atMs: clock.wall(),
    direction: "inbound",
    number: "1",
    name: "",
    queue: null,
  } as const;
  const journal = openJournal(parts);
  const facts = call({ answerMs: clock.wall(), forms: [{ extension: "1001", ...about }] });
  journal.answered(facts);
  await journal.kept(facts.uuid);
  const owed = async () => (await formsOfCall(db, exchangeId, facts.uuid)).map(({ extension }) => extension);
  expect(await owed()).toEqual(["1001"]);
  journal.changed({ ...facts, forms: [...facts.forms!, { extension: "1002", ...about, formId: formId + 1 }] });
  await journal.kept(facts.uuid);
  await journal.close();
  expect(await recoverCalls(parts)).toBe(1);
  expect(await cdrs(), "a form that is gone keeps no call from its record").toHaveLength(1);
  expect(await owed()).toEqual(["1001"]);
});

test("a crash between keeping the recording and writing the record loses neither", async () => {
  const journal = openJournal(parts);
  const facts = call({ answerMs: clock.wall(), recordingPath: await recordingFile(2) });
  journal.opened(facts);
  await journal.close();
  await keepRecording(objects, facts);
  expect(await recoverCalls(parts)).toBe(1);
  expect(await cdrs()).toMatchObject([{ recording: "present" }]);
});

test("a call that an older version told in sentences goes on in facts, which are found by kind", async () => {
  const journal = openJournal(parts);
  const facts = call({ story: [{ atMs: 1, text: "extension 1001 rings" }] });
  journal.opened(facts);
  await journal.close();
  await recoverCalls(parts);
  const told = storyOf(await readStory(db, exchangeId, facts.uuid));
  expect(told.map((line) => storyInWords(line, "tr"))).toEqual([
    "extension 1001 rings",
    "Çağrı sürerken santral durdu",
  ]);
  const stopped = sql`select call_uuid from call_stories where story @> '[{"is":"exchange-stopped"}]'`;
  expect(await db.query(stopped)).toEqual([{ call_uuid: facts.uuid }]);
});

test("a recording without a sound is no recording", async () => {
  const journal = openJournal(parts);
  await journal.closed(call({ recordingPath: await recordingFile(0) }), end());
  await journal.closed(call({ recordingPath: join(folder, "never-written.wav") }), end());
  await journal.close();
  expect((await cdrs()).map(({ recording }) => recording)).toEqual(["none", "none"]);
});

test("the answered call that follows a missed one returns it", async () => {
  const journal = openJournal(parts);
  const have = async (changes: Partial<CallFacts>) => {
    clock.pass(60_000);
    const facts = call(changes);
    await journal.closed(facts, end());
    return facts.uuid;
  };
  const answered = () => ({ answerMs: clock.wall() + 60_000 });
  const tooOld = await have({ startMs: clock.wall() - 40 * 86_400_000 });
  const missed = await have({ callerNumber: "905321234567" });
  const missedAgain = await have({ callerNumber: "05321234567" });
  const stranger = await have({ callerNumber: "905559999999" });
  const withheld = await have({ callerNumber: "anonymous" });
  const tried = await have({ direction: "outbound", callerNumber: "1001", destinationNumber: "905321234567" });
  const back = await have({
    ...answered(),
    direction: "outbound",
    callerNumber: "1002",
    destinationNumber: "+90 532 123 45 67",
  });
  await have({ ...answered(), callerNumber: "905321234567" });
  await have({ ...answered(), callerNumber: "902123205062" });
  await have({ ...answered(), callerNumber: "anonymous" });
  const internal = await have({ direction: "internal", callerNumber: "1001", destinationNumber: "1002" });
  const internalBack = await have({
    ...answered(),
    direction: "internal",
    callerNumber: "1002",
    destinationNumber: "1001",
  });
  await journal.close();
  const returned = Object.fromEntries((await cdrs()).map(({ callUuid, returnUuid }) => [callUuid, returnUuid]));
  expect(returned).toMatchObject({
    [missed]: back,
    [missedAgain]: back,
    [tried]: back,
    [stranger]: null,
    [withheld]: null,
    [tooOld]: null,
    [back]: null,
    [internal]: internalBack,
  });
});

test("who gives up was not answered, whatever he heard, and how long he waited is kept", async () => {
  const journal = openJournal(parts);
  const facts = call({ queue: "200", queuedMs: clock.wall() + 2_000 });
  journal.opened(facts);
  clock.pass(14_000);
  await journal.closed(facts, end());
  await journal.closed(call(), end({ by: "callee" }));
  await journal.close();
  const [gaveUp, turnedAway] = (await cdrs()).sort((one, other) => other.queueWaitSeconds - one.queueWaitSeconds);
  expect(gaveUp).toMatchObject({
    hangupCause: "ORIGINATOR_CANCEL",
    missed: true,
    queueWaitSeconds: 12,
    talkSeconds: 0,
  });
  expect(turnedAway).toMatchObject({ hangupCause: "NO_ANSWER", missed: true });
  const bodies = await db.query<{ body: string }>(
    sql`select payload ->> 'body' as body from jobs where payload ->> 'event' = 'hangup' order by id`,
  );
  expect(Object.fromEntries(new URLSearchParams(bodies[0]!.body))).toMatchObject({
    answered: "false",
    hangup_cause: "ORIGINATOR_CANCEL",
    queue_wait_duration: "12",
    duration: "0",
  });
});

test("one extension leaving a call that goes on is told as such", async () => {
  const journal = openJournal(parts);
  const facts = call({ answerMs: clock.wall(), connectedUser: "1001" });
  journal.userLeft(facts, { extension: "1001", cause: "NORMAL_CLEARING", endMs: clock.wall() });
  await journal.close();
  const [job] = await db.query<{ body: string }>(sql`select payload ->> 'body' as body from jobs`);
  const form = new URLSearchParams(job!.body);
  expect([form.get("event_type"), form.get("connected_user"), form.get("duration")]).toEqual([
    "user_hangup",
    "1001",
    "0",
  ]);
});

test("a call that is left to the next process is written as it was then, and nobody is told of what comes after", async () => {
  const journal = openJournal(parts);
  const facts = call();
  journal.opened(facts, () => ({ kept: "as it was" }));
  const left = journal.handOver([facts]);
  facts.answerMs = clock.wall();
  journal.answered(facts);
  await left;
  await journal.closed(facts, end());
  await journal.close();
  const [row] = await db.query(sql`select facts->'answerMs' as answered, resume from live_calls`);
  expect(row).toEqual({ answered: null, resume: { kept: "as it was" } });
  expect(await db.query(sql`select kind from jobs`)).toEqual([]);
  expect(await cdrs()).toEqual([]);
});
