// Where somebody may be called back who keeps his place in a queue: at a number of the world, by a caller's rights. What
// he shows as his number he has written himself, so that it is no code, no place of ours and nothing that costs dearly.

import type { CallSettings } from "../../../store/call-settings.ts";
import type { Db } from "../../../store/db.ts";
import type { Goal } from "../../calls/goal.ts";
import type { StoryFactOf } from "../../calls/story.ts";
import { whyNeverCalled } from "../../lead/barring.ts";
import { type PhoneNumber, phoneNumber } from "../../plan/numbers.ts";

/** `isInside`: a call of ours, whose extension has said who it is. */
export type LeftNumber = { caller: string; isInside: boolean };

export type NoCallback = { why: StoryFactOf<"no-callback">["why"] };

export async function whereToCallBack(
  db: Db,
  book: CallSettings,
  left: LeftNumber,
): Promise<{ number: PhoneNumber } | NoCallback> {
  const number = numberLeft(book, left);
  if (!number) return { why: "no-number" };
  if (number.is === "extension") return { number };
  const never = await whyNeverCalled(db, book, number, { rights: "caller" });
  return never ? { why: never.why } : { number };
}

export function callbackGoal(book: CallSettings, left: LeftNumber, agent: string): Goal {
  const number = numberLeft(book, left);
  if (!number) return { is: "refused", cause: "INVALID_NUMBER_FORMAT" };
  return { is: "number", number, by: agent, rights: "caller" };
}

function numberLeft(book: CallSettings, { caller, isInside }: LeftNumber): PhoneNumber | undefined {
  if (isInside && book.extensions.has(caller)) return { is: "extension", number: caller };
  const number = phoneNumber(caller);
  return number?.is === "national" || number?.is === "international" ? number : undefined;
}
