// Date: always GMT, always in the one form of RFC 1123.

import type { Malformed } from "../malformed.ts";
import { type Header, headerOf, type Message } from "../message.ts";

// Anchored and of fixed width, so it cannot be made to run long.
const FORM =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds since 1970. */
export function dateOf(message: Message): number | undefined | Malformed {
  const value = headerOf(message, "Date");
  if (value === undefined) return undefined;
  const ms = FORM.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? { malformed: "Date" } : ms;
}

export const date = (ms: number): Header => ({ name: "Date", value: new Date(ms).toUTCString() });
