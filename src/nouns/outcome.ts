// What became of a call, as people are told it: the same in lists, reports, boards and tables. What each means:
// docs/reports.md; how it is read from a record: src/store/outcomes.ts.

import type { Words } from "./field.ts";

export const outcomes = {
  /** A person took it. */
  answered: { tr: "Cevaplandı", en: "Answered" },
  /** Answered, and by no person: a mailbox, a menu, an announcement, a fax machine. */
  system: { tr: "Sistem karşıladı", en: "Handled by the system" },
  /** From outside, and nobody and nothing answered. */
  missed: { tr: "Cevapsız", en: "Missed" },
  /** Made here, and the other side did not answer. */
  unanswered: { tr: "Ulaşılamadı", en: "No answer" },
  /** We want no calls of him. */
  refused: { tr: "Reddedildi", en: "Refused" },
} as const satisfies Record<string, Words>;

export type Outcome = keyof typeof outcomes;

export const OUTCOMES = Object.keys(outcomes) as Outcome[]; // of the record above

/** What lists may be narrowed to beside each of them. */
const together = {
  untaken: ["system", "missed", "unanswered", "refused"],
  "wanted-person": ["answered", "missed"],
} as const satisfies Record<string, readonly Outcome[]>;

export type Result = Outcome | keyof typeof together;

export const RESULTS = [...OUTCOMES, "untaken", "wanted-person"] as const satisfies readonly Result[];

export function outcomesOf(result: Result): readonly Outcome[] {
  return result === "untaken" || result === "wanted-person" ? together[result] : [result];
}
