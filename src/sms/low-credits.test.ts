import { beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { testClock } from "../../test/ground/test-clock.ts";
import { newDesk, sure } from "../../test/town/sms-desk.ts";
import { MAIL_NOTICE, type OwedNotice } from "../jobs/notice.ts";
import { silentLog } from "../log.ts";
import { listAuditLines } from "../store/audit.ts";
import type { Database } from "../store/db.ts";
import { addCredits, findSmsAccount, updateSmsAccount } from "../store/sms-accounts.ts";
import { sql } from "../store/sql.ts";
import { createStaffAccount } from "../store/staff.ts";
import { nobodysPassword } from "../store/staff-password.ts";
import { letterWords } from "../words/letters/words.ts";
import { remindOfLowCredits } from "./low-credits.ts";
import { send } from "./send.ts";

let db: Database;
beforeAll(async () => {
  db = (await freshDatabase()).db;
});

test("who runs an account is told once when its credits run low, and again after they rose", async () => {
  const clock = testClock();
  const desk = await newDesk(db, { credits: 12 });
  const { exchangeId, accountId, login } = desk;
  const email = "yonetici@example.com";
  const person = { exchangeId, name: "Ada", email, role: "administrator", password: nobodysPassword() } as const;
  sure(await createStaffAccount(db, person));
  const phone = "905321112233";
  await updateSmsAccount(db, exchangeId, accountId, { lowCredits: 10, lowCreditsPhone: phone });
  const look = async () => {
    // Two nodes may look at once.
    await Promise.all([
      remindOfLowCredits({ db, clock, log: silentLog, words: letterWords }),
      remindOfLowCredits({ db, clock, log: silentLog, words: letterWords }),
    ]);
    const letters = await db.query<{ payload: OwedNotice }>(sql`select payload from jobs where kind = $1 order by id`, [
      MAIL_NOTICE,
    ]);
    const texts = await db.query<{ text: string }>(
      sql`select text from sms_messages where account_id = $1 and dest = $2 order by id`,
      [accountId, phone],
    );
    return {
      letters: letters.map(({ payload: { notice } }) => letterWords.letter(notice, "tr").subject),
      texts: texts.map(({ text }) => text),
    };
  };
  let texts = 0;
  const spend = async (messages: number) => {
    const account = await findSmsAccount(db, exchangeId, login.username);
    const dests = Array.from({ length: messages }, (_, n) => `90532000${String(n).padStart(4, "0")}`);
    sure(await send(db, clock, account!, { messages: [{ dests, ids: [], text: `Merhaba ${++texts}` }] }));
  };

  expect(await look()).toEqual({ letters: [], texts: [] });
  await spend(3);
  const told = await look();
  expect(told.letters).toEqual(["SMS krediniz azaldı: 9"]);
  expect(told.texts).toEqual([expect.stringContaining("9 kredi kaldi")]);
  await spend(2);
  expect(await look()).toEqual(told);

  await addCredits(db, { exchangeId, accountId, credits: 20, at: new Date(clock.wall()) });
  clock.pass(86_400_000);
  expect(await look()).toEqual(told);
  await spend(20);
  expect((await look()).letters).toEqual([...told.letters, "SMS krediniz azaldı: 6"]);
  const lines = await listAuditLines(db, exchangeId);
  expect(lines.filter(({ did }) => did === "sms-credits-low")).toHaveLength(2);
});

test("an account without a credit left is told of by letter alone, and one without a threshold not at all", async () => {
  const clock = testClock();
  const [poor, careless] = [await newDesk(db, { credits: 0 }), await newDesk(db, { credits: 0 })];
  await updateSmsAccount(db, poor.exchangeId, poor.accountId, { lowCredits: 5, lowCreditsPhone: "905321112233" });
  await remindOfLowCredits({ db, clock, log: silentLog, words: letterWords });
  const audited = async ({ exchangeId }: typeof poor) => (await listAuditLines(db, exchangeId)).map(({ did }) => did);
  expect(await audited(poor)).toEqual(["sms-credits-low"]);
  expect(await audited(careless)).toEqual([]);
});
