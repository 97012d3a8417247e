// The desk keeps its word: retries with their spacing, resumed pages, a few lines a trunk, and order after a crash.

import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { temporaryFolder } from "../../../../test/ground/santral-process.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { type TestClock, testClock } from "../../../../test/ground/test-clock.ts";
import { openArrears } from "../../../arrears/arrears.ts";
import { openErrands } from "../../../arrears/errands.ts";
import { realClock } from "../../../clock.ts";
import { silentLog } from "../../../log.ts";
import type { FaxResult } from "../../../media/fax/fax-engine.ts";
import type { Objects } from "../../../objects/objects.ts";
import type { Database, Db } from "../../../store/db.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { createFaxOrder } from "../../../store/fax-orders.ts";
import { cancelFax, sendFaxNow, triesOfFax } from "../../../store/fax-outbox.ts";
import { listFaxRecords } from "../../../store/fax-records.ts";
import { sql } from "../../../store/sql.ts";
import type { HangupCause } from "../../calls/causes.ts";
import { afterCall } from "./after-call.ts";
import { FaxDesk, type FaxDeskParts } from "./fax-desk.ts";
import { faxOrderErrands } from "./fax-order-errands.ts";
import type { FaxSending } from "./send-fax.ts";

const SECOND = 1_000;
const SPACING = [60 * SECOND, 180 * SECOND, 300 * SECOND];

type Placed = {
  callUuid: string;
  sending: FaxSending;
  /** Nobody picked up. */
  fails(cause: HangupCause): void;
  faxes(result: Partial<FaxResult>): void;
};

let db: Database;
let clock: TestClock;
let exchangeId: number;
let placed: Placed[];
let desk: FaxDesk;

beforeAll(async () => {
  ({ db } = await freshDatabase());
});

beforeEach(async () => {
  await db.query(sql`delete from exchanges`);
  const made = await createExchange(db, secrets, { name: "Test", sipDomain: "test.example.com" });
  if ("refused" in made) throw new Error(made.refused);
  exchangeId = made.id;
  clock = testClock();
  placed = [];
  desk = openDesk();
  return () => desk.close();
});

function openDesk(errands?: FaxDeskParts["errands"]): FaxDesk {
  const objects = { fetched: async (key: string) => `/objects/${key}` } as Objects; // nothing else of it is asked for
  return new FaxDesk({
    db,
    clock,
    log: silentLog,
    objects,
    errands,
    spacingMs: SPACING,
    linesPerTrunk: 2,
    trunkTo: (_, number) => (number.startsWith("90212") ? "east" : "west"),
    async place(callUuid, sending) {
      let fail: (fetched: { failed: { cause: HangupCause } } | { answered: true }) => void = () => undefined;
      const fetched = new Promise<{ failed: { cause: HangupCause } } | { answered: true }>((settle) => {
        fail = settle;
      });
      placed.push({
        callUuid,
        sending,
        fails: (cause) => fail({ failed: { cause } }),
        faxes(result) {
          sending.faxing(Promise.resolve({ ...badFax, ...result }));
          fail({ answered: true });
        },
      });
      const hangUp = (cause: HangupCause) => fail({ failed: { cause } });
      return { fetched, over: fetched.then(() => undefined), end: undefined, facts: {}, hangUp };
    },
  });
}

const badFax: FaxResult = {
  ok: false,
  pages: 0,
  rate: 14_400,
  ecm: true,
  remoteStationId: "+902120000000",
  code: 49,
  text: "dropped",
  t38: true,
  resolution: 196,
  badRows: 0,
};
const goodFax = (pages: number) => ({ ok: true, pages, code: 0, text: "OK" });

async function order(to = "902121112233", pages = 3): Promise<number> {
  const id = await createFaxOrder(db, {
    exchangeId,
    localStationId: "908505320000",
    localStationHeader: "",
    remoteStationId: to,
    pages,
    objectKey: `faxes/out-${to}.tif`,
    createdAt: new Date(clock.wall()),
  });
  desk.look();
  return id;
}

/** What the database does is real, and takes as long as it takes. */
async function callNumber(count: number): Promise<Placed> {
  await expect.poll(() => placed.length, { timeout: 30_000 }).toBe(count);
  return placed[count - 1]!; // just counted
}

async function stateOf(id: number) {
  const [row] = await db.query<{ state: string; confirmed: number; failures: number; next: Date }>(
    sql`select state, confirmed_pages as confirmed, failures, next_try_at as next from fax_orders where id = $1`,
    [id],
  );
  return row!; // never deleted here
}

const until = (id: number, state: object) => expect.poll(() => stateOf(id), { timeout: 30_000 }).toMatchObject(state);

async function records() {
  const { rows } = await listFaxRecords(db, exchangeId, {}, { page: 1, limit: 100 });
  return rows.sort((a, b) => a.startStamp.getTime() - b.startStamp.getTime());
}

describe("the fax desk", () => {
  test("tries a busy number again after each wait, and gives it up after the last", async () => {
    const id = await order();
    (await callNumber(1)).fails("USER_BUSY");
    for (const [index, wait] of SPACING.entries()) {
      await until(id, { state: "waiting", failures: index + 1, next: new Date(clock.wall() + wait) });
      clock.pass(wait - 1);
      desk.look();
      clock.pass(1);
      desk.look();
      (await callNumber(index + 2)).fails("NO_ANSWER");
    }
    await until(id, { state: "failed", confirmed: 0 });
    expect(await records()).toMatchObject(Array(4).fill({ pages: 0, totalPages: 3, success: false }));
  });

  test("goes on with the first page that was not confirmed, and a call that brings pages counts as no failure", async () => {
    const id = await order();
    const first = await callNumber(1);
    first.sending.confirmed(1);
    await until(id, { state: "sending", confirmed: 1 });
    first.faxes({ pages: 1 });
    await until(id, { state: "waiting", confirmed: 1, failures: 0 });
    clock.pass(SPACING[0]!);
    desk.look();
    const second = await callNumber(2);
    expect(second.sending.order.confirmedPages).toBe(1);
    second.faxes(goodFax(2));
    await until(id, { state: "sent", confirmed: 3 });
    expect(await records()).toMatchObject([
      { pages: 1, totalPages: 3, success: false, transferRate: 14_400 },
      { pages: 2, totalPages: 2, success: true, transferRate: 14_400 },
    ]);
  });

  test("sends two at a time on a trunk, and what waits there keeps no other trunk waiting", async () => {
    for (let count = 0; count < 4; count++) await order(`90212000000${count}`, 1);
    await order("902320000000", 1);
    await callNumber(3);
    const numbers = placed.map(({ sending }) => sending.order.remoteStationId).sort();
    expect(numbers).toEqual(["902120000000", "902120000001", "902320000000"]);
    placed[0]!.faxes(goodFax(1)); // there are three
    const next = await callNumber(4);
    expect(next.sending.order.remoteStationId).toBe("902120000002");
    for (const call of placed.slice(1)) call.faxes(goodFax(1));
    (await callNumber(5)).faxes(goodFax(1));
  });

  test("after a crash goes on after the last page that was confirmed, and the call that was cut off has its record", async () => {
    const id = await order();
    (await callNumber(1)).sending.confirmed(2);
    await until(id, { state: "sending", confirmed: 2 });
    const reborn = openDesk(); // the first never hears of its call again
    await reborn.recover();
    expect(await stateOf(id)).toMatchObject({ state: "waiting", confirmed: 2, failures: 1 });
    clock.pass(SPACING[0]!);
    reborn.look();
    const second = await callNumber(2);
    expect(second.sending.order.confirmedPages).toBe(2);
    second.faxes(goodFax(1));
    await until(id, { state: "sent", confirmed: 3 });
    await reborn.close();
    placed[0]!.fails("SYSTEM_SHUTDOWN"); // there are two
  });

  test("whose last page was confirmed when the crash came has sent it", async () => {
    const id = await order();
    (await callNumber(1)).sending.confirmed(3);
    await until(id, { state: "sending", confirmed: 3 });
    const reborn = openDesk();
    await reborn.recover();
    expect(await stateOf(id)).toMatchObject({ state: "sent" });
    await reborn.close();
    placed[0]!.fails("SYSTEM_SHUTDOWN"); // the one that was called
  });
});

describe("after a call", () => {
  const call = { failures: 0, confirmed: 0, pages: 3, brought: 0, isOurStop: false };
  const fax = (code: number) => ({ result: { ...badFax, code } });

  test.each<[string, Parameters<typeof afterCall>[0]["end"], object, string]>([
    ["a number that does not exist", { cause: "UNALLOCATED_NUMBER" }, {}, "failed"],
    ["a number that may not be called", { cause: "INCOMING_CALL_BARRED" }, {}, "failed"],
    ["a trunk that is full", { cause: "NORMAL_CIRCUIT_CONGESTION" }, {}, "again"],
    ["a machine that broke off", fax(49), {}, "again"],
    ["a person who answered", fax(2), {}, "again"],
    ["the same person once more", fax(2), { failures: 1 }, "failed"],
    ["machines that do not fit", fax(8), {}, "failed"],
    ["our own stop", { cause: "SYSTEM_SHUTDOWN" }, { failures: 3, isOurStop: true }, "again"],
    ["the last page", fax(49), { confirmed: 3, brought: 1 }, "sent"],
  ])("of %s an order knows what to do", (_, end, more, is) => {
    expect(afterCall({ ...call, end, ...more }, SPACING, 0)).toMatchObject({ is });
  });
});

test("a fax that went while the database was away is not sent again by the next start, though the process was killed", async () => {
  const folder = join(temporaryFolder(), "arrears");
  let isAway = true;
  const away = () => Promise.reject(new Error("away"));
  const faulty: Db = {
    query: (text, values) => (isAway ? away() : db.query(text, values)),
    transaction: (work) => (isAway ? away() : db.transaction(work)),
  };
  const openFaulty = async () => {
    const arrears = openArrears({ folder, clock: realClock, node: "here" });
    const stream = await arrears.stream("errands");
    const kinds = faxOrderErrands;
    return { arrears, errands: openErrands({ db: faulty, clock: realClock, log: silentLog, kinds, arrears: stream }) };
  };
  const first = await openFaulty();
  desk = openDesk(first.errands);
  const id = await order();
  (await callNumber(1)).faxes(goodFax(3));
  await expect.poll(() => first.arrears.state().entries, { timeout: 30_000 }).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: "sending" });
  await desk.close();
  await first.errands.close();
  await first.arrears.close();
  isAway = false;
  const next = await openFaulty();
  await next.errands.caughtUp();
  desk = openDesk(next.errands);
  await desk.recover();
  expect(await stateOf(id)).toMatchObject({ state: "sent", confirmed: 3 });
  expect((await records()).map(({ success }) => success)).toEqual([true]);
  expect(placed).toHaveLength(1);
  await next.errands.close();
});

test("an order that is taken back makes no call, and one whose call goes on is hung up and stays taken back", async () => {
  const taken = await order();
  const first = await callNumber(1);
  const cancelled = await cancelFax(db, { exchangeId, id: taken, nowMs: clock.wall() });
  expect(cancelled).toEqual({ callUuid: first.callUuid });
  desk.drop(first.callUuid);
  await expect.poll(() => recordsOf(taken), { timeout: 30_000 }).toMatchObject([{ resultText: "NORMAL_CLEARING" }]);
  expect(await stateOf(taken)).toMatchObject({ state: "cancelled", failures: 0 });
  expect(await cancelFax(db, { exchangeId, id: taken, nowMs: clock.wall() })).toBeUndefined();

  const waiting = await order("902121112244");
  (await callNumber(2)).fails("USER_BUSY");
  await until(waiting, { state: "waiting", failures: 1 });
  expect(await cancelFax(db, { exchangeId, id: waiting, nowMs: clock.wall() })).toEqual({ callUuid: null });
  expect(await sendFaxNow(db, exchangeId, waiting)).toBe(false);

  const late = await order("902121112255", 1);
  const third = await callNumber(3);
  await cancelFax(db, { exchangeId, id: late, nowMs: clock.wall() });
  third.faxes(goodFax(1)); // it was over there before anybody could stop it
  await until(late, { state: "sent" });
});

test("an order that waits goes at once when somebody wants it to", async () => {
  const id = await order();
  (await callNumber(1)).fails("USER_BUSY");
  await until(id, { state: "waiting", failures: 1 });
  clock.pass(1_000); // of two tries in one moment neither is the later one
  expect(await sendFaxNow(db, exchangeId, id)).toBe(true);
  desk.look();
  (await callNumber(2)).faxes(goodFax(3));
  await until(id, { state: "sent" });
  expect(await recordsOf(id)).toMatchObject([{ resultCode: 0 }, { resultCode: -100, resultText: "USER_BUSY" }]);
});

const recordsOf = async (id: number) =>
  (await triesOfFax(db, exchangeId, id)).filter(({ endStamp }) => endStamp !== null);
