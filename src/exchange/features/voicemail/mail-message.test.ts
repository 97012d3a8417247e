import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  attachmentOf,
  type MailServer,
  type MailServerOptions,
  openMailServer,
} from "../../../../test/customer/mail-server.ts";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { eventually } from "../../../../test/ground/eventually.ts";
import { freePorts } from "../../../../test/ground/free-ports.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import { whenOver } from "../../../../test/ground/when-over.ts";
import { toneFile, toneIn } from "../../../../test/town/real-town.ts";
import { deadJobs } from "../../../jobs/jobs.ts";
import { startWorkers, type Workers } from "../../../jobs/workers.ts";
import { silentLog } from "../../../log.ts";
import { openMailer } from "../../../mail/mailer.ts";
import { type Objects, openObjects } from "../../../objects/objects.ts";
import { createAnnouncement, deleteAnnouncement } from "../../../store/announcements.ts";
import type { Database } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createExtension } from "../../../store/extensions.ts";
import { deleteMessage, findMailbox, setMailbox } from "../../../store/mailboxes.ts";
import { sql } from "../../../store/sql.ts";
import { letterWords } from "../../../words/letters/words.ts";
import type { CallFacts } from "../../calls/call-facts.ts";
import { mailMessages } from "./mail-message.ts";
import { MAIL_MESSAGE, openVoicemail, type Voicemail } from "./voicemail.ts";

const NUMBER = "1000";
const HZ = 520;

let db: Database;
let objects: Objects;
let voicemail: Voicemail;
let folder: string;
let exchangeId: number;
let clock: TestClock;
/** Of which their owner could be told at once. */
const left: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase());
  folder = await mkdtemp(join(tmpdir(), "mail-"));
  objects = await openObjects(join(folder, "objects"));
  voicemail = await openVoicemail({
    db,
    objects,
    folder,
    onChange: () => undefined,
    onLeft: (it) => void left.push(it.facts.uuid),
  });
  whenOver(async () => {
    await voicemail.close();
    await rm(folder, { recursive: true });
  });
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
  await createExtension(db, { exchangeId, number: NUMBER, password: "a long password", name: "Ayşe" });
});

beforeEach(async () => {
  await db.query(sql`delete from jobs`);
  clock = testClock();
});

/** Somebody has said a tone into the mailbox. */
async function leave(to: string): Promise<{ uuid: string; said: Buffer }> {
  await setMailbox(db, secrets, { exchangeId, number: NUMBER, changes: { email: to } });
  const mailbox = (await findMailbox(db, exchangeId, NUMBER))!; // made above
  const uuid = randomUUID();
  const path = toneFile(folder, HZ);
  const said = await readFile(path);
  const facts: CallFacts = {
    uuid,
    exchangeId,
    direction: "inbound",
    origin: "phone",
    startMs: clock.wall(),
    callerNumber: "05321234567",
    callerName: "Çiğdem",
    outboundCallerId: "",
    destinationNumber: "",
    destinationName: "",
    dialedUser: "",
    connectedUser: "",
    queueWaitSeconds: 0,
    story: [],
  };
  await voicemail.keep({ mailbox, facts, durationMs: 60_000, path });
  expect(left.at(-1)).toBe(uuid);
  return { uuid, said };
}

async function post(port: number): Promise<Workers> {
  const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from: "santral@test.example" });
  const handlers = { [MAIL_MESSAGE]: mailMessages({ db, objects, mailer, words: letterWords }) };
  return startWorkers({ db, clock, log: silentLog, handlers, random: () => 0.5 });
}

/** What a stopped server does with work that it has not finished, however it was stopped. */
async function stop(workers: Workers): Promise<void> {
  const stopped = workers.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
}

async function mailServer(options?: MailServerOptions): Promise<MailServer> {
  const server = await openMailServer(options);
  whenOver(() => server.close().catch(() => undefined)); // some tests close it themselves
  return server;
}

const owed = () => db.query<{ attempts: number; error: string }>(sql`select attempts, last_error as error from jobs`);

test("a message is mailed to its owner, and the attached sound is what was said", async () => {
  const server = await mailServer();
  const { uuid, said } = await leave("ayse@test.example");
  const workers = await post(server.port);
  await workers.idle();
  await stop(workers);
  expect(server.letters).toHaveLength(1);
  const [letter] = server.letters;
  expect(letter).toMatchObject({ from: "santral@test.example", to: ["ayse@test.example"] });
  const { name, type, bytes } = attachmentOf(letter!);
  expect({ name, type }).toEqual({ name: `${uuid}.wav`, type: "audio/wav" });
  expect(bytes.equals(said)).toBe(true);
  expect(toneIn(bytes, HZ)).toBeGreaterThan(0.1);
  expect(await owed()).toEqual([]);
});

test("a mail server that is down is asked again later, by a server that was started in between, and once", async () => {
  const port = await freePorts(); // nobody is there
  await leave("ayse@test.example");
  const before = await post(port);
  await before.idle();
  await stop(before);
  const [job] = await owed();
  expect(job).toMatchObject({ attempts: 1 });
  expect(job?.error).toContain("ECONNREFUSED");
  const back = await mailServer({ port });
  const after = await post(port);
  await after.idle();
  expect(back.letters).toEqual([]); // not yet
  clock.pass(60_000);
  await after.idle();
  clock.pass(3_600_000);
  await after.idle();
  await stop(after);
  expect(back.letters).toHaveLength(1);
  expect(await owed()).toEqual([]);
});

test("a server that is stopped while a letter is under way sends it after its next start", async () => {
  const hanging = await mailServer({ silent: () => "taken" });
  const { said } = await leave("ayse@test.example");
  const before = await post(hanging.port);
  await eventually("the letter is under way", async () => hanging.visits() > 0);
  await stop(before);
  await hanging.close();
  const server = await mailServer();
  const after = await post(server.port);
  await after.idle();
  await stop(after);
  expect(server.letters).toHaveLength(1);
  expect(attachmentOf(server.letters[0]!).bytes.equals(said)).toBe(true);
});

test("an address that is refused for good is a dead letter at once, and one refused for now is not", async () => {
  const server = await mailServer({
    recipient: (address) => (address.startsWith("nobody") ? "550 5.1.1 no such mailbox" : "451 4.7.1 come back later"),
  });
  await leave("nobody@test.example");
  await leave("somebody@test.example");
  const workers = await post(server.port);
  await workers.idle();
  await stop(workers);
  const dead = await deadJobs(db);
  expect(dead).toHaveLength(1);
  expect(dead[0]).toMatchObject({ attempts: 1, payload: { to: "nobody@test.example" } });
  expect(dead[0]?.lastError).toContain("550 5.1.1 no such mailbox");
  expect((await owed()).map(({ error }) => error).join()).toContain("451 4.7.1 come back later");
});

test("a message that its owner has deleted meanwhile is not mailed", async () => {
  const server = await mailServer();
  const { uuid } = await leave("ayse@test.example");
  const mailbox = (await findMailbox(db, exchangeId, NUMBER))!; // made above
  await deleteMessage(db, mailbox.extensionId, uuid);
  const workers = await post(server.port);
  await workers.idle();
  await stop(workers);
  expect(server.letters).toEqual([]);
  expect(await owed()).toEqual([]);
});

test("a sound that greets callers is not deleted under them", async () => {
  const sound = { objectKey: "sounds/a.wav", fileName: "a.wav", durationMs: 1_000 };
  const id = await createAnnouncement(db, { exchangeId, name: "Karşılama", sound });
  await setMailbox(db, secrets, { exchangeId, number: NUMBER, changes: { greeting_announcement_id: id } });
  expect(await deleteAnnouncement(db, exchangeId, id)).toEqual({
    refused: "in-use",
    by: { noun: "mailbox", which: NUMBER },
  });
  await setMailbox(db, secrets, { exchangeId, number: NUMBER, changes: { greeting_announcement_id: null } });
  expect(await deleteAnnouncement(db, exchangeId, id)).toEqual({ objectKey: "sounds/a.wav" });
});

test("a spoken greeting is kept until another takes its place, and its file goes with it", async () => {
  const speak = async () => {
    const mailbox = (await findMailbox(db, exchangeId, NUMBER))!; // made above
    await voicemail.keepGreeting({ exchangeId, mailbox, path: toneFile(folder, HZ) });
    return (await findMailbox(db, exchangeId, NUMBER))!.greetingObjectKey!;
  };
  const [first, second] = [await speak(), await speak()];
  expect(await objects.size(first)).toBeUndefined();
  expect(toneIn(await readFile(objects.path(second)), HZ)).toBeGreaterThan(0.1);
  await voicemail.dropGreeting(exchangeId, (await findMailbox(db, exchangeId, NUMBER))!);
  expect(await findMailbox(db, exchangeId, NUMBER)).toMatchObject({ greetingObjectKey: null });
  expect(await objects.size(second)).toBeUndefined();
});
