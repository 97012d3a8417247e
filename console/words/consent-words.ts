// The consent registry's own codes, with what they mean.

import type { Both, Language } from "./language.tsx";

/** For a choice: the code, and the words with the code behind them, as forms of the registry have it. */
export function consentChoices(words: Record<string, Both>, language: Language): [code: string, shown: string][] {
  return Object.entries(words).map(([code, both]) => [code, `${both[language]} (${code})`]);
}

/** A code as it was stored; one that nobody knows any more stands for itself. */
export function consentInWords(words: Record<string, Both>, code: string, language: Language): string {
  return words[code]?.[language] ?? code;
}
