import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { eventually } from "../../test/ground/eventually.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Database, Db } from "../store/db.ts";
import { sql } from "../store/sql.ts";
import { type Arrears, openArrears } from "./arrears.ts";
import { type GroupCommit, openGroupCommit } from "./group-commit.ts";

type Said = { words: string[] };
type Fault = "none" | "away" | "unheard commit" | "hangs";

let db: Database;
let folder: string;
let fault: Fault;
let letGo: () => void;

beforeAll(async () => {
  const fresh = await freshDatabase();
  db = fresh.db;
  await fresh.owner.query(
    sql`create table heard (id bigint generated always as identity, word text check (word <> 'poison'))`,
  );
  await fresh.owner.query(sql`grant all on heard to public`);
});

beforeEach(async () => {
  await db.query(sql`delete from heard`);
  await db.query(sql`delete from written_batches`);
  folder = join(temporaryFolder(), "arrears");
  fault = "none";
});

/** The same database, as faults let it be seen. */
const faulty: Db = {
  query: (text, values) => (fault === "away" ? Promise.reject(new Error("away")) : db.query(text, values)),
  async transaction(work) {
    if (fault === "away") throw new Error("away");
    if (fault === "hangs") await new Promise<void>((resolve) => (letGo = resolve));
    const result = await db.transaction(work);
    if (fault === "unheard commit") {
      fault = "away";
      throw new Error("the line broke");
    }
    return result;
  },
};

/** Of a process that is killed: from then on nothing of it reaches the database any more. */
function mortal(): { db: Db; kill(): void } {
  let isDead = false;
  const dead = () => Promise.reject(new Error("killed"));
  const db: Db = {
    query: (text, values) => (isDead ? dead() : faulty.query(text, values)),
    transaction: (work) => (isDead ? dead() : faulty.transaction(work)),
  };
  const kill = () => {
    isDead = true;
  };
  return { db, kill };
}

const open = (options: { mostBytes?: number; longestMs?: number } = {}) =>
  openArrears({ folder, clock: realClock, node: "here", ...options });

async function commitsOver(arrears: Arrears, said: string[] = [], db = faulty): Promise<GroupCommit<Said>> {
  return openGroupCommit<Said>({
    db,
    clock: realClock,
    log: silentLog,
    gatherMs: 0,
    merge: (older, newer) => ({ words: [...older.words, ...newer.words] }),
    async write(db, entries) {
      for (const word of entries.flatMap(({ words }) => words))
        await db.query(sql`insert into heard (word) values ($1)`, [word]);
    },
    onWritten: ({ words }) => void said.push(...words),
    onPoisoned: ({ words }) => void said.push(...words.map((word) => `not ${word}`)),
    aside: {
      stream: await arrears.stream("words"),
      pack: ({ words }) => (words.length === 0 ? undefined : words),
      unpack: (packed) => ({ words: packed as string[] }),
    },
  });
}

const heard = async () =>
  (await db.query<{ word: string }>(sql`select word from heard order by id`)).map(({ word }) => word);
const files = () => (existsSync(folder) ? readdirSync(folder) : []);

async function say(commits: GroupCommit<Said>, ...words: string[]): Promise<void> {
  for (const word of words) {
    commits.put(word, { words: [word] });
    await commits.settled();
  }
}

test("while the database is there the disk is not touched", async () => {
  const commits = await commitsOver(open());
  await say(commits, "one", "two");
  expect(await heard()).toEqual(["one", "two"]);
  expect(files()).toEqual([]);
  await commits.close();
});

test("what it does not take is on disk, and comes into it in the same order when it is back", async () => {
  const said: string[] = [];
  const arrears = open();
  const commits = await commitsOver(arrears, said);
  await say(commits, "one");
  fault = "away";
  await say(commits, "two", "three");
  commits.put("nothing to keep", { words: [] });
  await commits.settled();
  expect(said).toEqual(["one", "two", "three"]);
  expect(await heard()).toEqual(["one"]);
  expect(arrears.state()).toMatchObject({ entries: 2, isFull: false });
  fault = "none";
  await commits.caughtUp();
  await say(commits, "four");
  expect(await heard()).toEqual(["one", "two", "three", "four"]);
  expect(files()).toEqual([]);
  expect(arrears.state()).toMatchObject({ entries: 0, bytes: 0, ageMs: 0 });
  await commits.close();
});

test("a commit whose answer was lost is not written again", async () => {
  const commits = await commitsOver(open());
  await say(commits, "one");
  fault = "unheard commit";
  await say(commits, "two", "three");
  expect(await heard()).toEqual(["one", "two"]);
  fault = "none";
  await commits.caughtUp();
  expect(await heard()).toEqual(["one", "two", "three"]);
  await commits.close();
});

test("a try that takes too long and succeeds later is not written again", async () => {
  const commits = await commitsOver(open());
  fault = "hangs";
  await say(commits, "one"); // on disk by now
  const late = letGo;
  fault = "away";
  await say(commits, "two");
  fault = "none";
  await commits.caughtUp();
  late();
  await say(commits, "three");
  await eventually("the late one has been and gone", async () => (await heard()).length >= 3);
  expect(await heard()).toEqual(["one", "two", "three"]);
  await commits.close();
});

test("whoever opens it after a kill writes what is left, and a second one that was killed in the middle is no harm", async () => {
  fault = "away";
  const arrears = open();
  const life = mortal();
  await say(await commitsOver(arrears, [], life.db), "one", "two");
  life.kill();
  await arrears.close();
  fault = "unheard commit"; // killed after the commit, before the file was removed
  const second = open();
  const between = await commitsOver(second);
  await eventually("it has written", async () => (await heard()).length === 2);
  await say(between, "three"); // of another life, behind those of the first
  await second.close();
  expect(files()).toEqual(["words.arrears"]);
  fault = "none";
  const third = await commitsOver(open());
  await third.caughtUp();
  expect(await heard()).toEqual(["one", "two", "three"]);
  expect(files()).toEqual([]);
  await Promise.all([between.close(), third.close()]);
});

test("the same file that comes back after it was written is written to nobody's harm", async () => {
  fault = "away";
  const arrears = open();
  const life = mortal();
  await say(await commitsOver(arrears, [], life.db), "one", "two");
  life.kill();
  await arrears.close();
  const path = join(folder, "words.arrears");
  const bytes = readFileSync(path);
  fault = "none";
  for (let time = 0; time < 3; time++) {
    writeFileSync(path, bytes);
    const commits = await commitsOver(open());
    await commits.caughtUp();
    await commits.close();
  }
  expect(await heard()).toEqual(["one", "two"]);
});

test("what the database will never take is kept for people to look at, and the rest goes on", async () => {
  const said: string[] = [];
  const commits = await commitsOver(open(), said);
  await say(commits, "poison");
  fault = "away";
  await say(commits, "one", "poison", "two");
  fault = "none";
  await commits.caughtUp();
  expect(await heard()).toEqual(["one", "two"]);
  expect(said).toEqual(["not poison", "one", "poison", "two"]);
  expect(files()).toEqual(["words.arrears.refused"]);
  expect(readFileSync(join(folder, "words.arrears.refused"), "utf8")).toContain('"key":"poison"');
  await commits.close();
});

test("a disk that takes nothing either shuts the door, and nothing is lost while the process lives", async () => {
  const arrears = open();
  const said: string[] = [];
  const commits = await commitsOver(arrears, said);
  writeFileSync(folder, "not a folder");
  fault = "away";
  commits.put("one", { words: ["one"] });
  await eventually("the door is shut", async () => arrears.state().isFull);
  expect(said).toEqual([]);
  fault = "none";
  await commits.settled();
  expect(await heard()).toEqual(["one"]);
  expect(said).toEqual(["one"]);
  await commits.close();
});

test("too much of it, or for too long, shuts the door; what comes all the same is kept", async () => {
  const small = open({ mostBytes: 200 });
  const commits = await commitsOver(small);
  fault = "away";
  await say(commits, "one");
  expect(small.state().isFull).toBe(false);
  await say(commits, "two", "three");
  expect(small.state()).toMatchObject({ isFull: true, entries: 3 });
  await small.close();
  const old = open({ longestMs: 1 });
  const next = await commitsOver(old);
  await eventually("it is old", async () => old.state().isFull);
  fault = "none";
  await next.caughtUp();
  expect(old.state().isFull).toBe(false);
  expect(await heard()).toEqual(["one", "two", "three"]);
  await Promise.all([commits.close(), next.close()]);
});

test("a stop does not wait for a database that is away", async () => {
  const commits = await commitsOver(open());
  fault = "away";
  await say(commits, "one");
  await commits.close();
  expect(files()).toEqual(["words.arrears"]);
});
