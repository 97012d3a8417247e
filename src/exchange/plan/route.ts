// An incoming call's way, on one page: is the caller welcome, is the office open, where does the number lead?

import { type CallSettings, findHoliday, isBlocked, type OwnNumber } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import { isOpenIn, localTime } from "./hours.ts";
import { storedForm } from "./numbers.ts";
import { isBadTarget, isNamedTarget, parseTarget, type Target } from "./target.ts";

export type Arriving = { db: Db; book: CallSettings; dialled: string; caller: string; nowMs: number };

const REFUSED: Target = { to: "hangup", how: "busy" };

/** `told` is what the call's story says of it. */
export async function routeInbound(arriving: Arriving) {
  const { db, book, dialled, caller } = arriving;
  const called = { is: "called", from: caller, to: dialled } as const;
  const exchangeId = book.settings.id;
  const number = storedForm(caller) ?? caller;
  const mayBeBlocked = !book.empty.has("blocked numbers");
  if (mayBeBlocked && (await isBlocked(db, { exchangeId, number, direction: "inbound" })))
    return { refused: "blocked" as const, told: [called, { is: "blocked" as const, number: caller }] };
  const own = book.numbers.get(dialled);
  if (!own) return { refused: "not-ours" as const, told: [called, { is: "not-our-number" as const, number: dialled }] };
  const { text, ...why } = await placeNow(arriving, own);
  const target = parseTarget(text);
  if (isBadTarget(target) || isNamedTarget(target))
    return { target: REFUSED, told: [called, { is: "leads-nowhere" as const, number: dialled, target: text }] };
  return { target, told: [called, { is: "leads-to" as const, number: dialled, target: text, ...why }] };
}

type PlaceNow = {
  text: string;
  because: "open" | "closed" | "holiday" | "opened by hand" | "closed by hand";
  holiday?: string;
};

/** What somebody switched by hand holds. A holiday's own target, else the one for closed doors, else the usual one. */
async function placeNow({ db, book, nowMs }: Arriving, own: OwnNumber): Promise<PlaceNow> {
  const { id: exchangeId, timeZone, officeHours, officeSwitch } = book.settings;
  const whenClosed = own.closedTarget ?? own.target;
  if (officeSwitch === "open") return { text: own.target, because: "opened by hand" };
  if (officeSwitch === "closed") return { text: whenClosed, because: "closed by hand" };
  const now = localTime(nowMs, timeZone);
  const about = { exchangeId, number: own.number, day: now.day };
  const holiday = book.empty.has("holidays") ? undefined : await findHoliday(db, about);
  if (holiday) return { text: holiday.target ?? whenClosed, because: "holiday", holiday: holiday.description };
  return isOpenIn(own.hours ?? officeHours, now)
    ? { text: own.target, because: "open" }
    : { text: whenClosed, because: "closed" };
}
