// What somebody hears who answers a test call.

import type { Language } from "../../../speech/language.ts";

export const sentences: Record<Language, string> = {
  "tr-TR": "Merhaba. Bu bir deneme aramasıdır. Hat çalışıyor.",
  "en-US": "Hello. This is a test call. The line works.",
  "ar-XA": "مرحبا. هذه مكالمة تجريبية. الخط يعمل.",
};
