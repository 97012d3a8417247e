// What a server owes beyond the moment: background work, and the journal that makes calls survive a crash.

import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { type OpenJournal, openJournal } from "../exchange/journal/journal.ts";
import { recoverCalls } from "../exchange/journal/recovery.ts";
import { journalParts } from "../exchange/recordings/journal-parts.ts";
import { planRetention } from "../exchange/recordings/retain.ts";
import { startWorkers, type Workers } from "../jobs/workers.ts";
import type { Log } from "../log.ts";
import { openMailer } from "../mail/mailer.ts";
import type { Converter } from "../media/convert.ts";
import type { Objects } from "../objects/objects.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/db.ts";
import { openRequester, type Requester } from "../webhooks/requester.ts";
import { handlersOf, shareLimits } from "./workers.ts";

/** One server a database for now: a name that outlives a container finds what its former self left behind. */
export const NODE = "main";

export type WorkNeeds = {
  config: Config;
  db: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  objects: Objects;
  converter: Converter;
};

export type Work = { requester: Requester; workers: Workers; close(): Promise<void> };

export async function openWork(needs: WorkNeeds): Promise<Work> {
  const { config, db, clock, log } = needs;
  const requester = openRequester({ clock, privateAllowed: config.privateWebhooks });
  const mailer = openMailer({ url: config.smtpUrl, from: config.mailFrom });
  const handlers = handlersOf({ ...needs, requester, mailer });
  const workers = await startWorkers({ db, clock, log, handlers, limits: shareLimits });
  await planRetention(db, clock.now());
  return {
    requester,
    workers,
    async close() {
      await workers.stop();
      requester.close();
    },
  };
}

/** Whatever a crash cut off has its record before the first new call. */
export async function openCallJournal({ db, clock, log, objects }: WorkNeeds): Promise<OpenJournal> {
  const parts = journalParts({ db, clock, log, objects, node: NODE });
  await recoverCalls(parts);
  return openJournal(parts);
}
