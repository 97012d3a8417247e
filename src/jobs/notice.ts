// A letter to those who run an exchange, owed until the mail server took it.

import type { Db } from "../store/db.ts";
import type { Notice } from "../store/letter-facts.ts";
import { addressesOfAdministrators } from "../store/spending.ts";
import { enqueue, mailShare, type NewJob } from "./jobs.ts";

export const MAIL_NOTICE = "notice.mail";

export type OwedNotice = { exchangeId: number; to: string; notice: Notice };

/** Call it in the transaction of what the notice is about. */
export async function oweNotice(db: Db, exchangeId: number, notice: Notice): Promise<void> {
  const addresses = await addressesOfAdministrators(db, exchangeId);
  const jobs = addresses.map((to): NewJob => {
    const payload: OwedNotice = { exchangeId, to, notice };
    return { kind: MAIL_NOTICE, payload, maxAttempts: 30, share: mailShare(exchangeId) };
  });
  await enqueue(db, ...jobs);
}
