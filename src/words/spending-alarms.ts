// What an alarm of spending is about, in words: on the console's page, in letters and in the audit trail.

import type { Language } from "../languages.ts";
import type { SpendingCause } from "../nouns/spent.ts";
import { showAmount, showCount } from "./stamps.ts";

type CauseWords = Record<SpendingCause, string>;

export const spendingCauses: Record<Language, CauseWords> = {
  tr: {
    "hourly-spending": "bir saatlik harcama",
    "unusual-spending": "olağan dışı bir saatlik harcama",
    "calls-at-once": "aynı anda ücretli ya da yurt dışı çağrı",
    "hourly-limit": "bir saatlik harcama sınırı",
  },
  en: {
    "hourly-spending": "spent within an hour",
    "unusual-spending": "spent within an hour, far more than usual",
    "calls-at-once": "paid or international calls at once",
    "hourly-limit": "the spending limit of an hour",
  },
};

export function spendingFigure(cause: SpendingCause, value: number, language: Language): string {
  return cause === "calls-at-once" ? showCount(value, language) : showAmount(value, language, 4);
}
