// What calls to the outside may cost: every minute is bought before it is talked, and what the month's limit does not
// allow is not talked at all. That holds for each door: phones, the interface, forwarding, campaigns.

import { atOnce, type Errands } from "../../arrears/errands.ts";
import type { Clock } from "../../clock.ts";
import { oweNotice } from "../../jobs/notice.ts";
import type { Log } from "../../log.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import { buy, type CallRate, noteLimitReached, type Purchase, spentIn } from "../../store/spending.ts";
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
  over: Promise<void>;
  /** The next minute cannot be paid for. */
  stop(): void;
  /** An earlier process has paid until some moment: what is owed since, and when the next minute begins. */
  before?: { owed: number; nextInMs: number } | undefined;
};

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
  /** Minutes that are not paid yet because the database did not answer, and the one that begins now. */
  let owed = call.before?.owed ?? 1;
  const pay = async (nextInMs: number) => {
    const outcome = owed === 0 ? "bought" : await buyMinutes(parts, call, owed);
    if (outcome !== "later") owed = 0;
    if (isOver || outcome === "free") return;
    if (outcome === "refused") return call.stop();
    cancel = parts.clock.after(nextInMs, () => {
      owed += 1;
      void pay(MINUTE_MS);
    });
  };
  void call.over.then(() => {
    isOver = true;
    cancel();
  });
  void pay(call.before?.nextInMs ?? MINUTE_MS);
}

/** How it stands with a call that was paid for by an earlier process until a while ago, each minute as it began. */
export function paidBefore(answeredAgoMs: number, unseenMs: number): Metered["before"] {
  const begun = (ms: number) => Math.floor(Math.max(0, ms) / MINUTE_MS) + 1;
  const owed = begun(answeredAgoMs) - begun(answeredAgoMs - unseenMs);
  return { owed, nextInMs: MINUTE_MS - (Math.max(0, answeredAgoMs) % MINUTE_MS) };
}

/** A database that does not answer ends nobody's call: the minute is owed, and charged when it is back. */
async function buyMinutes(
  parts: SpendingParts,
  { exchangeId, number }: Metered,
  minutes: number,
): Promise<"bought" | "refused" | "free" | "later"> {
  try {
    const book = await parts.settings.of(exchangeId);
    const price = book ? priceOf(book.rates, number) : 0;
    if (!book || price === 0) return "free";
    const reached = nowIn(parts, book);
    const purchase = { ...reached, price: price * minutes };
    if (await buyOrOwe(parts, purchase)) return "bought";
    await parts.allowance.limitReached(reached);
    return "refused";
  } catch (error) {
    parts.log.error({ exchangeId, error: String(error) }, "a minute could not be charged; it is charged with the next");
    return "later";
  }
}

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
  return { exchangeId, limit, month: monthOf(clock.wall(), timeZone), at: new Date(clock.wall()) };
}

/** Rates come with the longest prefix first. */
export function priceOf(rates: readonly CallRate[], number: string): number {
  return rates.find(({ prefix }) => number.startsWith(prefix))?.minutePrice ?? 0;
}

export function monthOf(nowMs: number, timeZone: string): string {
  return `${localTime(nowMs, timeZone).day.slice(0, 7)}-01`;
}

/** What must be charged once, though the database is away. */
export const spendingErrands = {
  "spending.charge": async (db: Db, { exchangeId, month, price }: Omit<Purchase, "limit">) =>
    void (await buy(db, { exchangeId, month, price, limit: null })),
};

export function allowanceOf(
  db: Db,
  log: Log,
  errands: Errands<typeof spendingErrands> = atOnce(db, spendingErrands),
): Allowance {
  return {
    charge: ({ exchangeId, month, price }) => errands.run("spending.charge", { exchangeId, month, price }),
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
