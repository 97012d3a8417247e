import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  callTo,
  exchangeWith,
  type TenantsCarriers,
  type TrunkChanges,
  tenantsCarriers,
  trunkOf,
} from "../../../../test/carriers/tenants-carriers.ts";
import { freshDatabase } from "../../../../test/ground/database.ts";
import type { Database } from "../../../store/db.ts";
import { sql } from "../../../store/sql.ts";
import { approveTrunk } from "../../../store/trunk-approvals.ts";

/** A carrier that both have, and one of the attacker's alone. */
const SHARED = "198.51.100.9";
const ELSEWHERE = "198.51.100.77";
const NUMBER = "908505320000";
const OTHER_NUMBER = "908505320190";
const ABROAD = "0049301234567";
const THEIR_NUMBER = "902125550000";
/** What makes any number of twelve digits that ends with a zero the attacker's. */
const TO_ME = { priority: 0, inward_strip: 11, inward_prefix: THEIR_NUMBER.slice(0, -1) };

let db: Database;
let victim: number;
let attacker: number;
let running: TenantsCarriers;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  victim = await exchangeWith(db, "victim.example", NUMBER, OTHER_NUMBER, ABROAD);
  // Any digits that nobody has are anybody's to write down.
  attacker = await exchangeWith(db, "attacker.example", THEIR_NUMBER, "49301234567", "5320", "100234");
});

beforeEach(async () => {
  await db.query(sql`delete from trunks`);
});

afterEach(() => running.close());

async function atOneCarrier(ofVictim: TrunkChanges, ofAttacker: TrunkChanges, first: "victim" | "attacker" = "victim") {
  const make = [() => trunkOf(db, victim, SHARED, ofVictim), () => trunkOf(db, attacker, SHARED, ofAttacker)];
  for (const trunk of first === "victim" ? make : make.reverse()) await trunk();
  running = await tenantsCarriers(db, { answering: [SHARED, ELSEWHERE] });
  return running.trunks;
}

test("no rewriting of a neighbour's makes his what the carrier tells as another's number", async () => {
  for (const first of ["victim", "attacker"] as const) {
    const { inbound } = await atOneCarrier({}, TO_ME, first);
    for (const told of [NUMBER, `+${NUMBER}`])
      expect(inbound(callTo(told, SHARED)), told).toMatchObject({ exchangeId: victim, number: NUMBER });
    await running.close();
    await db.query(sql`delete from trunks`);
  }
  await atOneCarrier({}, { ...TO_ME, inward_strip: 10 });
  const national = callTo(`0${NUMBER.slice(2)}`, SHARED);
  expect(running.trunks.inbound(national)).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("nor does it by the operator's approval", async () => {
  const { inbound, reload } = await atOneCarrier({}, TO_ME, "attacker");
  await approveTrunk(db, { exchangeId: attacker, name: "t", by: "operator" });
  await reload();
  expect(inbound(callTo(NUMBER, SHARED))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("nor where the number stands in To and an account before it", async () => {
  const account = { username: "100234" };
  const { inbound } = await atOneCarrier(account, { ...TO_ME, inward_strip: 5 });
  expect(inbound(callTo("kurum0", SHARED, NUMBER))).toMatchObject({ exchangeId: victim, number: NUMBER });
  expect(inbound(callTo("100234", SHARED, NUMBER))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("nor by a form of numbers in which another spelling would be his", async () => {
  const { inbound } = await atOneCarrier({}, { priority: 0, caller_id_form: "national" }, "attacker");
  expect(inbound(callTo("49301234567", SHARED))).toMatchObject({ exchangeId: victim, number: ABROAD });
});

test("nor does he get by rewriting the calls of one whose trunk is not believed at that address", async () => {
  await trunkOf(db, victim, "192.0.2.222");
  await trunkOf(db, attacker, SHARED, TO_ME);
  running = await tenantsCarriers(db, { answering: [SHARED] });
  expect(running.trunks.inbound(callTo(NUMBER, SHARED))).toMatchObject({ exchangeId: attacker, number: undefined });
  expect(running.trunks.inbound(callTo(NUMBER, SHARED))).toMatchObject({ dialled: NUMBER });
});

test("a carrier that tells a few digits is rewritten for its exchange, and a neighbour's rewriting comes after it", async () => {
  const short = { inward_prefix: "90850532", priority: 100 };
  const { inbound } = await atOneCarrier(short, { ...TO_ME, inward_strip: 3 });
  expect(inbound(callTo("0000", SHARED))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("nor does he come before it who claims those very digits as a number of his", async () => {
  const { inbound } = await atOneCarrier({ inward_strip: 3, inward_prefix: "90850532000" }, { priority: 0 });
  expect(inbound(callTo("5320", SHARED))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("of those to whom rewriting leads the approved one comes first, whoever was there before", async () => {
  const short = { inward_prefix: "90850532", priority: 100 };
  const rewriting = { ...TO_ME, inward_strip: 3 };
  const { inbound, reload } = await atOneCarrier(short, rewriting, "attacker");
  expect(inbound(callTo("0000", SHARED))).toMatchObject({ exchangeId: attacker });
  await approveTrunk(db, { exchangeId: victim, name: "t", by: "operator" });
  await reload();
  expect(inbound(callTo("0000", SHARED))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("a call that the carrier sent on goes where its Request-URI says, not to whom it was for at first", async () => {
  const { inbound } = await atOneCarrier({}, {});
  expect(inbound(callTo(THEIR_NUMBER, SHARED, NUMBER))).toMatchObject({ exchangeId: attacker, number: THEIR_NUMBER });
  expect(inbound(callTo(NUMBER, SHARED, THEIR_NUMBER))).toMatchObject({ exchangeId: victim, number: NUMBER });
});

test("an exchange's own rewriting leads from one number of its own to another, beside neighbours as alone", async () => {
  const own = { inward_strip: 11, inward_prefix: OTHER_NUMBER.slice(0, -1) };
  const { inbound } = await atOneCarrier(own, {});
  expect(inbound(callTo(NUMBER, SHARED))).toMatchObject({ exchangeId: victim, number: OTHER_NUMBER });
  expect(inbound(callTo(THEIR_NUMBER, SHARED))).toMatchObject({ exchangeId: attacker, number: THEIR_NUMBER });
});

test("one whose rewriting spoils his own number has it all the same", async () => {
  const { inbound } = await atOneCarrier({ inward_strip: 3 }, TO_ME);
  expect(inbound(callTo(NUMBER, SHARED))).toMatchObject({ exchangeId: victim, number: NUMBER });
});
