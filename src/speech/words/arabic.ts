// Arabic, in the standard language.

import { toCardinal } from "n2words/ar-SA";
import type { Words } from "./words.ts";

const months = [
  ...["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو"],
  ...["يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"],
];

export const arabic: Words = {
  cardinal: (number) => toCardinal(number),
  date: (day, month, year) => `${toCardinal(day)} ${months[month - 1]} ${toCardinal(year)}`,
  money(lira, kurus) {
    const small = `${toCardinal(kurus)} قرش`;
    if (kurus > 0 && lira === 0n) return small;
    return kurus > 0 ? `${toCardinal(lira)} ليرة و ${small}` : `${toCardinal(lira)} ليرة`;
  },
};
