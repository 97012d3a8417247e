// How one language says numbers, dates and money.

export type Words = {
  cardinal(number: bigint): string;
  /** Month from 1. */
  date(day: number, month: number, year: number): string;
  /** Whole lira and kuruş. */
  money(lira: bigint, kurus: number): string;
};
