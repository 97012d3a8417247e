import { expect, test } from "vitest";
import { openMailServer } from "../../../test/customer/mail-server.ts";
import { freshDatabase } from "../../../test/ground/database.ts";
import { testClock } from "../../../test/ground/test-clock.ts";
import { whenOver } from "../../../test/ground/when-over.ts";
import { enqueue } from "../../jobs/jobs.ts";
import { MAIL_NOTICE, oweNotice } from "../../jobs/notice.ts";
import { startWorkers } from "../../jobs/workers.ts";
import { silentLog } from "../../log.ts";
import { openMailer } from "../../mail/mailer.ts";
import { sql } from "../../store/sql.ts";
import { createStaffAccount } from "../../store/staff.ts";
import { nobodysPassword } from "../../store/staff-password.ts";
import { letterWords } from "../../words/letters/words.ts";
import { mailNotices } from "./notice.ts";

const { db } = await freshDatabase();

async function exchangeWith(language: "tr" | "en" | undefined): Promise<number> {
  const name = `letters ${language ?? "by default"}`;
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_secret) values ($1, $1, 'secret') returning id`,
    [name],
  );
  const { id } = row!; // an insert without a condition returns its row
  if (language) await db.query(sql`update exchanges set language = $2 where id = $1`, [id, language]);
  return id;
}

test("each administrator reads of it in his own language, else in his exchange's, and what an older version owed goes out", async () => {
  const server = await openMailServer();
  whenOver(() => server.close());
  const clock = testClock();
  const mailer = openMailer({ url: `smtp://127.0.0.1:${server.port}`, from: "santral@test.example" });
  const handlers = { [MAIL_NOTICE]: mailNotices({ db, mailer, words: letterWords }) };
  const [usual, english] = [await exchangeWith(undefined), await exchangeWith("en")];
  const person = { name: "P", role: "administrator", password: nobodysPassword() } as const;
  for (const [exchangeId, email, language] of [
    [usual, "Anna@test.example", "en"],
    [usual, "ayse@test.example", null],
    [english, "bob@test.example", null],
    [english, "cem@test.example", "tr"],
  ] as const)
    await createStaffAccount(db, { ...person, exchangeId, email, language });
  const notice = { is: "spending-limit-reached", month: "2026-11", limit: 500 } as const;
  for (const exchangeId of [usual, english]) await oweNotice(db, exchangeId, notice);
  const payload = { to: "old@test.example", subject: "Acil", text: "Acil" };
  await enqueue(db, { kind: MAIL_NOTICE, payload, share: "mail" });
  const workers = await startWorkers({ db, clock, log: silentLog, handlers });
  await workers.idle();
  const stopped = workers.stop({ drainMs: 0 });
  clock.pass(0);
  await stopped;
  const inEnglish = "Subject: The spending limit is reached (November 2026)";
  const read = Object.fromEntries(
    server.letters.map(({ to, text }) => [to[0], text.includes(inEnglish) ? "en" : text]),
  );
  expect(read).toEqual({
    "anna@test.example": "en",
    "ayse@test.example": expect.stringMatching(/Subject: =\?UTF-8\?/),
    "bob@test.example": "en",
    "cem@test.example": expect.stringMatching(/Subject: =\?UTF-8\?/),
    "old@test.example": expect.stringContaining("Subject: Acil"),
  });
});
