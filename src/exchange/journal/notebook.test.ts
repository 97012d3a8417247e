import { randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../../test/ground/database.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { silentLog } from "../../log.ts";
import { sql } from "../../store/sql.ts";
import type { CallFacts } from "../calls/call-facts.ts";
import { type JournalParts, openJournal } from "./journal.ts";
import { openNotebook, readNotes } from "./notebook.ts";
import { recoverCalls, takeUpNotes } from "./recovery.ts";

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "notes-")), "notes");
});
afterEach(() => rm(join(folder, ".."), { recursive: true }));

const keys = async () => (await readNotes(folder)).map(([key]) => key);

test("what was noted and is not in the database yet is read again, in its order", async () => {
  const notebook = await openNotebook(folder, silentLog);
  notebook.note("one", { text: "line\nbreak" });
  const two = notebook.note("two", {});
  notebook.note("one", { text: "later" });
  two();
  await notebook.close();
  expect(await readNotes(folder)).toEqual([
    ["one", { text: "line\nbreak" }],
    ["two", {}],
    ["one", { text: "later" }],
  ]);
});

test("once the database has all of it nothing is left on the disk, and a new one begins empty", async () => {
  const notebook = await openNotebook(folder, silentLog);
  for (const written of [notebook.note("one", {}), notebook.note("two", {})]) written();
  await notebook.close();
  expect(await keys()).toEqual([]);
  for (const name of await readdir(folder)) {
    const { size, mode } = await stat(join(folder, name));
    expect([size, mode & 0o077]).toEqual([0, 0]);
  }
  const left = await openNotebook(folder, silentLog);
  left.note("three", {});
  await left.close();
  await (await openNotebook(folder, silentLog)).close();
  expect(await keys()).toEqual([]);
});

test("a rush of calls that never pauses does not grow without end", async () => {
  const notebook = await openNotebook(folder, silentLog);
  const text = "x".repeat(8_000);
  const waiting: (() => void)[] = [];
  for (let call = 0; call < 2_000; call++) {
    waiting.push(notebook.note(String(call), { text }));
    if (waiting.length > 5) waiting.shift()?.();
    if (call % 50 === 0) await new Promise(setImmediate);
  }
  await notebook.close();
  const sizes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  expect(Math.max(...sizes)).toBeLessThan(300_000);
  expect(await keys()).toEqual(expect.arrayContaining(["1995", "1996", "1997", "1998", "1999"]));
});

test("what a kill tore off is left out, and a folder that never was has no notes", async () => {
  expect(await keys()).toEqual([]);
  const notebook = await openNotebook(folder, silentLog);
  notebook.note("one", {});
  await notebook.close();
  const [first] = (await readdir(folder)).sort();
  await appendFile(join(folder, first!), "0bad0bad {torn\nmore");
  expect(await keys()).toEqual(["one"]);
});

test("an answer that was noted and not written is told once, however often the process dies over it", async () => {
  const { db } = await freshDatabase();
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_url, crm_secret)
     values ('Test', 'test.example', 'http://crm.example', 'secret') returning id`,
  );
  const clock = testClock();
  const parts: JournalParts = {
    ...{ db, clock, log: silentLog, node: "here", gatherMs: 0 },
    keepRecording: async () => undefined,
    oweRecordingWork: async () => undefined,
  };
  const eventsOwed = async () =>
    (
      await db.query<{ event: string }>(
        sql`select payload ->> 'event' as event from jobs where kind = 'webhook.deliver' order by id`,
      )
    ).map(({ event }) => event);
  const uuid = randomUUID();
  const facts: CallFacts = {
    ...{ uuid, exchangeId: row!.id, direction: "internal", origin: "phone", startMs: clock.wall() },
    ...{ callerNumber: "1000", callerName: "", outboundCallerId: "", destinationNumber: "1001", destinationName: "" },
    ...{ dialedUser: "1001", connectedUser: "", queueWaitSeconds: 0, story: [] },
  };
  const written = openJournal(parts);
  written.opened(facts, () => ({ state: "rings" }));
  written.rang(facts);
  await written.kept(uuid);
  await written.close();

  const never = () => new Promise<never>(() => undefined);
  const notebook = await openNotebook(folder, silentLog);
  const killed = openJournal({ ...parts, notebook, signsOfLife: false, db: { ...db, transaction: never } });
  facts.answerMs = clock.wall();
  facts.connectedUser = "1001";
  killed.answered(facts);
  killed.talks(facts);
  await notebook.close();
  expect(await eventsOwed()).toEqual(["ringing"]);

  const notes = await readNotes(folder);
  expect(await takeUpNotes(parts, notes)).toBe(1);
  expect(await takeUpNotes(parts, notes)).toBe(0);
  expect(await eventsOwed()).toEqual(["ringing", "answer"]);
  expect(await recoverCalls(parts)).toBe(1);
  expect(await takeUpNotes(parts, notes)).toBe(0);
  expect(await eventsOwed()).toEqual(["ringing", "answer", "hangup"]);
  const [cdr] = await db.query(sql`select answer_stamp is not null as answered from cdrs where call_uuid = $1`, [uuid]);
  expect(cdr).toEqual({ answered: true });
});
