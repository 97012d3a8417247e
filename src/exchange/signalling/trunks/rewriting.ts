// The digits of a number as one carrier wants them, and of one that it brings as we know it.

import type { Rewriting } from "../../../store/trunk-state.ts";

/**
 * Takes digits off the front and puts others there. A plus at the front is no digit: it goes with the first one taken
 * off. Where nothing is taken off the prefix is a code to dial before everything; otherwise it is another notation,
 * and a short number such as 112, which has but one, stays as it is.
 */
export function rewritten(text: string, { strip, prefix }: Rewriting, isShort = false): string {
  if (strip === 0) return prefix === "" ? text : `${prefix}${text.replace(/^\+/, "")}`;
  if (isShort) return text;
  const bare = text.replace(/^\+/, "");
  return bare.length > strip ? `${prefix}${bare.slice(strip)}` : text;
}
