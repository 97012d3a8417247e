// The languages of people: the ones that the console, the command line, mails and stories can speak.

export const LANGUAGES = ["tr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
