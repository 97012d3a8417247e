// The languages of people: the ones that the console, the command line, mails and stories can speak.

export const LANGUAGES = ["tr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each is called by those who speak it, and how it writes times and counts. */
export const languages: Record<Language, { name: string; locale: string }> = {
  tr: { name: "Türkçe", locale: "tr-TR" },
  en: { name: "English", locale: "en-GB" },
};

/** For whoever's browser speaks none of them. */
export const firstLanguage = { console: "en", phone: "tr" } satisfies Record<string, Language>;

/** The first of the names that is one of ours; `tr-TR` is as good as `tr`. */
export function languageIn(...names: (string | null)[]): Language | undefined {
  const short = names.map((name) => name?.slice(0, 2).toLowerCase());
  return short.flatMap((name) => LANGUAGES.find((it) => it === name) ?? [])[0];
}

/** A text in every language: one that lacks one of them does not compile. */
export type Both<Text = string> = Record<Language, Text>;
