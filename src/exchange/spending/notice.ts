// Hands letters to those who run an exchange over to the mail server.

import type { Notice } from "../../jobs/notice.ts";
import type { JobHandler } from "../../jobs/workers.ts";
import type { Mailer } from "../../mail/mailer.ts";

const HOUR_MS = 3_600_000;

export function mailNotices({ mailer }: { mailer: Mailer }): JobHandler {
  return {
    backOffMs: (failures) => Math.min(HOUR_MS, 30_000 * 2 ** Math.min(failures, 10)),
    run: (notice: Notice & { to: string }) => mailer.send({ ...notice, attachments: [] }),
  };
}
