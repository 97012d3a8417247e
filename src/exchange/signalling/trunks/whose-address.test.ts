import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  callTo,
  exchangeWith,
  HOUSE,
  type TenantsCarriers,
  type TrunkChanges,
  tenantsCarriers,
  trunkOf as trunkIn,
} from "../../../../test/carriers/tenants-carriers.ts";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import type { Incoming } from "../../../sip/incoming.ts";
import type { Database } from "../../../store/db.ts";
import { deleteExchange } from "../../../store/exchanges.ts";
import { sql } from "../../../store/sql.ts";
import { approveTrunk, disapproveTrunk, networksTaken } from "../../../store/trunk-approvals.ts";
import { updateTrunk } from "../../../store/trunks.ts";

/** Where the victim's carrier is, where its phones are, and a carrier that both have. */
const CARRIER = "192.0.2.50";
const OFFICE = "203.0.113.5";
const SHARED = "198.51.100.9";
const NUMBER = "908505320000";
const THEIR_NUMBER = "908505320001";

let db: Database;
let victim: number;
let attacker: number;
let running: TenantsCarriers;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  victim = await exchangeWith(db, "victim.example", NUMBER);
  attacker = await exchangeWith(db, "attacker.example", THEIR_NUMBER);
});

beforeEach(async () => {
  await db.query(sql`delete from trunks`);
});

afterEach(() => running.close());

async function run(
  answering: readonly string[],
  names: Record<string, string[]> = {},
  answer?: (incoming: Incoming) => unknown,
) {
  running = await tenantsCarriers(db, { answering, names, ...(answer && { answer }) });
  return running;
}

const trunkOf = (exchangeId: number, host: string, changes: TrunkChanges = {}) =>
  trunkIn(db, exchangeId, host, changes);

test("a tenant who says that the whole world is his carrier catches nobody's phones, and makes nobody trusted", async () => {
  await trunkOf(attacker, "192.0.2.66", { source_addresses: ["0.0.0.0/0", "::/0"] });
  const { trunks, warnings } = await run(["192.0.2.66"]);
  for (const address of [OFFICE, CARRIER, "2001:db8::5"]) {
    expect(trunks.inbound(callTo(THEIR_NUMBER, address))).toBeUndefined();
    expect(trunks.isTrunkAddress(address)).toBe(false);
  }
  expect(trunks.list(attacker)).toMatchObject([{ waiting: ["0.0.0.0/0", "::/0"] }]);
  expect(warnings).toHaveLength(1);
});

test("nor does one who names an address of the house, where somebody answers all the same", async () => {
  await trunkOf(attacker, HOUSE, { source_addresses: [HOUSE, "192.0.2.0/24"] });
  const { trunks } = await run([HOUSE]);
  await running.pass(60_000);
  expect(trunks.isTrunkAddress(HOUSE)).toBe(false);
  expect(trunks.list(attacker)).toMatchObject([{ waiting: [`${HOUSE}/32`, "192.0.2.0/24"] }]);
  await approveTrunk(db, { exchangeId: attacker, name: "t", by: "operator" });
  await trunks.reload();
  expect(trunks.isTrunkAddress(HOUSE)).toBe(true);
});

test("nor does one whose own server stands in the same small network as the house", async () => {
  await trunkOf(attacker, "192.0.2.66", { source_addresses: ["192.0.2.0/24"] });
  const { trunks } = await run(["192.0.2.66"]);
  expect(["192.0.2.67", HOUSE].map((address) => trunks.isTrunkAddress(address))).toEqual([true, false]);
  expect(trunks.inbound(callTo(THEIR_NUMBER, HOUSE))).toBeUndefined();
  await approveTrunk(db, { exchangeId: attacker, name: "t", by: "operator" });
  await trunks.reload();
  expect(trunks.inbound(callTo(THEIR_NUMBER, HOUSE))).toMatchObject({ number: THEIR_NUMBER });
});

test("nor does one who names a colleague's office where nothing answers, by address or as the host of his trunk", async () => {
  await trunkOf(attacker, OFFICE, { source_addresses: [`${OFFICE}/32`] });
  const { trunks } = await run([]);
  expect(trunks.isTrunkAddress(OFFICE)).toBe(false);
  await updateTrunk(db, secrets, { exchangeId: attacker, name: "t", changes: { source_addresses: [] } });
  await trunks.reload();
  await running.pass(1_000);
  expect(trunks.isTrunkAddress(OFFICE)).toBe(false);
  expect(trunks.list(attacker)).toMatchObject([{ waiting: [OFFICE] }]);
});

test("even approved by mistake, the world decides nothing where another exchange has its own carrier", async () => {
  await trunkOf(victim, CARRIER);
  await trunkOf(attacker, "192.0.2.66", { source_addresses: ["0.0.0.0/0"] });
  await approveTrunk(db, { exchangeId: attacker, name: "t", by: "operator" });
  const { trunks } = await run([CARRIER, "192.0.2.66"]);
  expect(trunks.inbound(callTo(NUMBER, CARRIER))).toMatchObject({ exchangeId: victim, number: NUMBER });
  expect(trunks.inbound(callTo("905550000000", CARRIER))).toMatchObject({ exchangeId: victim, number: undefined });
  expect(trunks.isTrunkAddress(OFFICE)).toBe(false);
});

test("a server that answers is its trunk's, and so is the small network around it; after a restart at once", async () => {
  await trunkOf(victim, CARRIER, { source_addresses: ["192.0.2.0/24", "192.0.0.0/16"] });
  const { trunks, close } = await run([CARRIER]);
  expect(trunks.inbound(callTo(NUMBER, "192.0.2.77"))).toMatchObject({ number: NUMBER });
  expect(trunks.inbound(callTo(NUMBER, "192.0.3.1"))).toBeUndefined();
  expect(trunks.list(victim)).toMatchObject([{ waiting: ["192.0.0.0/16"], proved: [CARRIER] }]);
  await close();
  const again = await run([]);
  expect(again.trunks.inbound(callTo(NUMBER, "192.0.2.77"))).toMatchObject({ number: NUMBER });
});

test("a carrier that answers no OPTIONS is where it has taken our login, and nowhere else", async () => {
  const account = { registers: true, username: "kurum", password: "a password" };
  const source_addresses = [`${CARRIER}/32`, `${OFFICE}/32`];
  await trunkOf(victim, CARRIER, { ...account, source_addresses });
  const takes = (status: number) => (incoming: Incoming) =>
    incoming.request.method === "REGISTER" && incoming.reply(status);
  const refused = await run([CARRIER, OFFICE], {}, takes(403));
  expect(refused.trunks.isTrunkAddress(CARRIER)).toBe(false);
  expect(refused.trunks.list(victim)).toMatchObject([{ waiting: source_addresses.concat(CARRIER) }]);
  await refused.close();
  const { trunks } = await run([CARRIER, OFFICE], {}, takes(200));
  expect(trunks.inbound(callTo(NUMBER, CARRIER))).toMatchObject({ exchangeId: victim });
  expect(trunks.isTrunkAddress(OFFICE)).toBe(false);
  expect(trunks.list(victim)).toMatchObject([{ proved: [CARRIER], waiting: [`${OFFICE}/32`] }]);
});

test("every server that a name leads to is asked, also those it leads to later", async () => {
  const names = { "carrier.example": [CARRIER, "192.0.2.51"] };
  await trunkOf(victim, "carrier.example");
  const { trunks, pass } = await run([CARRIER, "192.0.2.51", "192.0.2.52"], names);
  expect(trunks.isTrunkAddress("192.0.2.51")).toBe(true);
  names["carrier.example"] = [CARRIER, "192.0.2.52"];
  await pass(61_000);
  expect(trunks.isTrunkAddress("192.0.2.52")).toBe(true);
  expect(trunks.isTrunkAddress("192.0.2.51")).toBe(false);
});

test("several tenants at one carrier are told apart by the number, and a number of nobody is nobody's", async () => {
  await trunkOf(victim, SHARED);
  await trunkOf(attacker, SHARED);
  const { trunks } = await run([SHARED]);
  expect(trunks.inbound(callTo(NUMBER, SHARED))).toMatchObject({ exchangeId: victim });
  expect(trunks.inbound(callTo(THEIR_NUMBER, SHARED))).toMatchObject({ exchangeId: attacker });
  expect(trunks.inbound(callTo("905550000000", SHARED))).toBe("unknown-number");
});

test("what the operator has approved counts without an answer, until he takes it back", async () => {
  await trunkOf(victim, "203.0.113.200", { source_addresses: ["203.0.0.0/16"] });
  await approveTrunk(db, { exchangeId: victim, name: "t", by: "operator" });
  const { trunks } = await run([]);
  expect(trunks.inbound(callTo(NUMBER, "203.0.113.201"))).toMatchObject({ number: NUMBER });
  const wider = { source_addresses: ["203.0.0.0/15"] };
  await updateTrunk(db, secrets, { exchangeId: victim, name: "t", changes: wider });
  await trunks.reload();
  expect(trunks.inbound(callTo(NUMBER, "203.0.113.201"))).toBeUndefined();
  await approveTrunk(db, { exchangeId: victim, name: "t", by: "operator" });
  await trunks.reload();
  expect(trunks.inbound(callTo(NUMBER, "203.0.113.201"))).toMatchObject({ number: NUMBER });
  expect(await disapproveTrunk(db, victim, "t")).toBe(true);
  await trunks.reload();
  expect(trunks.inbound(callTo(NUMBER, "203.0.113.201"))).toBeUndefined();
});

test("an exchange that is alone needs no proof, and keeps what it had when another one comes beside it", async () => {
  await deleteExchange(db, attacker);
  await trunkOf(victim, "203.0.113.200", { source_addresses: ["198.18.0.0/15"] });
  const { trunks } = await run([]);
  expect(trunks.inbound(callTo(NUMBER, "198.19.0.1"))).toMatchObject({ number: NUMBER });
  attacker = await exchangeWith(db, "later.example", THEIR_NUMBER);
  await trunks.reload();
  expect(trunks.inbound(callTo(NUMBER, "198.19.0.1"))).toMatchObject({ number: NUMBER });
  await trunkOf(attacker, "203.0.113.201", { source_addresses: ["198.18.0.0/15"] });
  await trunks.reload();
  expect(trunks.list(attacker)).toMatchObject([{ waiting: ["198.18.0.0/15"] }]);
});

test("a network of voice counts when the operator has approved it, and lets no call in", async () => {
  const voice = { media_networks: ["198.18.0.0/15", "203.0.113.9/32"] };
  await trunkOf(victim, CARRIER);
  await trunkOf(attacker, CARRIER, voice);
  const { trunks } = await run([CARRIER]);
  const hasVoice = (address: string) => trunks.whose.hasVoiceAt(attacker, "t", address);
  expect(["198.19.0.1", "203.0.113.9"].map(hasVoice)).toEqual([false, false]);
  expect(hasVoice(CARRIER)).toBe(true);
  expect(trunks.list(attacker)).toMatchObject([{ waiting: ["198.18.0.0/15", "203.0.113.9/32"] }]);
  await approveTrunk(db, { exchangeId: attacker, name: "t", by: "operator" });
  await trunks.reload();
  expect(["198.19.0.1", "203.0.113.9", "198.20.0.1"].map(hasVoice)).toEqual([true, true, false]);
  expect(trunks.whose.hasVoiceAt(victim, "t", "203.0.113.9")).toBe(false);
  expect(trunks.inbound(callTo(THEIR_NUMBER, "203.0.113.9"))).toBeUndefined();
  const asCaller = { source_addresses: ["203.0.113.9/32"] };
  await updateTrunk(db, secrets, { exchangeId: attacker, name: "t", changes: asCaller });
  await trunks.reload();
  expect(trunks.inbound(callTo(THEIR_NUMBER, "203.0.113.9"))).toBeUndefined();
});

test("nor does voice go where a tenant says that his server is, before that has answered", async () => {
  await trunkOf(attacker, "carrier.example");
  const { trunks } = await run([CARRIER], { "carrier.example": [CARRIER, OFFICE] });
  expect([CARRIER, OFFICE].map((address) => trunks.whose.hasVoiceAt(attacker, "t", address))).toEqual([true, false]);
});

test("what overlaps an address of another exchange is refused, the very same is shared, a mere claim keeps nobody out", async () => {
  await trunkOf(victim, CARRIER, { source_addresses: ["192.0.2.0/24", "198.51.100.0/24"] });
  await run([CARRIER]);
  await running.close();
  const asked = (network: string) => networksTaken(db, attacker, [network]);
  expect(await asked("192.0.2.50/32")).toEqual({ refused: "network-taken", network: "192.0.2.50/32" });
  expect(await asked("192.0.0.0/16")).toMatchObject({ refused: "network-taken" });
  expect(await asked("192.0.2.0/24")).toBeUndefined();
  expect(await asked("198.51.100.7/32")).toBeUndefined();
  expect(await networksTaken(db, victim, ["192.0.2.50/32"])).toBeUndefined();
});
