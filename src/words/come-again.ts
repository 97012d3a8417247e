// What a browser shows instead of a page while nobody can answer for its exchange.

import type { Both } from "../languages.ts";

export const comeAgain: Both<{ title: string; text: string }> = {
  tr: { title: "Bir dakika", text: "Santrala şu anda ulaşılamıyor. Bu sayfa kendiliğinden yeniden dener." },
  en: { title: "One moment", text: "The exchange cannot be reached right now. This page tries again by itself." },
};
