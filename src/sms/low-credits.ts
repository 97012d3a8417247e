// The reminder that an account's credits run low: a letter to the administrators, and a message to a number of choice.

import type { Clock } from "../clock.ts";
import { oweNotice } from "../jobs/notice.ts";
import type { Log } from "../log.ts";
import { writeAuditLine } from "../store/audit.ts";
import type { Db } from "../store/db.ts";
import { type LetterWords, languageOfExchange } from "../store/letter-facts.ts";
import { findSmsAccount } from "../store/sms-accounts.ts";
import { type LowAccount, takeLowAccounts } from "../store/sms-low-credits.ts";
import { send } from "./send.ts";

export type ReminderParts = { db: Db; clock: Clock; log: Log; words: Pick<LetterWords, "message"> };

/** Told and noted in one transaction: neither forgotten nor told twice, whoever is killed when. */
export function remindOfLowCredits(parts: ReminderParts): Promise<void> {
  return parts.db.transaction(async (db) => {
    const low = await takeLowAccounts(db, new Date(parts.clock.wall()));
    for (const account of low) await remind({ ...parts, db }, account);
  });
}

async function remind({ db, clock, log, words }: ReminderParts, low: LowAccount): Promise<void> {
  const { exchangeId, username, credits, lowCredits, lowCreditsPhone } = low;
  const details = { account: username, credits: String(credits) };
  await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "sms-credits-low", details });
  const told = { is: "credits-low", account: username, credits, limit: lowCredits } as const;
  await oweNotice(db, exchangeId, told);
  if (lowCreditsPhone === null) return;
  const account = await findSmsAccount(db, exchangeId, username);
  const text = words.message(told, await languageOfExchange(db, exchangeId));
  const sent = account && (await send(db, clock, account, { messages: [{ dests: [lowCreditsPhone], ids: [], text }] }));
  // Without a credit left, or a title, the letter has to do.
  if (!sent || "refused" in sent) log.warn({ exchange: exchangeId, username, sent }, "no message about low credits");
}
