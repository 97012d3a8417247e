// What the message centre looks after from time to time: each chore by itself, one run at a time, a failure only delays it.

import type { Cancel, Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import type { LetterWords } from "../store/letter-facts.ts";
import { dueCampaigns, startMessages } from "../store/sms-campaigns.ts";
import { smsDue } from "../store/sms-due.ts";
import { forgetInboundParts } from "../store/sms-inbound.ts";
import { expireMessages } from "../store/sms-messages.ts";
import { forgetStrayReceipts } from "../store/sms-receipts.ts";
import { sql } from "../store/sql.ts";
import { reportYesterday, submitConsents } from "./consent-desk.ts";
import { forgetOldGreetings, greetContacts } from "./greetings.ts";
import { NO_REPORT_CAME } from "./gsm-error.ts";
import { remindOfLowCredits } from "./low-credits.ts";
import { gatherPushes } from "./push.ts";
import type { ConsentRegistry } from "./registry.ts";
import { QUEUED_CHANNEL } from "./send.ts";

export type Chore = { everyMs: number; act(): Promise<void> };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** After its validity a message's receipt is waited for this long. */
const RECEIPT_GRACE_MINUTES = 60;

export type ChoreParts = {
  db: Db;
  clock: Clock;
  log: Log;
  registry: ConsentRegistry;
  words: Pick<LetterWords, "message">;
};

export function smsChores({ db, clock, log, registry, words }: ChoreParts): Chore[] {
  return [
    { everyMs: SECOND, act: () => doWhatIsDue({ db, clock }) },
    { everyMs: 2 * SECOND, act: () => submitConsents(db, clock, registry) },
    { everyMs: 10 * SECOND, act: () => expire(db, clock) },
    { everyMs: MINUTE, act: () => greetContacts(db, clock, log) },
    { everyMs: MINUTE, act: () => remindOfLowCredits({ db, clock, log, words }) },
    { everyMs: MINUTE, act: () => reportYesterday(db, clock) },
    { everyMs: 60 * MINUTE, act: () => forget(db, clock) },
  ];
}

/** Returns how to stop: nothing is begun any more, and what runs is waited for. */
export function doChores(clock: Clock, log: Log, chores: readonly Chore[]): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const cancels = new Map<Chore, Cancel>();
  let stopped = false;
  const run = (chore: Chore) => {
    const done = chore
      .act()
      .catch((error) => log.error({ error: String(error) }, "a chore of the message centre failed"))
      .then(() => {
        running.delete(done);
        if (!stopped)
          cancels.set(
            chore,
            clock.after(chore.everyMs, () => run(chore)),
          );
      });
    running.add(done);
  };
  for (const chore of chores) run(chore);
  return async () => {
    stopped = true;
    for (const cancel of cancels.values()) cancel();
    await Promise.all(running);
  };
}

/** One question for what may come at any second: mostly there is nothing. One that fails keeps no other from its turn. */
async function doWhatIsDue({ db, clock }: Pick<ChoreParts, "db" | "clock">): Promise<void> {
  const due = await smsDue(db, new Date(clock.wall()));
  const done = await Promise.allSettled([
    due.campaigns ? startCampaigns(db, clock) : undefined,
    due.pushes ? gatherPushes(db) : undefined,
  ]);
  for (const one of done) if (one.status === "rejected") throw one.reason;
}

async function startCampaigns(db: Db, clock: Clock): Promise<void> {
  const now = new Date(clock.wall());
  const due = await dueCampaigns(db, now);
  for (const { id } of due) while (await startMessages(db, id, now)) {}
  if (due.length > 0) await db.query(sql`select pg_notify($1, '')`, [QUEUED_CHANNEL]);
}

export async function expire(db: Db, clock: Clock): Promise<void> {
  const now = new Date(clock.wall());
  while (await expireMessages(db, { now, graceMinutes: RECEIPT_GRACE_MINUTES, noReport: NO_REPORT_CAME })) {}
}

async function forget(db: Db, clock: Clock): Promise<void> {
  await forgetStrayReceipts(db, new Date(clock.wall() - 3 * DAY));
  await forgetInboundParts(db, new Date(clock.wall() - 3 * DAY));
  await forgetOldGreetings(db, clock);
}
