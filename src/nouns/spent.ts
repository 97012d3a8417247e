// What spending is broken down by, and what its lines are called.

import type { Language } from "../languages.ts";
import type { Words } from "./field.ts";

export const spentBy = {
  day: { tr: "Gün", en: "Day" },
  trunk: { tr: "Hat", en: "Trunk" },
  extension: { tr: "Dahili", en: "Extension" },
  price: { tr: "Aranan yer", en: "Destination" },
  campaign: { tr: "Kampanya", en: "Campaign" },
  kind: { tr: "Tür", en: "Kind" },
} as const satisfies Record<string, Words>;

export type SpentBy = keyof typeof spentBy;

export const SPENT_BY = Object.keys(spentBy) as SpentBy[]; // of the record above

/** `unnoted`: spent before calls were noted one by one. */
export const paidKinds = {
  call: { tr: "Arama", en: "Call" },
  fax: { tr: "Faks", en: "Fax" },
  unnoted: { tr: "Ayrıntısı bilinmiyor", en: "Details not known" },
} as const satisfies Record<string, Words>;

export type PaidKind = keyof typeof paidKinds;

/** What the empty one is of each. */
const others: Partial<Record<SpentBy, Words>> = {
  trunk: { tr: "Kutudaki şebeke", en: "Network in the box" },
  extension: { tr: "Dahili yok", en: "No extension" },
  price: { tr: "Diğer tüm numaralar", en: "All other numbers" },
  campaign: { tr: "Kampanya dışı", en: "No campaign" },
};

/** A line of the breakdown as people read it; `which` is nothing where it is not known. */
export function spentOn(by: SpentBy, which: string | null, language: Language): string {
  if (which === null) return paidKinds.unnoted[language];
  if (by === "kind" && Object.hasOwn(paidKinds, which)) return paidKinds[which as PaidKind][language];
  return which || (others[by]?.[language] ?? "—");
}

/** What alarms of spending are about: a stop is one as well. */
export type SpendingCause = "hourly-spending" | "unusual-spending" | "calls-at-once" | "hourly-limit";
