// Takes an order: checks it, writes its messages in batches, sets their credits aside, all of it or nothing.

import type { Clock } from "../clock.ts";
import type { Db } from "../store/db.ts";
import { Spoilt } from "../store/gathering.ts";
import { reserveCredits, type SmsAccount } from "../store/sms-accounts.ts";
import { createCampaigns, type MessageBatch, writeMessages } from "../store/sms-campaigns.ts";
import { listTariffs } from "../store/sms-carriers.ts";
import { allSentBefore } from "../store/sms-status.ts";
import { listTitles } from "../store/sms-titles.ts";
import { quoted, sql } from "../store/sql.ts";
import {
  type Checked,
  checkOrderInTurns,
  type Letter,
  type Order,
  type SendRefusal,
  type Surroundings,
} from "./order.ts";
import { plainDay } from "./stamp.ts";

export const QUEUED_CHANNEL = "sms_queued";
const TELL_QUEUED = sql`notify ${quoted(QUEUED_CHANNEL)}`;

const AT_ONCE = 2_500;
const LETTERS_AT_ONCE = 256 * 1024;
const DAY_MS = 86_400_000;

export async function send(
  db: Db,
  clock: Clock,
  account: SmsAccount,
  order: Order,
): Promise<{ campaignId: number } | SendRefusal> {
  const { exchangeId } = account;
  const [titles, tariffs] = await Promise.all([listTitles(db, exchangeId), listTariffs(db, exchangeId)]);
  const checked = await checkToSend(db, clock, order, { account, titles, tariffs });
  if ("refused" in checked) return checked;
  return write(db, { account, checked, customId: order.customId, now: new Date(clock.wall()) });
}

/** All that can be known before anything is written. */
export async function checkToSend(
  db: Db,
  clock: Clock,
  order: Order,
  around: Omit<Surroundings, "now">,
): Promise<Checked | SendRefusal> {
  const { account } = around;
  const checked = await checkOrderInTurns(order, { ...around, now: clock.wall() });
  if ("refused" in checked) return checked;
  if (account.credits < creditsFor(checked)) return { refused: "INSUFFICIENT_CREDITS" };
  if (account.refuseRepeats && (await isRepeat(db, clock, checked))) return { refused: "MUKERRER_RAPORLAMA" };
  return checked;
}

/** An order that was found in order. */
export type Ordered = { checked: Checked; customId?: string | undefined };

export type Writing = Ordered & { account: SmsAccount; now: Date };

/** Another request may take the last credits between the look and the reservation; then nothing of this one was written. */
export async function write(db: Db, writing: Writing): Promise<{ campaignId: number } | SendRefusal> {
  return unlessTooFewCredits(
    db.transaction(async (db) => ({ campaignId: (await writeCampaigns(db, writing, [writing]))[0]! })), // one order, one id
  );
}

export function unlessTooFewCredits<Result>(written: Promise<Result>): Promise<Result | SendRefusal> {
  return written.catch((error: unknown) => {
    if (error instanceof TooFewCredits) return { refused: "INSUFFICIENT_CREDITS" };
    throw error;
  });
}

class TooFewCredits extends Spoilt {}

/** Orders of one account, each a campaign; their ids in the order of the orders. Inside a transaction. */
export async function writeCampaigns(
  db: Db,
  { account, now }: Pick<Writing, "account" | "now">,
  orders: readonly Ordered[],
): Promise<number[]> {
  const { exchangeId, id: accountId } = account;
  const ids = await createCampaigns(
    db,
    { exchangeId, accountId, now },
    orders.map(({ customId, checked }) => {
      const { title, later, validMinutes, commercial } = checked;
      return { titleId: title.id, customId, sendAt: new Date(checked.sendAt), later, validMinutes, commercial };
    }),
  );
  const begun = orders.map(({ checked }, place) => ({ ...checked, id: ids[place]! })); // an insert without a condition returns a row for each
  await writeInto(
    db,
    { account, now },
    begun,
    orders.map(({ checked }) => checked.letters),
  );
  return ids;
}

/** A campaign that letters go into. */
export type BegunCampaign = Omit<Checked, "letters"> & { id: number };

/** Into campaigns that are there, of each its letters. Inside a transaction. */
export async function writeInto(
  db: Db,
  { account, now }: Pick<Writing, "account" | "now">,
  begun: readonly BegunCampaign[],
  letters: readonly (readonly Letter[])[],
): Promise<void> {
  const { exchangeId, id: accountId, timeZone } = account;
  const dayOf = daysIn(timeZone);
  const campaigns = begun.map(({ id, title, sendAt, later, validMinutes }) => ({
    id,
    titleId: title.id,
    later,
    sentOn: dayOf(sendAt),
    expiresAt: new Date(sendAt + validMinutes * 60_000),
  }));
  const credits = new Map<number, number>();
  let queued = 0;
  for (const batch of batchesOf(letters)) {
    for (const written of await writeMessages(db, { exchangeId, accountId, now, campaigns }, columnsOf(batch))) {
      credits.set(written.campaignId, (credits.get(written.campaignId) ?? 0) + written.credits);
      queued += written.queued;
    }
  }
  // Last, because the account's row stays locked until the commit and other requests of it wait.
  const charged = [...credits].map(([campaignId, credits]) => ({ campaignId, credits }));
  if (!(await reserveCredits(db, { exchangeId, accountId, at: now, campaigns: charged }))) throw new TooFewCredits();
  if (queued > 0 || campaigns.some(({ later }) => later)) await db.query(TELL_QUEUED);
}

/** Most orders of a batch are for the same moment, and a calendar is slow to ask. */
function daysIn(zone: string): (at: number) => string {
  const days = new Map<number, string>();
  return (at) => {
    const second = Math.floor(at / 1_000);
    const day = days.get(second) ?? plainDay(new Date(at), zone);
    days.set(second, day);
    return day;
  };
}

type Placed = { campaign: number; letter: Letter };

/** As many as the database takes at once, and no more of their texts than are soon put together for it. */
function* batchesOf(letters: readonly (readonly Letter[])[]): Generator<Placed[]> {
  let batch: Placed[] = [];
  let length = 0;
  for (const [campaign, ofIt] of letters.entries())
    for (const letter of ofIt) {
      batch.push({ campaign, letter });
      length += letter.counted.text.length;
      if (batch.length < AT_ONCE && length < LETTERS_AT_ONCE) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
  if (batch.length > 0) yield batch;
}

function columnsOf(batch: readonly Placed[]): MessageBatch {
  const letters = batch.map(({ letter }) => letter);
  return {
    campaigns: batch.map(({ campaign }) => campaign),
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

async function isRepeat(db: Db, clock: Clock, { title, letters }: Checked): Promise<boolean> {
  const since = new Date(clock.wall() - DAY_MS);
  for (const batch of batchesOf([letters])) {
    const dests = batch.map(({ letter }) => letter.dest.number);
    const texts = batch.map(({ letter }) => letter.counted.text);
    if (!(await allSentBefore(db, { titleId: title.id, dests, texts, since }))) return false;
  }
  return true;
}
