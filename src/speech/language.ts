// The languages the exchange can speak.

export const languages = ["tr-TR", "en-US", "ar-XA"] as const;
export type Language = (typeof languages)[number];
