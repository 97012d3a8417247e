// Every function of the store that is told an exchange, called for ours with what is theirs: it gives nothing of theirs
// and changes nothing of theirs. A new one is missed until it stands in a list.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { keepCallback } from "../../src/store/callbacks.ts";
import type { Db } from "../../src/store/db.ts";
import { noteDelivery } from "../../src/store/event-deliveries.ts";
import { deleteExchange } from "../../src/store/exchanges.ts";
import { createExternalNumber } from "../../src/store/external-numbers.ts";
import { beginFaxRecord } from "../../src/store/fax-records.ts";
import { closeCalls, writeLiveCalls } from "../../src/store/live-calls.ts";
import { keepMessage, setRecordedGreeting } from "../../src/store/mailboxes.ts";
import { saveRegistrations } from "../../src/store/registrations.ts";
import { createSmsAccount } from "../../src/store/sms-accounts.ts";
import { admit } from "../../src/store/sso-accounts.ts";
import { createStaffAccount } from "../../src/store/staff.ts";
import { secretsIn } from "./candidates.ts";
import { databaseWithoutWalls, neighboursIn } from "./neighbours.ts";
import { type Call, inFull, result } from "./store-call.ts";
import { importCalls } from "./store-calls-imports.ts";
import { messageCalls } from "./store-calls-messages.ts";
import { setupCalls } from "./store-calls-setup.ts";
import { signInCalls } from "./store-calls-sign-in.ts";
import { sourceCalls } from "./store-calls-sources.ts";
import { trafficCalls } from "./store-calls-traffic.ts";
import { byIdAlone, bySecret, systemWide } from "./store-without-exchange.ts";

const db = await databaseWithoutWalls();
const { theirs, ours, fingerprintOf } = await neighboursIn(db);
const us = await ours();
const calls = [
  ...setupCalls({ us, them: theirs }),
  ...trafficCalls({ us, them: theirs }),
  ...messageCalls({ us, them: theirs }),
  ...signInCalls({ us, them: theirs }),
  ...sourceCalls({ us, them: theirs }),
  ...importCalls({ us, them: theirs }),
];
const untouched = await fingerprintOf(theirs.exchangeId);

/** What holds over all exchanges: there it is seen that somebody has a number, a name or an id, though not who. */
const uniqueEverywhere = new Set<unknown>([
  ...[createExternalNumber, createStaffAccount, createSmsAccount, closeCalls, keepCallback, keepMessage],
  ...[admit, beginFaxRecord, noteDelivery, saveRegistrations, setRecordedGreeting, writeLiveCalls],
]);

class Undone extends Error {}

type Outcome = { given: string; rows: Record<string, number> };

/** What a call gives, and how many rows we then have; with them in the same house, or as if they had never been. */
async function outcomeOf(call: Call, { alone }: { alone: boolean }): Promise<Outcome> {
  const outcome: Outcome = { given: "", rows: {} };
  const trying = db.transaction(async (db: Db) => {
    if (alone) await deleteExchange(db, theirs.exchangeId);
    const given = await result(db, call);
    outcome.given = inFull(given);
    for (const [table, sum] of Object.entries(await fingerprintOf(us.exchangeId, db)))
      outcome.rows[table] = Number.parseInt(sum, 10);
    if (!alone) expect(await fingerprintOf(theirs.exchangeId, db), "it changes something of theirs").toEqual(untouched);
    throw new Undone();
  });
  const error = await trying.catch((error: unknown) => error);
  if (error instanceof Undone) return outcome;
  // A link across exchanges, or an id that is taken: the database itself refuses, which is as good as any refusal.
  if (!/violates (foreign key|unique) constraint/.test(String(error))) throw error;
  return { given: String(error), rows: {} };
}

/** Without what is made anew each time: ids, moments, secrets. */
function lasting(given: string): string {
  return given
    .replace(/"(id|key|hint|password|token|ticket)":("[^"]*"|\d{1,6}\b)/g, '"$1":…')
    .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, "…")
    .replace(/^\[\d{1,6}(,\d{1,6})*\]$/, (ids) => ids.replace(/\d+/g, "…"))
    .replace(/^"W[0-9a-f-]{36}"$|^\d{1,6}$|^"[\w-]{24}"$|^"[0-9a-f]{64}"$/, "…");
}

test.each(calls.map((call) => [`${call.asked.name}(${inFull(call.with).slice(1, -1).slice(0, 400)})`, call] as const))(
  "%s",
  async (_, call) => {
    const beside = await outcomeOf(call, { alone: false });
    expect(secretsIn(beside.given, theirs, inFull(call.with)), "it shows something of theirs").toEqual([]);
    if (uniqueEverywhere.has(call.asked)) return;
    const alone = await outcomeOf(call, { alone: true });
    expect(lasting(beside.given), "it would give something else without them").toEqual(lasting(alone.given));
    expect(beside.rows, "it would do something else without them").toEqual(alone.rows);
  },
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
