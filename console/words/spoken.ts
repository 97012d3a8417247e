// Languages the exchange can speak, each in its own name.

import type { Language } from "./language.tsx";

export type Spoken = "tr-TR" | "en-US" | "ar-XA";

export const spoken: [value: Spoken, label: string][] = [
  ["tr-TR", "Türkçe"],
  ["en-US", "English"],
  ["ar-XA", "العربية"],
];

/** What it speaks to whoever reads the page in this language, unless they choose another. */
export function spokenIn(language: Language): Spoken {
  return spoken.find(([value]) => value.startsWith(language))?.[0] ?? "en-US";
}
