// What calls to the outside may cost: every minute is bought before it is talked, and what the month's limit does not
// allow is not talked at all. That holds for each door: phones, the interface, forwarding, campaigns.

import { atOnce, type Errands } from "../../arrears/errands.ts";
import type { Clock } from "../../clock.ts";
import { oweNotice } from "../../jobs/notice.ts";
import type { Log } from "../../log.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import { buy, charge, noteLimitReached, type PaidBy, type Purchase, spentIn } from "../../store/spending.ts";
import { dearestHour, spentInHour } from "../../store/spent-lately.ts";
import { localTime } from "../plan/hours.ts";
import type { SettingsBook } from "../plan/settings.ts";
import { alarmsAtOnce, hourAt, openUsual, type Raised, raiseAlarm, type Watched, watchHour } from "./alarms.ts";
import { priceOf, rateOf } from "./prices.ts";

/** What is kept of it. */
export type Allowance = {
  spent(exchangeId: number, month: string): Promise<number>;
  /** In the hour before that moment. */
  spentInHour(exchangeId: number, at: Date): Promise<number>;
  /** The dearest of four weeks before. */
  dearestHour(exchangeId: number, at: Date): Promise<number>;
  /** False when a limit does not allow it. */
  buy(purchase: Bought): Promise<boolean>;
  /** What was talked while nobody could ask the limit is charged all the same. */
  charge(purchase: Bought): Promise<void>;
  limitReached(reached: LimitReached): Promise<void>;
  alarm(raised: Raised): Promise<void>;
};

/** With what is told of the hour that it falls in. */
export type Bought = Purchase & { watched?: Watched };

export type SpendingLimit = "spending-limit" | "hourly-limit";

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
  /** Which limit does not allow a first minute now; undefined: it could be paid for. */
  whyNot(book: CallSettings, number: string): Promise<SpendingLimit | undefined>;
  /** From the moment the other side has answered. */
  meter(call: Metered): void;
};

const MINUTE_MS = 60_000;

type Meter = SpendingParts & { usual: ReturnType<typeof openUsual> };

export function openSpending(needs: SpendingParts): Spending {
  const parts: Meter = { ...needs, usual: openUsual(needs) };
  const watchCalls = alarmsAtOnce(needs);
  return {
    async whyNot(book, number) {
      const price = priceOf(book.rates, number);
      return price === 0 ? undefined : limitInTheWay(parts, book, price);
    },
    meter(call) {
      watchCalls(call);
      meter(parts, call);
    },
  };
}

/** Of that much more, and those who run the exchange are told. */
async function limitInTheWay(
  parts: SpendingParts,
  book: CallSettings,
  price: number,
): Promise<SpendingLimit | undefined> {
  const { monthlySpendingLimit: limit, hourlySpendingLimit: hourly } = book.settings;
  const reached = nowIn(parts, book);
  const { exchangeId, month, at } = reached;
  if (limit !== null && (await parts.allowance.spent(exchangeId, month)) + price > limit) {
    await parts.allowance.limitReached(reached);
    return "spending-limit";
  }
  const spent = hourly === null ? 0 : await parts.allowance.spentInHour(exchangeId, at);
  if (hourly === null || spent + price <= hourly) return undefined;
  const alarm = { cause: "hourly-limit", extension: "", value: spent, threshold: hourly } as const;
  await parts.allowance.alarm({ ...alarm, ...hourAt(exchangeId, at.getTime(), book.settings.timeZone) });
  return "hourly-limit";
}

function meter(parts: Meter, call: Metered): void {
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
  parts: Meter,
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
    const limits = { limit: reached.limit, hourlyLimit: book.settings.hourlySpendingLimit };
    const watched = await parts.usual.watched(book, reached.at);
    const { month } = reached;
    const purchase = { ...limits, exchangeId, month, minutePrice, minutes, call: paid, watched };
    if (await buyOrOwe(parts, purchase)) return "bought";
    await limitInTheWay(parts, book, minutePrice * (of.through - of.paid));
    return "refused";
  } catch (error) {
    parts.log.error({ exchangeId, error: String(error) }, "a minute could not be charged; it is charged with the next");
    return "later";
  }
}

/** An answer that was lost may have been a yes: whoever charges it asks for the same minutes, which are paid once. */
async function buyOrOwe({ allowance, log }: SpendingParts, purchase: Bought): Promise<boolean> {
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

export function monthOf(nowMs: number, timeZone: string): string {
  return `${localTime(nowMs, timeZone).day.slice(0, 7)}-01`;
}

/** What must be charged once, though the database is away. */
export const spendingErrands = {
  "spending.charge": charge,
  "spending.minutes": async (db: Db, owed: Omit<Bought, "limit">) =>
    void (await buyAndTell(db, { ...owed, limit: null, hourlyLimit: null })),
  "spending.alarm": async (db: Db, raised: Raised) => void (await raiseAlarm(db, raised)),
};

/** Whoever is to be told of the hour is owed his letter with the minute that brings it. */
function buyAndTell(db: Db, { watched, ...purchase }: Bought): Promise<boolean> {
  return db.transaction(async (db) => {
    const isBought = await buy(db, purchase);
    if (isBought && watched) await watchHour(db, purchase, watched);
    return isBought;
  });
}

export function allowanceOf(
  db: Db,
  log: Log,
  errands: Errands<typeof spendingErrands> = atOnce(db, spendingErrands),
): Allowance {
  return {
    charge: ({ limit: _limit, hourlyLimit: _hourly, ...owed }) => errands.run("spending.minutes", owed),
    spent: (exchangeId, month) => spentIn(db, exchangeId, month),
    spentInHour: async (exchangeId, at) => (await spentInHour(db, { exchangeId, extension: "", at })).exchange,
    dearestHour: (exchangeId, at) => dearestHour(db, exchangeId, at),
    buy: (purchase) => buyAndTell(db, purchase),
    limitReached: (reached) => tellLimit(db, log, reached),
    alarm: (raised) => errands.run("spending.alarm", raised),
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
