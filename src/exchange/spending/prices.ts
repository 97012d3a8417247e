// What a minute with a number costs.

import type { CallRate } from "../../store/spending.ts";

export function priceOf(rates: readonly CallRate[], number: string): number {
  return rateOf(rates, number)?.minutePrice ?? 0;
}

/** Rates come with the longest prefix first. */
export function rateOf(rates: readonly CallRate[], number: string): CallRate | undefined {
  return rates.find(({ prefix }) => number.startsWith(prefix));
}
