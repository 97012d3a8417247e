// Claims on a real database: what stands in one is nobody else's, and what a crash leaves in one is recorded as doubtful.

import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { newDesk } from "../../test/town/sms-desk.ts";
import { expire } from "../sms/chores.ts";
import { send } from "../sms/send.ts";
import type { Database } from "./db.ts";
import { listSmsAccounts } from "./sms-accounts.ts";
import { listCarriers } from "./sms-carriers.ts";
import { claimMessages, dropUnheardClaims, endClaims, leaveClaims, takeOver } from "./sms-claims.ts";
import { acceptMessages, cutOffMessages, failMessages } from "./sms-messages.ts";
import { sql } from "./sql.ts";

let db: Database;
beforeAll(async () => {
  db = (await freshDatabase()).db;
});

/** A carrier with so many messages in its queue, taken over by us. */
async function queueOf(count: number) {
  const clock = testClock();
  const desk = await newDesk(db, { credits: count });
  const account = (await listSmsAccounts(db, desk.exchangeId))[0]!;
  const dests = Array.from({ length: count }, (_, n) => `9050000001${String(n).padStart(2, "0")}`);
  const sent = await send(db, clock, account, { messages: [{ dests, ids: [], text: "Merhaba" }], validFor: "1:00" });
  if ("refused" in sent) throw new Error(sent.refused);
  const carrierId = (await listCarriers(db, desk.exchangeId))[0]!.id;
  const { shift } = await takeOver(db, carrierId, "resend");
  const records = () =>
    db.query(sql`select state, submits, unanswered from sms_messages where campaign_id = $1 order by id`, [
      sent.campaignId,
    ]);
  return { clock, carrierId, titleId: desk.titleId, shift, records };
}

const idsOf = (claim: Awaited<ReturnType<typeof claimMessages>>) => (claim?.messages ?? []).map(({ id }) => id);

const waits = { state: "queued", submits: 0, unanswered: 0 };
const doubted = { state: "queued", submits: 1, unanswered: 1 };

test("what stands in a claim is not claimed again, in the order of the queue", async () => {
  const { carrierId, shift, titleId } = await queueOf(5);
  const first = idsOf(await claimMessages(db, shift, { titleId, most: 2 }));
  const second = await claimMessages(db, shift, { titleId, most: 2 });
  const third = idsOf(await claimMessages(db, shift, { titleId, most: 2 }));
  const all = [...first, ...idsOf(second), ...third];
  expect(all).toEqual([...new Set(all)].sort((one, other) => one - other));
  expect(all).toHaveLength(5);
  expect(await claimMessages(db, shift, { titleId, most: 2 })).toBeUndefined();
  await leaveClaims(db, carrierId, [first[1]!]);
  await endClaims(db, carrierId, [second!.id]);
  expect(idsOf(await claimMessages(db, shift, { titleId, most: 9 }))).toEqual([first[1], ...idsOf(second)]);
});

test("whoever takes a carrier over finds in doubt what was claimed and not answered, and nothing else", async () => {
  const { carrierId, shift, titleId, records } = await queueOf(5);
  const now = new Date();
  const [taken, refused, putBack] = idsOf(await claimMessages(db, shift, { titleId, most: 4 }));
  await acceptMessages(db, { carrierId, receipts: true, now }, [{ id: taken!, references: ["1"] }]);
  await failMessages(db, [{ id: refused!, state: "REJECTED", gsmError: 1 }], now);
  await leaveClaims(db, carrierId, [putBack!]);
  const next = await takeOver(db, carrierId, "resend");
  expect(next.doubtful).toBe(1);
  expect(await records()).toEqual([
    { state: "accepted", submits: 1, unanswered: 0 },
    { state: "REJECTED", submits: 1, unanswered: 0 },
    waits,
    doubted,
    waits,
  ]);
  expect((await takeOver(db, carrierId, "resend")).doubtful).toBe(0);
});

test("with the policy to keep, what is in doubt stays out of the queue", async () => {
  const { carrierId, shift, titleId, records } = await queueOf(2);
  await claimMessages(db, shift, { titleId, most: 1 });
  const next = await takeOver(db, carrierId, "keep");
  expect(await records()).toEqual([{ ...doubted, state: "uncertain" }, waits]);
  expect(idsOf(await claimMessages(db, next.shift, { titleId, most: 9 }))).toHaveLength(1);
});

test("a process that was taken for dead claims nothing more", async () => {
  const { carrierId, shift, titleId } = await queueOf(2);
  const { shift: next } = await takeOver(db, carrierId, "resend");
  expect(await claimMessages(db, shift, { titleId, most: 9 })).toBeUndefined();
  expect(await dropUnheardClaims(db, shift, [])).toEqual(shift);
  expect(idsOf(await claimMessages(db, next, { titleId, most: 9 }))).toHaveLength(2);
});

test("a claim that nobody heard of is dropped without a doubt, one that was heard of stays", async () => {
  const { carrierId, shift, titleId, records } = await queueOf(4);
  const heard = await claimMessages(db, shift, { titleId, most: 2 });
  const unheard = await claimMessages(db, shift, { titleId, most: 2 });
  const next = await dropUnheardClaims(db, shift, [heard!.id]);
  expect(idsOf(await claimMessages(db, next, { titleId, most: 9 }))).toEqual(idsOf(unheard));
  expect(await records()).toEqual([waits, waits, waits, waits]);
  expect((await takeOver(db, carrierId, "resend")).doubtful).toBe(4);
});

test("an answer that was cut off is counted once, however often that is written", async () => {
  const { carrierId, shift, titleId, records } = await queueOf(2);
  const ids = idsOf(await claimMessages(db, shift, { titleId, most: 2 }));
  for (let time = 0; time < 2; time++) {
    await cutOffMessages(db, carrierId, [ids[0]!], "resend");
    await leaveClaims(db, carrierId, [ids[0]!]);
  }
  expect(await records()).toEqual([doubted, waits]);
});

test("what a carrier is being told does not expire; what waits does", async () => {
  const { clock, carrierId, shift, titleId, records } = await queueOf(2);
  const claim = await claimMessages(db, shift, { titleId, most: 1 });
  clock.pass(61 * 60_000);
  await expire(db, clock);
  const expired = { ...waits, state: "EXPIRED" };
  expect(await records()).toEqual([waits, expired]);
  await endClaims(db, carrierId, [claim!.id]);
  await expire(db, clock);
  expect(await records()).toEqual([expired, expired]);
});
