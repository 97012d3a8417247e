// A letter to those who run an exchange, owed until the mail server took it.

import { enqueue, type NewJob } from "../../jobs/jobs.ts";
import type { JobHandler } from "../../jobs/workers.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Db } from "../../store/db.ts";
import { addressesOfAdministrators } from "../../store/spending.ts";

export const MAIL_NOTICE = "notice.mail";

export type Notice = { subject: string; text: string };

const HOUR_MS = 3_600_000;

/** Call it in the transaction of what the notice is about. */
export async function oweNotice(db: Db, exchangeId: number, { subject, text }: Notice): Promise<void> {
  const addresses = await addressesOfAdministrators(db, exchangeId);
  const jobs = addresses.map(
    (to): NewJob => ({ kind: MAIL_NOTICE, payload: { to, subject, text }, maxAttempts: 30, share: "mail" }),
  );
  await enqueue(db, ...jobs);
}

export function mailNotices({ mailer }: { mailer: Mailer }): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    run: (notice: Notice & { to: string }) => mailer.send({ ...notice, attachments: [] }),
  };
}
