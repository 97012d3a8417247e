// Why not, in words: what the server refused, or that nobody answered.

import { refusalInWords, unreachableInWords } from "../../src/words/refusals/words.ts";
import type { Language } from "./language.tsx";
import { Refused } from "./refused.ts";

export function faultInWords(fault: unknown, language: Language): string {
  return fault instanceof Refused ? refusalInWords(fault.refusal, language) : unreachableInWords(language);
}
