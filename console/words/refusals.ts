// Why not, in words: what the server refused, or that nobody answered.

import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";
import { refusalInWords, unreachableInWords } from "../../src/words/refusals/words.ts";
import type { Language } from "./language.tsx";
import { Refused } from "./refused.ts";

export function faultInWords(fault: unknown, language: Language): string {
  return fault instanceof Refused ? refusalInWords(fault.refusal, language) : unreachableInWords(language);
}

/** A "no" is an answer: that one may not, that it is not there, or another reason. Without an answer something failed. */
export type FaultKind = "forbidden" | "missing" | "refused" | "failed";

const kinds: Partial<Record<ConsoleRefusal["refused"], FaultKind>> = {
  "not-your-role": "forbidden",
  "not-operator": "forbidden",
  "not-found": "missing",
  "no-such-call": "missing",
  "call-not-found": "missing",
  "call-has-no-file": "missing",
  "voicemail-not-found": "missing",
  "contact-not-found": "missing",
  "campaign-not-found": "missing",
  "no-such-extension": "missing",
  "no-such-node": "missing",
};

export function kindOfFault(fault: unknown): FaultKind {
  return fault instanceof Refused ? (kinds[fault.refusal.refused] ?? "refused") : "failed";
}
