// A letter to those who run an exchange, owed until the mail server took it.

import type { Db } from "../store/db.ts";
import { addressesOfAdministrators } from "../store/spending.ts";
import { enqueue, type NewJob } from "./jobs.ts";

export const MAIL_NOTICE = "notice.mail";

export type Notice = { subject: string; text: string };

/** Call it in the transaction of what the notice is about. */
export async function oweNotice(db: Db, exchangeId: number, { subject, text }: Notice): Promise<void> {
  const addresses = await addressesOfAdministrators(db, exchangeId);
  const jobs = addresses.map(
    (to): NewJob => ({ kind: MAIL_NOTICE, payload: { to, subject, text }, maxAttempts: 30, share: "mail" }),
  );
  await enqueue(db, ...jobs);
}
