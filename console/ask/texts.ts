// Words of what every page asks with.

import { inBoth } from "../words/language.tsx";

export const sessionTexts = inBoth({
  needsRole: {
    tr: (role: string) => `Bunun için gereken rol: ${role}`,
    en: (role: string) => `This needs the role: ${role}`,
  },
});

export const awayTexts = inBoth({
  lost: { tr: "Bağlantı koptu, yeniden deneniyor…", en: "Connection lost, trying again…" },
  away: {
    tr: "Santrala şu anda ulaşılamıyor. Yeniden deneniyor…",
    en: "The exchange cannot be reached right now. Trying again…",
  },
});
