import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listAuditLines } from "../../src/store/audit.ts";
import type { FaxOrder } from "../../src/store/fax-orders.ts";
import { charge } from "../../src/store/spending.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";

const desks = { "1000": {}, "1001": { forwardAlways: "05321234567" }, "1002": {} };
const rates = [
  { prefix: "00", minutePrice: 3 },
  { prefix: "905", minutePrice: 0.5 },
  { prefix: "90", minutePrice: 0 },
];

describe("the month's spending limit", () => {
  test("every started minute is bought before it is talked", async () => {
    const town = await townWith({ desks, rates });
    const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
    await ann.calls("05321234567");
    await far.rings();
    expect(await town.spent()).toBe(0);
    await far.answers();
    await town.talksWith(ann, far);
    expect(await town.spent()).toBe(0.5);
    await town.pass({ seconds: 59 });
    expect(await town.spent()).toBe(0.5);
    await town.pass({ seconds: 62 });
    expect(await town.spent()).toBe(1.5);
    await far.hangsUp();
    await town.isQuiet();
    await town.pass({ seconds: 300 });
    expect(await town.spent()).toBe(1.5);
  });

  test("what cannot be paid for is not dialled, from any door", async () => {
    const town = await townWith({
      desks,
      rates,
      exchange: { monthlySpendingLimit: 10 },
      target: "external/05321234567",
    });
    await charge(town.db, { exchangeId: town.exchangeId, month: "2026-01-01", price: 9.8 });
    const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone("905321234567")];
    const stranger = town.phone("902121234567");
    const isRefused = async (phone: typeof ann, dialled: string) => {
      phone.seen.length = 0;
      await phone.calls(dialled);
      await town.until(`${dialled} is refused`, () => phone.seen.includes("ended INCOMING_CALL_BARRED"));
    };
    await isRefused(ann, "05321234567"); // by phone
    await isRefused(ann, "1001"); // by forwarding
    await isRefused(stranger, "08505320000"); // by a number that leads outside
    const bridged = await town.exchange.bridge(town.exchangeId, {
      source: "05321234567",
      destination: "02121234567",
      seconds: 30,
      announcements: {},
      recordingEnabled: true,
    });
    const barred = { refused: "destination-barred", destination: "905321234567", why: "spending-limit" };
    expect(bridged).toEqual(barred);
    const desk = { extension: "1000", destination: "05321234567", manualAnswer: true, seconds: 30, announcements: {} };
    expect(await town.exchange.originate(town.exchangeId, desk)).toEqual(barred);
    expect(far.seen).toEqual([]);
    expect(bob.seen).toEqual([]);
    // What costs nothing is still possible.
    ann.seen.length = 0;
    await ann.calls("02121234567");
    await stranger.answers();
    await town.talksWith(ann, stranger);
    await ann.hangsUp();
    await town.isQuiet();
    expect(await town.spent()).toBe(9.8);
    const [told] = await listAuditLines(town.db, town.exchangeId);
    expect(told).toMatchObject({ did: "spending-limit-reached", details: { limit: "10" } });
  });

  test("a call that is up ends with the last minute that can be paid for, also after it was sent on", async () => {
    const town = await townWith({ desks, rates, exchange: { monthlySpendingLimit: 1 } });
    const [ann, far, carl] = [town.phone("1000"), town.phone("905321234567"), town.phone("1002")];
    await ann.calls("05321234567");
    await far.answers();
    await town.talksWith(ann, far);
    const [call] = town.board.live.all(town.exchangeId);
    await town.exchange.transfer(town.exchangeId, call!.facts.uuid, "1002");
    await carl.answers();
    await town.talksWith(far, carl);
    await town.pass({ seconds: 110 });
    expect(far.seen.some((seen) => seen.startsWith("ended"))).toBe(false);
    await town.pass({ seconds: 15 });
    expect(far.seen.at(-1)).toMatch(/^ended/);
    await town.isQuiet();
    expect(await town.spent()).toBe(1);
    expect(town.diary.records[0]?.end.cause).toBe("ALLOTTED_TIMEOUT");
    expect(town.diary.records[0]?.facts.story).toContainEqual(
      expect.objectContaining({ is: "spending-limit", number: "05321234567" }),
    );
  });
});

describe("each leg that was paid for", () => {
  type Town = Awaited<ReturnType<typeof townWith>>;
  const legsOf = ({ db, exchangeId }: Town) =>
    db.query<{ callUuid: string }>(
      sql`select kind, call_uuid as "callUuid", number, prefix, trunk, extension, minutes, calls,
         amount::double precision as amount from paid_legs where exchange_id = $1 order by at, number`,
      [exchangeId],
    );

  test("names who called or sent the call on, the price it goes by, and its call", async () => {
    const town = await townWith({ desks, rates });
    const [ann, bob, far] = [town.phone("1000"), town.phone("1001"), town.phone("905321234567")];
    await ann.calls("05321234567");
    await far.answers();
    await town.talksWith(ann, far);
    const [call] = town.board.live.all(town.exchangeId);
    await town.pass({ seconds: 90 });
    await ann.hangsUp();
    await town.isQuiet();
    const carl = town.phone("1002");
    far.seen.length = 0;
    await carl.calls("1001");
    await far.rings();
    await far.answers();
    await town.talksWith(carl, far);
    expect(bob.seen).toEqual([]);
    await carl.hangsUp();
    await town.isQuiet();
    const paid = { kind: "call", number: "905321234567", prefix: "905", calls: 1 };
    expect(await legsOf(town)).toMatchObject([
      { ...paid, callUuid: call!.facts.uuid, extension: "1000", minutes: 2, amount: 1 },
      { ...paid, extension: "1001", minutes: 1, amount: 0.5 },
    ]);
    expect(await town.spent()).toBe(1.5);
  });

  test("is told from those of faxes", async () => {
    const town = await townWith({ desks, rates });
    const far = town.phone("905321234567");
    const { exchangeId } = town;
    const order = {
      ...{ id: 1, exchangeId, localStationId: "908505320000", remoteStationId: "905321234567" },
      ...{ localStationHeader: "", confirmedPages: 0, pages: 1 },
    } as FaxOrder; // what a call of it is begun with
    const sending = { order, tiff: "", confirmed: () => undefined, faxing: () => undefined };
    const callUuid = randomUUID();
    await town.board.placeFaxCall(callUuid, sending);
    await far.answers();
    await town.until("there is no machine here", () => town.board.live.size === 0);
    await town.isQuiet();
    expect(await legsOf(town)).toMatchObject([{ kind: "fax", callUuid, extension: "", minutes: 1, amount: 0.5 }]);
  });

  test("is one leg still after the server was killed in the middle of it", async () => {
    const town = await townWith({ keepsCalls: true, desks, rates });
    const [ann, far] = [town.phone("1000"), town.phone("905321234567")];
    await ann.calls("05321234567");
    await far.answers();
    await town.talksWith(ann, far);
    await town.pass({ seconds: 50 });
    await town.restarts({ elsewhere: false, afterSeconds: 3 });
    await town.talksWith(ann, far);
    await town.pass({ seconds: 10 });
    await ann.hangsUp();
    await town.isQuiet();
    expect(await legsOf(town)).toMatchObject([{ extension: "1000", prefix: "905", calls: 1, minutes: 2, amount: 1 }]);
    const [{ callUuid } = { callUuid: "" }] = await legsOf(town);
    await town.db.query(sql`delete from cdrs where call_uuid = $1`, [callUuid]);
    expect(await legsOf(town)).toMatchObject([{ number: "", extension: "1000", amount: 1 }]);
  });
});

test("as many calls to the outside as the exchange has channels, and the next when one is free", async () => {
  const town = await townWith({ desks, exchange: { channelLimit: 1 } });
  const [ann, carl] = [town.phone("1000"), town.phone("1002")];
  const [far, other] = [town.phone("905321234567"), town.phone("902121234567")];
  await ann.calls("05321234567");
  await far.answers();
  await town.talksWith(ann, far);
  await carl.calls("02121234567");
  await town.until("refused", () => carl.seen.includes("ended NORMAL_CIRCUIT_CONGESTION"));
  await far.hangsUp();
  await town.until("over", () => town.board.live.size === 0);
  await carl.calls("02121234567");
  await other.answers();
  await town.talksWith(carl, other);
  await carl.hangsUp();
  await town.isQuiet();
});
