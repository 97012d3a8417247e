// Which calls an extension may make: from those inside to those that cost most, each class with all before it.

import { type CallClass, callClasses } from "../../nouns/choices.ts";
import { dearKind } from "./dear-numbers.ts";
import type { PhoneNumber } from "./numbers.ts";

const order = Object.keys(callClasses) as CallClass[]; // of the record above

/** A number that costs whoever calls it far more than a call does. */
export function isPremium(number: PhoneNumber): boolean {
  return "e164" in number && dearKind(number.e164) !== undefined;
}

/** The least class that may call it; nobody needs one for help. */
function classFor(number: PhoneNumber): CallClass {
  if (number.is === "extension" || number.is === "emergency") return "internal";
  if (isPremium(number)) return "all";
  if (number.is === "international") return "international";
  return number.is === "national" && number.e164.startsWith("905") ? "mobile" : "national";
}

export function isWithin(has: CallClass, number: PhoneNumber): boolean {
  return order.indexOf(has) >= order.indexOf(classFor(number));
}
