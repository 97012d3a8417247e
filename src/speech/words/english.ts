// English, as it is read over a telephone.

import { toCardinal, toOrdinal } from "n2words/en-US";
import type { Words } from "./words.ts";

const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

export const english: Words = {
  cardinal: (number) => toCardinal(number),
  date: (day, month, year) => `${months[month - 1]} ${toOrdinal(day)}, ${toCardinal(year)}`,
  money(lira, kurus) {
    const small = `${toCardinal(kurus)} kurush`;
    if (kurus > 0 && lira === 0n) return small;
    return kurus > 0 ? `${toCardinal(lira)} lira and ${small}` : `${toCardinal(lira)} lira`;
  },
};
