// Takes an order: checks it, writes its messages in batches, sets their credits aside, all of it or nothing.

import type { Clock } from "../clock.ts";
import type { Db } from "../store/db.ts";
import { reserveCredits, type SmsAccount } from "../store/sms-accounts.ts";
import { createCampaign, type Into, type MessageBatch, writeMessages } from "../store/sms-campaigns.ts";
import { listTariffs } from "../store/sms-carriers.ts";
import { allSentBefore } from "../store/sms-status.ts";
import { listTitles } from "../store/sms-titles.ts";
import { sql } from "../store/sql.ts";
import { type Checked, checkOrder, type Letter, type Order, type SendRefusal } from "./order.ts";
import { plainDay } from "./stamp.ts";

export const QUEUED_CHANNEL = "sms_queued";

const AT_ONCE = 2_500;
const DAY_MS = 86_400_000;

export async function send(
  db: Db,
  clock: Clock,
  account: SmsAccount,
  order: Order,
): Promise<{ campaignId: number } | SendRefusal> {
  const [titles, tariffs] = await Promise.all([
    listTitles(db, account.exchangeId),
    listTariffs(db, account.exchangeId),
  ]);
  const checked = checkOrder(order, { account, titles, tariffs, now: clock.wall() });
  if ("refused" in checked) return checked;
  if (account.credits < creditsFor(checked)) return { refused: "INSUFFICIENT_CREDITS" };
  if (account.refuseRepeats && (await isRepeat(db, clock, checked))) return { refused: "MUKERRER_RAPORLAMA" };
  return write(db, { account, checked, customId: order.customId, now: new Date(clock.wall()) });
}

export type Writing = { account: SmsAccount; checked: Checked; customId?: string | undefined; now: Date };

/** Another request may take the last credits between the look and the reservation; then nothing of this one was written. */
export async function write(db: Db, writing: Writing): Promise<{ campaignId: number } | SendRefusal> {
  try {
    return { campaignId: await db.transaction((db) => writeCampaign(db, writing)) };
  } catch (error) {
    if (error instanceof TooFewCredits) return { refused: "INSUFFICIENT_CREDITS" };
    throw error;
  }
}

class TooFewCredits extends Error {}

async function writeCampaign(db: Db, { account, checked, customId, now }: Writing): Promise<number> {
  const { exchangeId, id: accountId } = account;
  const { title, later, validMinutes, commercial, letters } = checked;
  const sendAt = new Date(checked.sendAt);
  const campaign = { exchangeId, accountId, titleId: title.id, customId, sendAt, later, validMinutes, commercial, now };
  const campaignId = await createCampaign(db, campaign);
  const into: Into = {
    campaignId,
    exchangeId,
    later,
    now,
    sentOn: plainDay(sendAt, account.timeZone),
    expiresAt: new Date(checked.sendAt + validMinutes * 60_000),
  };
  let credits = 0;
  let queued = 0;
  for (let at = 0; at < letters.length; at += AT_ONCE) {
    const written = await writeMessages(db, into, columnsOf(letters.slice(at, at + AT_ONCE)));
    credits += written.credits;
    queued += written.queued;
  }
  // Last, because the account's row stays locked until the commit and other requests of it wait.
  if (!(await reserveCredits(db, { exchangeId, accountId, credits, at: now, campaignId }))) throw new TooFewCredits();
  if (queued > 0 || later) await db.query(sql`select pg_notify($1, '')`, [QUEUED_CHANNEL]);
  return campaignId;
}

function columnsOf(letters: readonly Letter[]): MessageBatch {
  return {
    customIds: letters.map(({ customId }) => customId),
    dests: letters.map(({ dest }) => dest.number),
    texts: letters.map(({ counted }) => counted.text),
    codings: letters.map(({ counted }) => counted.coding),
    sizes: letters.map(({ counted }) => counted.size),
    multipliers: letters.map(({ multiplier }) => multiplier),
    commercialTypes: letters.map(({ commercialType }) => commercialType),
    lackingOptOut: letters.map(({ lacksOptOut }) => lacksOptOut),
  };
}

function creditsFor({ letters }: Checked): number {
  return letters.reduce((sum, { counted, multiplier }) => sum + counted.size * multiplier, 0);
}

function isRepeat(db: Db, clock: Clock, { title, letters }: Checked): Promise<boolean> {
  const { dests, texts } = columnsOf(letters);
  return allSentBefore(db, { titleId: title.id, dests, texts, since: new Date(clock.wall() - DAY_MS) });
}
