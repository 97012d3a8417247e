// Refusals in words: one table a language, and every kind has words in each, or it does not compile.

import type { Language } from "../../languages.ts";
import * as en from "./en.ts";
import type { ConsoleRefusal, RefusalWords } from "./refusal.ts";
import { chosen } from "./table.ts";
import * as tr from "./tr.ts";

/** `otherwise` is for what a newer server says, `unreachable` for when nobody says anything. */
const tables: Record<Language, { words: RefusalWords; otherwise: string; unreachable: string }> = { en, tr };

export function refusalInWords(refusal: ConsoleRefusal, language: Language): string {
  const { words, otherwise } = tables[language];
  return Object.hasOwn(words, refusal.refused) ? chosen(words, "refused", refusal) : otherwise;
}

export function unreachableInWords(language: Language): string {
  return tables[language].unreachable;
}
