// Whether an exchange may call a number now: asked where a call goes out, and by whoever would begin one, before a
// phone rings for it.

import { type CallSettings, isBlocked } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import type { StoryFactOf } from "../calls/story.ts";
import { isPremium, isWithin } from "../plan/call-class.ts";
import { type PhoneNumber, written } from "../plan/numbers.ts";
import type { Rights } from "../plan/rights.ts";
import type { Spending } from "../spending/spending.ts";

export type BarringNeeds = { db: Db; live: Pick<LiveCalls, "outsideLegs">; spending: Spending };

export type Barred = { why: StoryFactOf<"barred">["why"]; cause: HangupCause };

/** Who wants the call: an extension, of whose class it must be, unless it is somebody else's right. */
export type Asker = { by?: string | undefined; rights?: Rights | undefined };

/** Undefined: it may. What is inside is never barred, nor is a call for help. */
export async function whyBarred(
  { db, live, spending }: BarringNeeds,
  book: CallSettings,
  number: PhoneNumber,
  asker: Asker = {},
): Promise<Barred | undefined> {
  const { id: exchangeId, channelLimit } = book.settings;
  if (number.is === "extension" || number.is === "emergency") return undefined;
  const ruledOut = byRule(book, number, asker);
  if (ruledOut) return ruledOut;
  if (channelLimit !== null && live.outsideLegs(exchangeId) >= channelLimit)
    return { why: "channels", cause: "NORMAL_CIRCUIT_CONGESTION" };
  const limit = await spending.whyNot(book, written(number));
  return limit ? barred(limit) : byList(db, book, number);
}

/** The same without what may be otherwise in a moment: channels and money. */
export async function whyNeverCalled(
  db: Db,
  book: CallSettings,
  number: PhoneNumber,
  asker: Asker,
): Promise<Barred | undefined> {
  return byRule(book, number, asker) ?? (await byList(db, book, number));
}

const barred = (why: Barred["why"]): Barred => ({ why, cause: "INCOMING_CALL_BARRED" });

function byRule(book: CallSettings, number: PhoneNumber, { by = "", rights }: Asker): Barred | undefined {
  const { internationalCalls, premiumCalls } = book.settings;
  if (number.is === "international" && !internationalCalls) return barred("international");
  // Who leaves a number to be called back at has no right to our money.
  if (isPremium(number) && (!premiumCalls || rights === "caller")) return barred("premium");
  const extension = rights === undefined ? book.extensions.get(by) : undefined;
  return extension && !isWithin(extension.mayCall, number) ? barred("class") : undefined;
}

async function byList(db: Db, book: CallSettings, number: PhoneNumber): Promise<Barred | undefined> {
  if (book.empty.has("blocked numbers")) return undefined;
  const about = { exchangeId: book.settings.id, number: written(number), direction: "outbound" } as const;
  return (await isBlocked(db, about)) ? barred("blocked") : undefined;
}
