// What a carrier says while the database is away: kept on disk, told to the carrier as kept, and true after a kill.

import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { temporaryFolder } from "../../test/ground/santral-process.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { newDesk } from "../../test/town/sms-desk.ts";
import { openArrears } from "../arrears/arrears.ts";
import { realClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Database, Db } from "../store/db.ts";
import { listSmsAccounts } from "../store/sms-accounts.ts";
import { type CarrierRow, listAllCarriers } from "../store/sms-carriers.ts";
import { claimMessages, takeOver, titlesWaiting } from "../store/sms-claims.ts";
import { sql } from "../store/sql.ts";
import { readReceipt } from "./receipt.ts";
import { send } from "./send.ts";
import { writeAnswersDown } from "./written-answers.ts";

let db: Database;
let isAway = false;
const away = () => Promise.reject(new Error("away"));
const faulty: Db = {
  query: (text, values) => (isAway ? away() : db.query(text, values)),
  transaction: (work) => (isAway ? away() : db.transaction(work)),
};

beforeAll(async () => {
  db = (await freshDatabase()).db;
});

async function threeClaimed() {
  const desk = await newDesk(db, { credits: 100 });
  const account = (await listSmsAccounts(db, desk.exchangeId))[0]!;
  const dests = ["905321234561", "905321234562", "905321234563"];
  await send(db, realClock, account, { messages: [{ dests, ids: [], text: "Merhaba" }] });
  const carrier = (await listAllCarriers(db, secrets)).find(({ exchangeId }) => exchangeId === desk.exchangeId)!;
  const { shift } = await takeOver(db, carrier.id, carrier.whenUncertain);
  const [title] = await titlesWaiting(db, carrier.id);
  const claim = (await claimMessages(db, shift, { titleId: title!.titleId, most: 10 }))!;
  return { carrier, claim, ids: claim.messages.map(({ id }) => id) as [number, number, number] };
}

const states = async (ids: number[]) =>
  (
    await db.query<{ state: string }>(
      sql`select state from sms_messages
       where id = any($1) order by id`,
      [ids],
    )
  ).map(({ state }) => state);

async function booksOf(carrier: CarrierRow, folder: string) {
  const arrears = openArrears({ folder, clock: realClock, node: "here" });
  const stream = await arrears.stream(`messages-${carrier.id}`);
  const written = () => undefined;
  const books = writeAnswersDown({ db: faulty, clock: realClock, log: silentLog, carrier, arrears: stream, written });
  return { arrears, books };
}

const ofFirst = { from: "905321234561", state: "DELIVERED", gsmError: 0, textBegins: undefined } as const;

test("answers and receipts that came while the database was away are known after a kill, and only the rest is in doubt", async () => {
  const folder = join(temporaryFolder(), "arrears");
  const { carrier, claim, ids } = await threeClaimed();
  const { books, arrears } = await booksOf(carrier, folder);
  books.claimed(claim);
  isAway = true;
  books.answered(ids[0], { said: "accepted", references: ["one"] });
  books.answered(ids[1], { said: "refused", state: "REJECTED", gsmError: 500 });
  await books.receipt({ ...ofFirst, references: ["one"] }); // the carrier hears now that we have it
  expect(books.isAside()).toBe(true);
  expect(books.waiting()).toBe(0);
  await arrears.close(); // killed
  isAway = false;
  const next = await booksOf(carrier, folder);
  await next.books.caughtUp();
  const { doubtful } = await takeOver(db, carrier.id, carrier.whenUncertain);
  expect(doubtful).toBe(1);
  expect((await states(ids)).slice(0, 2)).toEqual(["DELIVERED", "REJECTED"]);
  await Promise.all([next.books.close(), books.close()]);
});

test("without a kill a claim ends with its last answer, whether that or an earlier one lay on disk", async () => {
  const { carrier, claim, ids } = await threeClaimed();
  const { books } = await booksOf(carrier, join(temporaryFolder(), "arrears"));
  books.claimed(claim);
  isAway = true;
  books.answered(ids[0], { said: "accepted", references: ["uno"] });
  await books.receipt({ ...ofFirst, references: ["uno"] });
  isAway = false;
  await books.caughtUp();
  expect(books.openClaims()).toEqual([claim.id]);
  books.answered(ids[1], { said: "accepted", references: ["due"] });
  books.answered(ids[2], { said: "later", waitMs: 0 });
  await books.close();
  expect(books.openClaims()).toEqual([]);
  expect(await db.query(sql`select id from sms_claims where carrier_id = $1`, [carrier.id])).toEqual([]);
  expect(await states(ids)).toEqual(["DELIVERED", "accepted", "queued"]);
});

test("a receipt that outruns its answer is not taken for one of another message, whose id it is in another notation", async () => {
  const { carrier, claim, ids } = await threeClaimed();
  const { books } = await booksOf(carrier, join(temporaryFolder(), "arrears"));
  books.claimed(claim);
  const receiptFor = (id: string, from: string) =>
    books.receipt({ ...ofFirst, from, references: readReceipt({ text: `id:${id} stat:DELIVRD` })!.references });
  books.answered(ids[0], { said: "accepted", references: ["1234"] });
  await receiptFor("1234", "905321234561");
  await Promise.all([receiptFor("1234", "905321234561"), receiptFor("4660", "905321234562")]); // 0x1234
  books.answered(ids[1], { said: "accepted", references: ["4660"] });
  books.answered(ids[2], { said: "later", waitMs: 0 });
  await books.close();
  expect(await states(ids)).toEqual(["DELIVERED", "DELIVERED", "queued"]);
});
