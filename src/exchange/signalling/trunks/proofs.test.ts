import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  callTo,
  exchangeWith,
  type TenantsCarriers,
  tenantsCarriers,
  trunkOf,
} from "../../../../test/carriers/tenants-carriers.ts";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import { moveWaiting } from "../../../store/clock-steps.ts";
import type { Database } from "../../../store/db.ts";
import { sql } from "../../../store/sql.ts";
import { approveTrunk } from "../../../store/trunk-approvals.ts";

const HOUR = 3_600_000;
const RENTED = "192.0.2.50";
const ALSO = "192.0.2.60";
const NUMBER = "908505320000";

let db: Database;
let exchangeId: number;
let clock: TestClock;
let running: TenantsCarriers;
/** Whether the servers there still answer. */
let answers: (incoming: Incoming) => boolean;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  exchangeId = await exchangeWith(db, "tenant.example", NUMBER);
  await exchangeWith(db, "neighbour.example");
});

beforeEach(async () => {
  await db.query(sql`delete from trunks`);
  clock = testClock();
  answers = () => true;
});

afterEach(() => running.close());

async function run() {
  const answer = (incoming: Incoming) => answers(incoming) && incoming.reply(200);
  running = await tenantsCarriers(db, { answering: [RENTED, ALSO], answer, clock });
  return running.trunks;
}

async function restart() {
  await running.close();
  return run();
}

const isTheirs = (address = RENTED) => running.trunks.inbound(callTo(NUMBER, address)) !== undefined;

test("an address is a trunk's for a day after a server there was last heard, over a restart as well", async () => {
  await trunkOf(db, exchangeId, RENTED);
  await run();
  expect(isTheirs()).toBe(true);
  answers = () => false;
  await running.pass(20 * HOUR);
  expect(isTheirs()).toBe(true);
  const again = await restart();
  expect(isTheirs()).toBe(true);
  await running.pass(5 * HOUR);
  expect(isTheirs()).toBe(false);
  expect(again.isTrunkAddress(RENTED)).toBe(false);
  expect(again.list(exchangeId)).toMatchObject([{ proved: [], waiting: [RENTED] }]);
  await restart();
  expect(isTheirs()).toBe(false);
});

test("nor does it count on after a day in which no server of ours was up", async () => {
  await trunkOf(db, exchangeId, RENTED);
  await run();
  answers = () => false;
  await running.close();
  clock.pass(25 * HOUR);
  await run();
  expect(isTheirs()).toBe(false);
});

test("a clock that is set moves proof along with everything that waits, and one set back unseen makes none longer", async () => {
  await trunkOf(db, exchangeId, RENTED);
  await run();
  answers = () => false;
  await running.close();
  const stepMs = 48 * HOUR;
  await moveWaiting(db, { stepMs, fromMs: clock.wall() });
  clock.setWall(clock.wall() + stepMs);
  await run();
  expect(isTheirs()).toBe(true);
  await running.close();
  clock.setWall(clock.wall() - stepMs);
  await run();
  await running.pass(25 * HOUR);
  expect(isTheirs()).toBe(false);
});

test("where servers go on answering it stays the trunk's, whether or not its health is watched", async () => {
  for (const health_check of [true, false]) {
    await trunkOf(db, exchangeId, RENTED, { health_check, source_addresses: [`${ALSO}/32`] });
    await run();
    await running.pass(30 * HOUR);
    expect(isTheirs(ALSO), `health check: ${health_check}`).toBe(true);
    await running.close();
    await db.query(sql`delete from trunks`);
  }
  await run();
});

test("where a carrier answers no OPTIONS each login that it takes is one more answer", async () => {
  answers = ({ request }) => request.method === "REGISTER";
  await trunkOf(db, exchangeId, RENTED, { registers: true, username: "kurum", password: "a password" });
  await run();
  await running.pass(30 * HOUR);
  expect(isTheirs()).toBe(true);
});

test("a server that is heard again is believed again", async () => {
  await trunkOf(db, exchangeId, RENTED);
  await run();
  answers = () => false;
  await running.pass(26 * HOUR);
  expect(isTheirs()).toBe(false);
  answers = () => true;
  await running.pass(2 * HOUR);
  expect(isTheirs()).toBe(true);
});

test("what the operator has approved needs no answer, today or ever", async () => {
  await trunkOf(db, exchangeId, RENTED);
  await approveTrunk(db, { exchangeId, name: "t", by: "operator" });
  answers = () => false;
  await run();
  await running.pass(30 * HOUR);
  expect(isTheirs()).toBe(true);
});
