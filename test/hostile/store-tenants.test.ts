// Every function of the store that is told an exchange, called for ours with what is theirs: it gives nothing of theirs
// and changes nothing of theirs. A new one is missed until it stands in a list.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Db } from "../../src/store/db.ts";
import { secretsIn } from "./candidates.ts";
import { databaseWithoutWalls, neighboursIn } from "./neighbours.ts";
import { type Call, inFull, result } from "./store-call.ts";
import { setupCalls } from "./store-calls-setup.ts";
import { trafficCalls } from "./store-calls-traffic.ts";
import { byIdAlone, bySecret, systemWide } from "./store-without-exchange.ts";

const db = await databaseWithoutWalls();
const { theirs, ours, fingerprintOf } = await neighboursIn(db);
const us = await ours();
const calls = [...setupCalls({ us, them: theirs }), ...trafficCalls({ us, them: theirs })];
const untouched = await fingerprintOf(theirs.exchangeId);

class Undone extends Error {}

/** A link across exchanges, or an id that is taken: the database itself refuses, which is as good as any refusal. */
const REFUSED_BY_A_KEY = /violates (foreign key|unique) constraint/;

async function tryAndUndo({ asked, with: rest }: Call): Promise<void> {
  const trying = db.transaction(async (db: Db) => {
    const given = await result(db, { asked, with: rest });
    expect(secretsIn(inFull(given), theirs, inFull(rest)), "it shows something of theirs").toEqual([]);
    expect(await fingerprintOf(theirs.exchangeId, db), "it changes something of theirs").toEqual(untouched);
    throw new Undone();
  });
  const error = await trying.catch((error: unknown) => error);
  if (!(error instanceof Undone || REFUSED_BY_A_KEY.test(String(error)))) throw error;
}

test.each(calls.map((call) => [`${call.asked.name}(${inFull(call.with).slice(1, -1)})`, call] as const))(
  "%s",
  async (_, call) => tryAndUndo(call),
);

test("every function of the store that takes a database is called above, or there is a reason why not", async () => {
  const known = new Set<unknown>([
    ...calls.map(({ asked }) => asked),
    ...[...systemWide, ...bySecret, ...byIdAlone].map(([asked]) => asked),
  ]);
  const missed: string[] = [];
  for (const file of readdirSync("src/store").filter((name) => /(?<!\.test)\.ts$/.test(name))) {
    const exported = (await import(/* @vite-ignore */ `../../src/store/${file}`)) as Record<string, unknown>;
    for (const [name, it] of Object.entries(exported))
      if (typeof it === "function" && takesDatabase(it) && !known.has(it)) missed.push(`${file} ${name}`);
  }
  expect(missed).toEqual([]);
});

/** By the name of its first parameter, which is `db` everywhere. */
function takesDatabase(asked: object): boolean {
  return /^(async )?(function\s*\*?\s*\w*\s*)?\(\s*\{?[^)]*?\bdb\b/.test(String(asked));
}

test("it is seen which functions take a database", () => {
  const taking = calls.filter(({ asked }) => !takesDatabase(asked)).map(({ asked }) => asked.name);
  expect(taking).toEqual([]);
});
