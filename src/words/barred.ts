// Why a number is not called.

import type { StoryFactOf } from "../exchange/calls/story.ts";
import type { Language } from "../languages.ts";

type Why = StoryFactOf<"barred">["why"] | StoryFactOf<"no-callback">["why"];

const words: Record<Language, Record<Why, string>> = {
  en: {
    international: "calls abroad are switched off",
    premium: "calls to premium and satellite numbers are switched off",
    class: "the extension may not call such numbers",
    channels: "every channel of the exchange is taken",
    "spending-limit": "the month's spending limit is reached",
    "hourly-limit": "the spending limit of an hour is reached",
    blocked: "it is blocked",
    "no-number": "it is no number of the telephone network",
  },
  tr: {
    international: "yurt dışı aramalar kapalı",
    premium: "özel ücretli ve uydu numaralarına aramalar kapalı",
    class: "dahilinin böyle numaraları arama izni yok",
    channels: "santralin bütün kanalları dolu",
    "spending-limit": "aylık harcama sınırına ulaşıldı",
    "hourly-limit": "bir saatlik harcama sınırına ulaşıldı",
    blocked: "numara engellenmiş",
    "no-number": "telefon şebekesinin numarası değil",
  },
};

export const barredInWords = (why: Why, language: Language): string => words[language][why];
