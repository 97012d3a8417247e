// Words of what every page asks with.

import { inBoth } from "../words/language.tsx";

export const sessionTexts = inBoth({
  mayNot: {
    tr: (right: string, whom: string) => `Rolünüz buna izin vermiyor: ${right}. Başvurabileceğiniz kişi: ${whom}.`,
    en: (right: string, whom: string) => `Your role does not let you ${right}. Ask ${whom}.`,
  },
});

export const awayTexts = inBoth({
  lost: { tr: "Bağlantı koptu, yeniden deneniyor…", en: "Connection lost, trying again…" },
  away: {
    tr: "Santrala şu anda ulaşılamıyor. Yeniden deneniyor…",
    en: "The exchange cannot be reached right now. Trying again…",
  },
});
