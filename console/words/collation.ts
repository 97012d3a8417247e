// The order of words, and which of them mean the same to somebody who looks for one.

import type { Language } from "../../src/languages.ts";
import { languages } from "../../src/languages.ts";

const collators = new Map<Language, Intl.Collator>();

/** As a dictionary of that language has it (Ç after C), and 9 before 10. */
function inOrder(language: Language): (one: string, other: string) => number {
  let collator = collators.get(language);
  if (!collator) {
    collator = new Intl.Collator(languages[language].locale, { numeric: true });
    collators.set(language, collator);
  }
  return collator.compare;
}

export function byName<Row extends { name: string }>(rows: readonly Row[], language: Language): Row[] {
  const compare = inOrder(language);
  return rows.toSorted((one, other) => compare(one.name, other.name));
}

/** Without marks and capitals, whatever the language: the same letters as the server's `search_form` has. */
export function folded(text: string): string {
  return text.replace(/[Iİı]/g, "i").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
