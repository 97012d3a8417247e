// Letters in words: one table a language, and every kind has words in each, or it does not compile.

import type { Language } from "../../languages.ts";
import type { LetterWords, Told, Written } from "../../store/letter-facts.ts";
import * as en from "./en.ts";
import type { LetterTable } from "./table.ts";
import * as tr from "./tr.ts";

const tables: Record<Language, LetterTable> = { en, tr };

export const letterWords: LetterWords = {
  // The words are chosen by the very field that their parameter narrows on.
  letter: (told, language) => (tables[language].letters[told.is] as (told: Told) => Written)(told),
  message: (told, language) => tables[language].messages[told.is](told),
};
