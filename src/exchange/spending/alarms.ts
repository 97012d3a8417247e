// Those who run an exchange are told when it spends or calls more at once than they have set, and when it may spend no
// more within an hour: at most once an hour for each cause.

import { type Clock, type Ticks, within } from "../../clock.ts";
import { oweNotice } from "../../jobs/notice.ts";
import type { Log } from "../../log.ts";
import type { SpendingCause } from "../../nouns/spent.ts";
import { writeAuditLine } from "../../store/audit.ts";
import type { CallSettings } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import type { PaidBy, Purchase } from "../../store/spending.ts";
import { noteSpendingAlarm, spentInHour } from "../../store/spent-lately.ts";
import { localTime } from "../plan/hours.ts";
import type { SettingsBook } from "../plan/settings.ts";
import { priceOf } from "./prices.ts";

/** Plain values, as it may lie on disk until the database is back. */
export type Raised = {
  exchangeId: number;
  cause: SpendingCause;
  /** Empty: the whole exchange. */
  extension: string;
  value: number;
  threshold: number;
  atMs: number;
  /** The same at the exchange: `2026-11-18 14:05:00`. */
  wall: string;
};

/** Amounts: more than that within an hour is told, of the exchange and of one extension. */
export type Watched = { timeZone: string; exchange: number | null; extension: number | null; unusual: number | null };

/** True where it was not told within the hour. */
export function raiseAlarm(db: Db, { exchangeId, atMs, wall, ...alarm }: Raised): Promise<boolean> {
  return db.transaction(async (db) => {
    if (!(await noteSpendingAlarm(db, { ...alarm, exchangeId, at: new Date(atMs) }))) return false;
    const { cause, extension, value, threshold } = alarm;
    const details = { cause, extension, value: String(value), threshold: String(threshold) };
    await writeAuditLine(db, { exchangeId, doer: "exchange", who: "", did: "spending-alarm", details });
    await oweNotice(db, exchangeId, { is: "spending-alarm", ...alarm, at: wall });
    return true;
  });
}

/** In the transaction of a minute that was bought. */
export async function watchHour(db: Db, { exchangeId, call }: Purchase, watched: Watched): Promise<void> {
  if (!call || (watched.exchange ?? watched.extension ?? watched.unusual) === null) return;
  const { extension, atMs } = call;
  const spent = await spentInHour(db, { exchangeId, extension, at: new Date(atMs) });
  const about: [SpendingCause, extension: string, value: number, threshold: number | null][] = [
    ["hourly-spending", "", spent.exchange, watched.exchange],
    ["unusual-spending", "", spent.exchange, watched.unusual],
    ["hourly-spending", extension, spent.extension, extension === "" ? null : watched.extension],
  ];
  for (const [cause, extension, value, threshold] of about)
    if (threshold !== null && value > threshold)
      await raiseAlarm(db, { cause, extension, value, threshold, ...hourAt(exchangeId, atMs, watched.timeZone) });
}

export function hourAt(exchangeId: number, atMs: number, timeZone: string) {
  const { day, minutes } = localTime(atMs, timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  return { exchangeId, atMs, wall: `${day} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00` };
}

/** It takes a look at four weeks of calls. */
const REMEMBERED_MS = 3_600_000;

type UsualParts = { allowance: { dearestHour(exchangeId: number, at: Date): Promise<number> }; clock: Clock };

/** What is unusual is measured by what was usual, which is looked up once an hour. */
export function openUsual({ allowance, clock }: UsualParts) {
  const known = new Map<number, { dearest: number; until: Ticks }>();
  return { watched };

  async function watched({ settings }: CallSettings, at: Date): Promise<Watched> {
    const { id, timeZone, hourlySpendingAlarm, extensionHourlyAlarm, unusualSpendingAlarm: times } = settings;
    const dearest = times === null ? 0 : await dearestOf(id, at);
    // Where nothing was spent before, everything would be unusual.
    const unusual = times === null || dearest === 0 ? null : times * dearest;
    return { timeZone, exchange: hourlySpendingAlarm, extension: extensionHourlyAlarm, unusual };
  }

  async function dearestOf(exchangeId: number, at: Date): Promise<number> {
    const found = known.get(exchangeId);
    if (found && found.until > clock.ticks()) return found.dearest;
    const dearest = await allowance.dearestHour(exchangeId, at);
    known.set(exchangeId, { dearest, until: within(clock, REMEMBERED_MS) });
    return dearest;
  }
}

type UpParts = {
  allowance: { alarm(raised: Raised): Promise<void> };
  clock: Clock;
  log: Log;
  settings: Pick<SettingsBook, "of">;
};

/** Answered, with somebody outside. */
type UpCall = { exchangeId: number; number: string; by: Pick<PaidBy, "extension">; over: Promise<void> };

/** Each call that was answered is handed over here, and is up until it is over. */
export function alarmsAtOnce({ allowance, clock, log, settings }: UpParts): (call: UpCall) => void {
  const up = new Map<number, Set<UpCall>>();
  return (call) => {
    const own = up.get(call.exchangeId) ?? new Set<UpCall>();
    up.set(call.exchangeId, own.add(call));
    void call.over.then(() => own.delete(call));
    look(call, own).catch((error: unknown) =>
      log.error({ exchangeId: call.exchangeId, error: String(error) }, "calls at once could not be looked at"),
    );
  };

  async function look(call: UpCall, own: ReadonlySet<UpCall>): Promise<void> {
    const { exchangeId, by } = call;
    const book = await settings.of(exchangeId);
    const { callsAtOnceAlarm = null, extensionCallsAlarm = null, timeZone = "UTC" } = book?.settings ?? {};
    if (!book || (callsAtOnceAlarm ?? extensionCallsAlarm) === null) return;
    const dear = [...own].filter(({ number }) => isAbroad(number) || priceOf(book.rates, number) > 0);
    if (!dear.includes(call)) return;
    const ofItsOwn = dear.filter((it) => it.by.extension === by.extension).length;
    const about: [extension: string, value: number, threshold: number | null][] = [
      ["", dear.length, callsAtOnceAlarm],
      [by.extension, ofItsOwn, by.extension === "" ? null : extensionCallsAlarm],
    ];
    for (const [extension, value, threshold] of about)
      if (threshold !== null && value > threshold) {
        const alarm = { cause: "calls-at-once", extension, value, threshold } as const;
        await allowance.alarm({ ...alarm, ...hourAt(exchangeId, clock.wall(), timeZone) });
      }
  }
}

/** As the exchange writes numbers. */
const isAbroad = (number: string) => number.startsWith("00");
