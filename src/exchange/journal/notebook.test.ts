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

const opened = () => openNotebook({ folder, clock: testClock(), log: silentLog });

const sizes = async () =>
  Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));

test("what was noted and is not in the database yet is read again, in its order", async () => {
  const notebook = await opened();
  notebook.note('{"one":"line\\nbreak"}');
  const written = notebook.note('{"two":2}');
  notebook.note('{"one":"later"}');
  written();
  expect(await readNotes(folder)).toEqual(['{"one":"line\\nbreak"}', '{"two":2}', '{"one":"later"}']);
});

test("once the database has all of it nothing is left on the disk, and a new one begins empty", async () => {
  const clock = testClock();
  const notebook = await openNotebook({ folder, clock, log: silentLog });
  for (const written of [notebook.note("1"), notebook.note("2")]) written();
  clock.pass(1_000);
  expect([await readNotes(folder), await sizes()]).toEqual([[], [0, 0]]);
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  notebook.note("3")();
  await notebook.close();
  expect(await sizes()).toEqual([0, 0]);
  (await opened()).note("4");
  expect(await readNotes(folder)).toEqual(["4"]);
  await opened();
  expect(await readNotes(folder)).toEqual([]);
});

test("a rush of calls that never pauses does not grow without end", async () => {
  const notebook = await opened();
  const waiting: (() => void)[] = [];
  for (let call = 0; call < 2_000; call++) {
    waiting.push(notebook.note(JSON.stringify([call, "x".repeat(8_000)])));
    if (waiting.length > 5) waiting.shift()?.();
  }
  expect(Math.max(...(await sizes()))).toBeLessThan(300_000);
  const found = (await readNotes(folder)).map((text) => (JSON.parse(text) as [number])[0]);
  expect(found.slice(-5)).toEqual([1995, 1996, 1997, 1998, 1999]);
});

test("what a kill tore off is left out, and a folder that never was has no notes", async () => {
  expect(await readNotes(folder)).toEqual([]);
  (await opened()).note("1");
  const [first] = (await readdir(folder)).sort();
  await appendFile(join(folder, first!), "0bad0bad 2 {torn\nmore");
  expect(await readNotes(folder)).toEqual(["1"]);
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
  const notebook = await opened();
  const killed = openJournal({ ...parts, notebook, signsOfLife: false, db: { ...db, transaction: never } });
  facts.answerMs = clock.wall();
  facts.connectedUser = "1001";
  killed.answered(facts);
  killed.talks(facts);
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
