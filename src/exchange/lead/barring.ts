// Whether an exchange may call a number now: asked where a call goes out, and by whoever would begin one, before a
// phone rings for it.

import { type CallSettings, isBlocked } from "../../store/call-settings.ts";
import type { Db } from "../../store/db.ts";
import type { HangupCause } from "../calls/causes.ts";
import type { LiveCalls } from "../calls/live-calls.ts";
import type { StoryFactOf } from "../calls/story.ts";
import { type PhoneNumber, written } from "../plan/numbers.ts";
import type { Spending } from "../spending/spending.ts";

export type BarringNeeds = { db: Db; live: Pick<LiveCalls, "outsideLegs">; spending: Spending };

export type Barred = { why: StoryFactOf<"barred">["why"]; cause: HangupCause };

/** Undefined: it may. What is inside is never barred. */
export async function whyBarred(
  { db, live, spending }: BarringNeeds,
  book: CallSettings,
  number: PhoneNumber,
): Promise<Barred | undefined> {
  const { id: exchangeId, internationalCalls, channelLimit } = book.settings;
  if (number.is === "extension") return undefined;
  if (number.is === "international" && !internationalCalls)
    return { why: "international", cause: "INCOMING_CALL_BARRED" };
  if (channelLimit !== null && live.outsideLegs(exchangeId) >= channelLimit)
    return { why: "channels", cause: "NORMAL_CIRCUIT_CONGESTION" };
  if (!(await spending.allows(book, written(number)))) return { why: "spending-limit", cause: "INCOMING_CALL_BARRED" };
  if (book.empty.has("blocked numbers")) return undefined;
  const blocked = await isBlocked(db, { exchangeId, number: written(number), direction: "outbound" });
  return blocked ? { why: "blocked", cause: "INCOMING_CALL_BARRED" } : undefined;
}
