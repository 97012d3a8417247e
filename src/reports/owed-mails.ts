// Letters with reports as jobs, owed until the mail server took them.

import { enqueue, mailShare, type NewJob } from "../jobs/jobs.ts";
import type { Db } from "../store/db.ts";

export const MAIL_REPORT = "report.mail";

export type OwedMail = { exchangeId: number; mail: number };

/** About two days, with an hour between the later ones. */
export const MOST_TRIES = 55;

/** Call it in the transaction in which they are owed. */
export async function enqueueMails(db: Db, exchangeId: number, mails: readonly number[]): Promise<void> {
  const jobs = mails.map((mail): NewJob => {
    const payload: OwedMail = { exchangeId, mail };
    return {
      kind: MAIL_REPORT,
      payload,
      uniqueKey: String(mail),
      maxAttempts: MOST_TRIES,
      share: mailShare(exchangeId),
    };
  });
  await enqueue(db, ...jobs);
}
