// What calls to the outside may cost: every minute is bought before it is talked, and what the month's limit does not
// allow is not talked at all. That holds for each door: phones, the interface, forwarding, campaigns.

import { atOnce, type Errands } from "../../arrears/errands.ts";
import type { Clock } from "../../clock.ts";
import { oweNotice } from "../../jobs/notice.ts";
import type { Log } from "../../log.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import {
  buy,
  type CallRate,
  charge,
  noteLimitReached,
  type PaidBy,
  type Purchase,
  spentIn,
} from "../../store/spending.ts";
import { localTime } from "../plan/hours.ts";
import type { SettingsBook } from "../plan/settings.ts";

/** What is kept of it. */
export type Allowance = {
  spent(exchangeId: number, month: string): Promise<number>;
  /** False when the limit does not allow it. */
  buy(purchase: Purchase): Promise<boolean>;
  /** What was talked while nobody could ask the limit is charged all the same. */
  charge(purchase: Purchase): Promise<void>;
  limitReached(reached: LimitReached): Promise<void>;
};

export type LimitReached = { exchangeId: number; month: string; limit: number | null; at: Date };

export type SpendingParts = { allowance: Allowance; clock: Clock; log: Log; settings: Pick<SettingsBook, "of"> };

export type Metered = {
  exchangeId: number;
  /** As the exchange writes it: 90… for inland, 00… for abroad. */
  number: string;
  /** Who it is that talks, in every process that goes on with it, and when he answered. */
  leg: string;
  /** Who spends it. */
  by: PaidBy;
  answeredMs: number;
  over: Promise<void>;
  /** The next minute cannot be paid for. */
  stop(): void;
  /** What an earlier process has left. */
  before?: MetersBefore | undefined;
};

/** So many minutes are surely paid, so many have begun, and when the next one does. */
export type MetersBefore = { paid: number; begun: number; nextInMs: number };

export type Spending = {
  /** Whether a first minute could be paid for now. */
  allows(book: CallSettings, number: string): Promise<boolean>;
  /** From the moment the other side has answered. */
  meter(call: Metered): void;
};

const MINUTE_MS = 60_000;

export function openSpending(parts: SpendingParts): Spending {
  return {
    async allows(book, number) {
      const price = priceOf(book.rates, number);
      const { monthlySpendingLimit: limit } = book.settings;
      if (limit === null || price === 0) return true;
      const reached = nowIn(parts, book);
      if ((await parts.allowance.spent(reached.exchangeId, reached.month)) + price <= limit) return true;
      await parts.allowance.limitReached(reached);
      return false;
    },
    meter: (call) => meter(parts, call),
  };
}

function meter(parts: SpendingParts, call: Metered): void {
  let isOver = false;
  let cancel = () => {};
  /** Minutes that have begun; those of them that the database did not answer about are asked for again with the next. */
  let begun = call.before?.begun ?? 1;
  let paid = call.before?.paid ?? 0;
  const pay = async (nextInMs: number) => {
    const through = begun;
    const outcome = await buyMinutes(parts, call, { paid, through });
    if (outcome !== "later") paid = through;
    if (isOver || outcome === "free") return;
    if (outcome === "refused") return call.stop();
    cancel = parts.clock.after(nextInMs, () => {
      begun += 1;
      void pay(MINUTE_MS);
    });
  };
  void call.over.then(() => {
    isOver = true;
    cancel();
  });
  void pay(call.before?.nextInMs ?? MINUTE_MS);
}

/** How it stands with a call that was paid for by an earlier process, each minute as it began, which is seen no more since. */
export function paidBefore(answeredAgoMs: number, unseenMs: number): MetersBefore {
  const begun = (ms: number) => Math.floor(Math.max(0, ms) / MINUTE_MS) + 1;
  // Whether the one that had begun last was paid for is found in the database.
  const paid = begun(answeredAgoMs - unseenMs) - 1;
  return { paid, begun: begun(answeredAgoMs), nextInMs: MINUTE_MS - (Math.max(0, answeredAgoMs) % MINUTE_MS) };
}

/** A database that does not answer ends nobody's call: the minute is owed, and charged when it is back. */
async function buyMinutes(
  parts: SpendingParts,
  { exchangeId, number, leg, by, answeredMs }: Metered,
  of: { paid: number; through: number },
): Promise<"bought" | "refused" | "free" | "later"> {
  try {
    const book = await parts.settings.of(exchangeId);
    const rate = book && rateOf(book.rates, number);
    if (!book || !rate || rate.minutePrice === 0) return "free";
    const { minutePrice, prefix } = rate;
    const reached = nowIn(parts, book);
    const paid = { ...by, number, prefix, atMs: reached.at.getTime() };
    const minutes = { leg, day: new Date(answeredMs).toISOString().slice(0, 10), ...of };
    if (await buyOrOwe(parts, { ...reached, minutePrice, minutes, call: paid })) return "bought";
    await parts.allowance.limitReached(reached);
    return "refused";
  } catch (error) {
    parts.log.error({ exchangeId, error: String(error) }, "a minute could not be charged; it is charged with the next");
    return "later";
  }
}

/** An answer that was lost may have been a yes: whoever charges it asks for the same minutes, which are paid once. */
async function buyOrOwe({ allowance, log }: SpendingParts, purchase: Purchase): Promise<boolean> {
  try {
    return await allowance.buy(purchase);
  } catch (error) {
    await allowance.charge(purchase);
    log.warn({ exchangeId: purchase.exchangeId, error: String(error) }, "a minute is charged without asking the limit");
    return true;
  }
}

function nowIn({ clock }: SpendingParts, { settings }: CallSettings): LimitReached {
  const { id: exchangeId, monthlySpendingLimit: limit, timeZone } = settings;
  const nowMs = clock.wall();
  return { exchangeId, limit, month: monthOf(nowMs, timeZone), at: new Date(nowMs) };
}

export function priceOf(rates: readonly CallRate[], number: string): number {
  return rateOf(rates, number)?.minutePrice ?? 0;
}

/** Rates come with the longest prefix first. */
function rateOf(rates: readonly CallRate[], number: string): CallRate | undefined {
  return rates.find(({ prefix }) => number.startsWith(prefix));
}

export function monthOf(nowMs: number, timeZone: string): string {
  return `${localTime(nowMs, timeZone).day.slice(0, 7)}-01`;
}

/** What must be charged once, though the database is away. */
export const spendingErrands = {
  "spending.charge": charge,
  "spending.minutes": async (db: Db, owed: Omit<Purchase, "limit">) => void (await buy(db, { ...owed, limit: null })),
};

export function allowanceOf(
  db: Db,
  log: Log,
  errands: Errands<typeof spendingErrands> = atOnce(db, spendingErrands),
): Allowance {
  return {
    charge: ({ exchangeId, month, minutePrice, minutes, call }) =>
      errands.run("spending.minutes", { exchangeId, month, minutePrice, minutes, ...(call && { call }) }),
    spent: (exchangeId, month) => spentIn(db, exchangeId, month),
    buy: (purchase) => buy(db, purchase),
    limitReached: (reached) => tellLimit(db, log, reached),
  };
}

/** Those who run the exchange are told once a month. */
function tellLimit(db: Db, log: Log, { exchangeId, month, limit, at }: LimitReached): Promise<void> {
  return db.transaction(async (db) => {
    if (!(await noteLimitReached(db, { exchangeId, month, at }))) return;
    const details = { limit: String(limit), month: month.slice(0, 7) };
    await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "spending-limit-reached", details });
    await oweNotice(db, exchangeId, { is: "spending-limit-reached", month: details.month, limit });
    log.warn({ exchangeId, limit, month }, "the spending limit is reached: calls to the outside are stopped");
  });
}
