// Contacts' automatic messages: on their days, from a time of day on, each once, however often and by whomever it is planned.

import type { Clock } from "../clock.ts";
import { openTurns } from "../in-turns.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/db.ts";
import { findSmsAccount, type SmsAccount } from "../store/sms-accounts.ts";
import { listTariffs } from "../store/sms-carriers.ts";
import { listTitles, type Title } from "../store/sms-titles.ts";
import {
  forgetPlannedDays,
  type Greeted,
  listSpecialDaySettings,
  planDay,
  type SpecialDaySettings,
} from "../store/special-days.ts";
import { countMessage } from "./coding.ts";
import { checkOrderInTurns, chooseTitle, type Order, type OrderedMessage, withInstruction } from "./order.ts";
import { readPhone } from "./phone.ts";
import { write } from "./send.ts";
import { fillIn, specialDaysOf } from "./special-day.ts";
import { wallClock } from "./timing.ts";

/** Plans are kept this long, far past any repetition, and then forgotten. */
const KEPT_DAYS_MS = 400 * 86_400_000;

const AT_ONCE = 10_000;
/** Others have their turn after so many texts. */
const WRITTEN_AT_ONCE = 50;

type Parts = { clock: Clock; log: Log };

/**
 * An exchange that was down at the hour greets later the same day; a day that is over is over, because nobody wants to be
 * congratulated the day after.
 */
export async function greetContacts(db: Db, clock: Clock, log: Log): Promise<void> {
  for (const settings of await listSpecialDaySettings(db)) {
    const wall = wallClock(clock.wall(), settings.timeZone).toISOString();
    if (wall.slice(11, 19) < settings.at) continue;
    const refused = await greetDay(db, { clock, log }, settings, wall.slice(0, 10));
    if (refused) log.warn({ exchange: settings.exchangeId, refused }, "a day's automatic messages could not be sent");
  }
}

export async function forgetOldGreetings(db: Db, clock: Clock): Promise<void> {
  await forgetPlannedDays(db, new Date(clock.wall() - KEPT_DAYS_MS).toISOString().slice(0, 10));
}

/** The plan and its messages are one transaction: what could not be sent was not planned either, and is tried again. */
async function greetDay(db: Db, parts: Parts, settings: SpecialDaySettings, day: string): Promise<string | undefined> {
  try {
    await db.transaction(async (db) => {
      const greeted = await planDay(db, { ...specialDaysOf(day), day, exchangeId: settings.exchangeId });
      const refused = greeted.length > 0 ? await sendGreetings(db, parts, settings, greeted) : undefined;
      if (refused) throw new NotSent(refused);
    });
    return undefined;
  } catch (error) {
    if (error instanceof NotSent) return error.message;
    throw error;
  }
}

/** Only undoes the plan with its transaction. */
class NotSent extends Error {}

async function sendGreetings(db: Db, { clock, log }: Parts, settings: SpecialDaySettings, greeted: readonly Greeted[]) {
  const { exchangeId, username, titleName, recipientType } = settings;
  const account = await findSmsAccount(db, exchangeId, username);
  if (!account) return "the account is gone";
  const titles = await listTitles(db, exchangeId);
  const tariffs = await listTariffs(db, exchangeId);
  const commercial = recipientType !== null;
  const title = chooseTitle(titleName, titles);
  if ("refused" in title) return title.refused;
  const all: OrderedMessage[] = [];
  const turns = openTurns(WRITTEN_AT_ONCE);
  for (const contact of greeted) {
    all.push(...greetingFor(contact, settings, { account, title }));
    await turns();
  }
  if (all.length < greeted.length)
    log.warn({ exchange: exchangeId, contacts: greeted.length - all.length }, "contacts whose message cannot be sent");
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const messages = all.slice(at, at + AT_ONCE);
    const order: Order = {
      source: titleName,
      messages,
      commercial,
      recipientType: recipientType ?? undefined,
      greets: true,
    };
    const checked = await checkOrderInTurns(order, { account, titles, tariffs, now: clock.wall() });
    if ("refused" in checked) return checked.refused;
    const written = await write(db, { account, checked, now: new Date(clock.wall()) });
    if ("refused" in written) return written.refused;
  }
  return undefined;
}

/**
 * One contact's number that nothing could reach, a text that is too long, or one that may not go out as it is, must not
 * hold back everybody's.
 */
function greetingFor(
  contact: Greeted,
  { birthdayMessage, weddingMessage }: SpecialDaySettings,
  by: { account: SmsAccount; title: Title },
): OrderedMessage[] {
  const texts: { [Occasion in Greeted["occasion"]]: string } = {
    birthday: birthdayMessage,
    weddingday: weddingMessage,
    monthly: contact.monthly,
  };
  const text = fillIn(texts[contact.occasion], contact);
  const phone = readPhone(contact.phone);
  const whole = withInstruction({ greets: true }, text, by);
  if (!phone || "refused" in whole) return [];
  if ("refused" in countMessage(whole.text, { coding: undefined, abroad: phone.abroad })) return [];
  return [{ dests: [contact.phone], ids: [], text }];
}
