// The languages the exchange can speak: a record each, from which every list of them comes.

/** Its own name for itself, the voice that espeak has for it, and the language of those who read rather than listen. */
type Spoken = { name: string; espeak: string; read: string };

export const spoken = {
  "tr-TR": { name: "Türkçe", espeak: "tr", read: "tr" },
  "en-US": { name: "English", espeak: "en-us", read: "en" },
  "ar-XA": { name: "العربية", espeak: "ar", read: "ar" },
} as const satisfies Record<string, Spoken>;

export type Language = keyof typeof spoken;

export const languages = Object.keys(spoken) as Language[]; // of the record above

/** Where nobody has said which. */
export const USUAL_LANGUAGE: Language = "tr-TR";

/** What is spoken to people who read in this language. */
export function languageFor(read: string): Language {
  return languages.find((language) => spoken[language].read === read) ?? USUAL_LANGUAGE;
}
