// The languages of people: the ones that the console, the command line, mails and stories can speak.

export const LANGUAGES = ["tr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each is called by those who speak it, and how it writes times and counts. */
export const languages: Record<Language, { name: string; locale: string }> = {
  tr: { name: "Türkçe", locale: "tr-TR" },
  en: { name: "English", locale: "en-GB" },
};

/** A text in every language: one that lacks one of them does not compile. */
export type Both<Text = string> = Record<Language, Text>;
