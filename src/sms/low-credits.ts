// The reminder that an account's credits run low: a letter to the administrators, and a message to a number of choice.

import type { Clock } from "../clock.ts";
import { oweNotice } from "../jobs/notice.ts";
import type { Log } from "../log.ts";
import { writeAuditLine } from "../store/audit.ts";
import type { Db } from "../store/db.ts";
import { findSmsAccount } from "../store/sms-accounts.ts";
import { type LowAccount, takeLowAccounts } from "../store/sms-low-credits.ts";
import { send } from "./send.ts";

/** Told and noted in one transaction: neither forgotten nor told twice, whoever is killed when. */
export function remindOfLowCredits(db: Db, clock: Clock, log: Log): Promise<void> {
  return db.transaction(async (db) => {
    for (const account of await takeLowAccounts(db, new Date(clock.now()))) await remind(db, clock, log, account);
  });
}

async function remind(db: Db, clock: Clock, log: Log, low: LowAccount): Promise<void> {
  const { exchangeId, username, credits, lowCredits, lowCreditsPhone } = low;
  const details = { account: username, credits: String(credits) };
  await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "sms-credits-low", details });
  await oweNotice(db, exchangeId, {
    subject: `SMS krediniz azaldı: ${credits}`,
    text: `${username} hesabında ${credits} SMS kredisi kaldı (hatırlatma sınırı ${lowCredits}).`,
  });
  if (lowCreditsPhone === null) return;
  const account = await findSmsAccount(db, exchangeId, username);
  const text = `SMS krediniz azaldi: ${username} hesabinda ${credits} kredi kaldi.`;
  const sent = account && (await send(db, clock, account, { messages: [{ dests: [lowCreditsPhone], ids: [], text }] }));
  // Without a credit left, or a title, the letter has to do.
  if (!sent || "refused" in sent) log.warn({ exchange: exchangeId, username, sent }, "no message about low credits");
}
