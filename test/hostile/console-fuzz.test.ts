// Operations of the console, asked of a whole server with parameters that are valid but for some odd ones among them: by
// an administrator of one exchange, beside another one whose rows are marked.

import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { realClock } from "../../src/clock.ts";
import { consoleApi } from "../../src/http/console/api.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { eventually } from "../ground/eventually.ts";
import { putMadeFolder } from "../ground/made-folder.ts";
import { startProcess, temporaryFolder } from "../ground/santral-process.ts";
import { candidatesFrom, ownCandidates } from "./candidates.ts";
import { administratorIn, secrets } from "./console-neighbours.ts";
import { type Complaint, flood, floodOf, mistakesIn } from "./flood.ts";
import type { Furnished } from "./handles.ts";
import type { Random } from "./hostile.ts";
import { neighboursIn, THEIR_MARKER } from "./neighbours.ts";
import { bodyFrom, oddParameters } from "./odd-values.ts";
import { expectShort, turnWatch } from "./watched-server.ts";

const COUNT = floodOf(2_000);
vi.setConfig({ testTimeout: 600_000 + COUNT * 100, hookTimeout: 240_000 });

const folder = join(temporaryFolder(), "data");
await putMadeFolder(folder);
const watch = turnWatch();
const server = await startProcess(folder, { env: watch.env });
const db = openDatabase(connectionTo(join(folder, "pg"), "postgres"), realClock, { connections: 8 });
afterAll(() => db.close());
const { theirs, ours, fingerprintOf } = await neighboursIn(db);
const asAdministrator = await administratorIn(db);
const foreign = candidatesFrom(theirs);
const operations = Object.entries(consoleApi);

type Asker = { us: Furnished; cookie: string; asked: number };
const free: Asker[] = [];
/** Some of what is asked ends a session or changes a role, and some of what he has is gone after a while. */
const WORN_OUT = 150;

async function asker(): Promise<Asker> {
  const rested = free.pop();
  if (rested) return rested;
  const us = await ours();
  return { us, cookie: await asAdministrator(us), asked: 0 };
}

async function ask(random: Random): Promise<Complaint> {
  const [name, { parameters: schema }] = random.pick(operations);
  const from = await asker();
  const own = { ...ownCandidates(from.us, name)(), ...secrets };
  const body = bodyFrom(oddParameters(schema, random, { own, foreign }), random);
  const headers = { "content-type": "application/json", "x-santral-console": "1", cookie: from.cookie };
  const response = await fetch(`http://${server.run.http}/console/api/${name}`, { method: "POST", headers, body });
  const text = await response.text();
  const { status } = response;
  seen.set(status, (seen.get(status) ?? 0) + 1);
  const isOut = status === 401 || status === 403;
  if (!isOut && ++from.asked < WORN_OUT) free.push(from);
  const told = `${name} ${body.slice(0, 1_500)} -> ${status} ${text.slice(0, 300)}`;
  if (status >= 500 && status !== 503) return told;
  return text.includes(THEIR_MARKER) ? `shows something of theirs: ${told}` : undefined;
}

const seen = new Map<number, number>();

/** What a running exchange works at of its own accord: what is owed, due or asked of others, and sums of it. */
const OWN_WORK =
  /^(jobs|imports?(_.*)?|report_.*|trunk_states|contact_sources|live_calls|event_deliveries|queue_callbacks|call_campaigns|campaign_.*|fax_orders|sms_.*|.*_sums?(_.*)?|seen_.*|paid_.*|agent_(states|times|wrap_ups)|archive.*|recordings|registrations|missed_callers|queue_alarms?)$/;

async function whatPeopleHave() {
  const tables = Object.entries(await fingerprintOf(theirs.exchangeId));
  return Object.fromEntries(tables.filter(([name]) => !OWN_WORK.test(name)));
}

/** Theirs, which the server hands on by itself, once. */
async function owesConsents(): Promise<boolean> {
  const open = sql`select id from consent_campaigns where exchange_id = $1 and not finished`;
  return (await db.query(open, [theirs.exchangeId])).length > 0;
}

test(`${COUNT} odd requests to the console: refused or done, and nothing of the neighbour's seen or changed`, async () => {
  await eventually("what their messages owed from the beginning is done", async () => !(await owesConsents()));
  const before = await whatPeopleHave();
  await watch.turnsOf(server.child);
  const wrong = await flood(COUNT, ask);
  const turns = await watch.turnsOf(server.child);
  expect({ wrong, mistakes: mistakesIn(server.output()) }).toEqual({ wrong: [], mistakes: [] });
  expect(await whatPeopleHave()).toEqual(before);
  expect((await server.get("/readyz")).status).toBe(200);
  expect(seen.get(200) ?? 0).toBeGreaterThan(COUNT / 20);
  expect(seen.get(400) ?? 0).toBeGreaterThan(COUNT / 20);
  if (process.env.SANTRAL_FUZZ)
    console.log({ seen, p99: turns[Math.floor(turns.length * 0.99)], longest: turns.at(-1) });
  expectShort(turns);
});
