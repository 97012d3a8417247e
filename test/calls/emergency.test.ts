import { expect, test } from "vitest";
import { MAIL_NOTICE } from "../../src/jobs/notice.ts";
import { headerOf } from "../../src/sip/message/message.ts";
import { listAuditLines } from "../../src/store/audit.ts";
import { charge } from "../../src/store/spending.ts";
import { sql } from "../../src/store/sql.ts";
import { createStaffAccount } from "../../src/store/staff.ts";
import { nobodysPassword } from "../../src/store/staff-password.ts";
import { townWith } from "../town/town.ts";
import { OWN_NUMBER } from "../town/town-setup.ts";

const desks = { "1000": {}, "1001": {}, "1002": {} };
const desk = { extension: "1000", destination: "112", manualAnswer: true, seconds: 10, announcements: {} };

type Town = Awaited<ReturnType<typeof townWith>>;

async function isHelped(town: Town, ann = town.phone("1000"), help = town.phone("112"), dialled = "112") {
  help.seen.length = 0;
  await ann.calls(dialled);
  await help.answers();
  await town.talksWith(ann, help);
  return { ann, help };
}

test("a call for help is neither priced nor barred by an empty purse, a full exchange or a list", async () => {
  const town = await townWith({
    desks,
    rates: [{ prefix: "", minutePrice: 9 }],
    blocked: ["112"],
    exchange: { monthlySpendingLimit: 1, channelLimit: 1, maxCallSeconds: 60 },
  });
  const [bob, far] = [town.phone("1001"), town.phone("902121234567")];
  await bob.calls("02121234567");
  await town.until("nobody else is let out", () => bob.seen.includes("ended INCOMING_CALL_BARRED"));
  await charge(town.db, { exchangeId: town.exchangeId, month: "2026-01-01", price: 1 });
  const { ann } = await isHelped(town);
  await town.pass({ seconds: 200 });
  expect(ann.seen.some((seen) => seen.startsWith("ended"))).toBe(false);
  expect(await town.spent()).toBe(1);
  expect(far.seen).toEqual([]);
  await ann.hangsUp();
  await town.isQuiet();
  const { facts } = town.diary.records.at(-1)!;
  expect(facts).toMatchObject({ direction: "outbound", destinationNumber: "112", callerNumber: "1000" });
  expect(facts.story).toContainEqual(expect.objectContaining({ is: "emergency", number: "112" }));
});

test("while the machine turns calls away, one for help begins at once, by phone and by the interface", async () => {
  const town = await townWith({ desks });
  const [ann, carl, help] = [town.phone("1000"), town.phone("1002"), town.phone("112")];
  town.media.pulse = () => new Promise(() => undefined);
  for (let calls = 0; calls < 1_200; calls++) await carl.calls("1999");
  await town.pass({ seconds: 4 });
  await ann.calls("1001");
  await town.until("others are turned away", () => ann.seen.includes("ended NORMAL_TEMPORARY_FAILURE"));
  expect(town.board.gate()).toMatchObject({ refusing: true });
  await isHelped(town, ann, help);
  await ann.hangsUp();
  expect(await town.exchange.originate(town.exchangeId, { ...desk, destination: "1001" })).toEqual({
    refused: "overloaded",
  });
  for (const phone of [ann, help]) phone.seen.length = 0;
  expect(await town.exchange.originate(town.exchangeId, desk)).toHaveProperty("callUuid");
  await ann.answers();
  await help.answers();
  await town.talksWith(ann, help);
  await town.pass({ seconds: 20 });
  await ann.hangsUp();
});

test("it is dialled with what people put in front, and what the exchange has set is help too", async () => {
  const town = await townWith({ desks, exchange: { emergencyNumbers: ["155", "911"] } });
  const [ann, help, police] = [town.phone("1000"), town.phone("112"), town.phone("911")];
  for (const dialled of ["112", "0112", "9112", "+90112", "0090112"]) {
    await isHelped(town, ann, help, dialled);
    await ann.hangsUp();
    await town.until("it is over", () => town.board.live.size === 0);
  }
  await isHelped(town, ann, police, "9911");
  await ann.hangsUp();
  await town.isQuiet();
  expect(town.diary.records.every(({ facts }) => ["112", "911"].includes(facts.destinationNumber))).toBe(true);
});

test("who has no number of ours calls for help all the same, and so does who rings for ever", async () => {
  const town = await townWith({ desks });
  await town.db.query(sql`delete from external_numbers where exchange_id = $1`, [town.exchangeId]);
  await town.settled();
  const [ann, help, far] = [town.phone("1000"), town.phone("112"), town.phone("905321234567")];
  await ann.calls("05321234567");
  await town.until("nothing else goes out", () => ann.seen.includes("ended FACILITY_REJECTED"));
  expect(far.seen).toEqual([]);
  ann.seen.length = 0;
  await ann.calls("112");
  await help.rings();
  await town.pass({ seconds: 150 });
  await help.answers();
  await town.talksWith(ann, help);
  await ann.hangsUp();
  await town.isQuiet();
});

test("those who run the exchange are told, once a call", async () => {
  const town = await townWith({ desks });
  await createStaffAccount(town.db, {
    exchangeId: town.exchangeId,
    email: "boss@town.example",
    name: "Boss",
    password: nobodysPassword(),
    role: "administrator",
  });
  const { ann } = await isHelped(town);
  await ann.hangsUp();
  await town.isQuiet();
  const [told] = await listAuditLines(town.db, town.exchangeId);
  expect(told).toMatchObject({ did: "emergency-call", details: { number: "112", caller: "1000" } });
  const letters = await town.db.query(sql`select payload from jobs where kind = $1`, [MAIL_NOTICE]);
  expect(letters).toEqual([{ payload: expect.objectContaining({ to: "boss@town.example" }) }]);
});

test("by the interface neither do-not-disturb nor a wrong caller number keeps anybody from help", async () => {
  const town = await townWith({ desks: { "1000": { dnd: true } }, exchange: { channelLimit: 1 }, blocked: ["112"] });
  const [ann, help] = [town.phone("1000"), town.phone("112")];
  expect(await town.exchange.originate(town.exchangeId, { ...desk, destination: "02121234567" })).toMatchObject({
    refused: "do-not-disturb",
  });
  const asked = { ...desk, callerId: "905559998877" };
  expect(await town.exchange.originate(town.exchangeId, asked)).toHaveProperty("callUuid");
  await ann.answers();
  await help.answers();
  await town.talksWith(ann, help);
  await ann.hangsUp();
  await town.isQuiet();
});

test("it is reached by transfer and by forwarding", async () => {
  const town = await townWith({ desks: { ...desks, "1001": { forwardAlways: "112" } } });
  const [ann, carl, help] = [town.phone("1000"), town.phone("1002"), town.phone("112")];
  await isHelped(town, carl, help, "1001");
  await carl.hangsUp();
  await town.until("it is over", () => town.board.live.size === 0);
  await ann.calls("1002");
  await carl.answers();
  await town.talksWith(ann, carl);
  help.seen.length = 0;
  carl.leg().ask("REFER", { headers: [{ name: "Refer-To", value: "<sip:112@town.example>" }] });
  await help.answers();
  await town.talksWith(ann, help);
  await ann.hangsUp();
  await town.isQuiet();
});

test("a carrier that has no channel left gets one back: somebody else's call gives way", async () => {
  const town = await townWith({ desks });
  const [ann, bob, help] = [town.phone("1000"), town.phone("1001"), town.phone("112")];
  const far = town.phone("905321234567");
  await bob.calls("05321234567");
  await far.answers();
  await town.talksWith(bob, far);
  await ann.calls("112");
  await help.refuses("busy");
  help.seen.length = 0;
  await town.until("the other call is ended", () => bob.seen.includes("ended NORMAL_CIRCUIT_CONGESTION"));
  await help.answers();
  await town.talksWith(ann, help);
  await ann.hangsUp();
  await town.isQuiet();
  const given = town.diary.records.find(({ facts }) => facts.callerNumber === "1001");
  expect(given?.facts.story).toContainEqual(expect.objectContaining({ is: "gives-way", trunk: "Ana hat" }));
});

test("two who call for help do not give way to each other, and what nobody takes ends with the last trunk's word", async () => {
  const town = await townWith({ desks, exchange: { emergencyNumbers: ["155"] } });
  const [ann, bob, help, police] = [town.phone("1000"), town.phone("1001"), town.phone("112"), town.phone("155")];
  await bob.calls("155");
  await police.answers();
  await town.talksWith(bob, police);
  await ann.calls("112");
  await help.refuses("busy");
  await town.until("she hears why", () => ann.seen.includes("ended USER_BUSY"));
  await town.talksWith(bob, police);
  await bob.hangsUp();
  await town.isQuiet();
});

test("with the database away the numbers that were known still call for help", async () => {
  const town = await townWith({ desks });
  const [ann, help] = [town.phone("1000"), town.phone("112")];
  expect(await town.settings.of(town.exchangeId)).toBeDefined();
  const { query } = town.db;
  town.db.query = () => Promise.reject(new Error("the database is away"));
  town.db.transaction = () => Promise.reject(new Error("the database is away"));
  await ann.calls("112");
  await help.answers();
  await town.talksWith(ann, help);
  town.db.query = query;
  await ann.hangsUp();
  await town.isQuiet();
});

test("who withholds his number and calls for help is helped, and seen", async () => {
  const town = await townWith({ desks: { ...desks, "1000": { withholdNumber: true } } });
  const [ann, help] = [town.phone("1000"), town.phone("112")];
  for (const dialled of ["112", "*31%23112", "%2331%23112", "*67112"]) {
    await isHelped(town, ann, help, dialled);
    expect(headerOf({ headers: help.lastInvite }, "From")).toContain(OWN_NUMBER);
    expect(headerOf({ headers: help.lastInvite }, "Privacy")).toBeUndefined();
    await ann.hangsUp();
    await town.isQuiet();
  }
});
