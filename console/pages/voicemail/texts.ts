// Words of the voicemail page.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Sesli mesajlar", en: "Voicemail" },
  extension: { tr: "Dahili", en: "Extension" },
  anybody: { tr: "Tüm dahililer", en: "All extensions" },
  unheard: { tr: "Dinlenmemiş", en: "Not heard" },
  heard: { tr: "Dinlenmiş", en: "Heard" },
  from: { tr: "Bırakan", en: "From" },
  when: { tr: "Zaman", en: "When" },
  length: { tr: "Süre", en: "Length" },
  state: { tr: "Durum", en: "State" },
  listen: { tr: "Dinle", en: "Play" },
  show: { tr: "Göster", en: "Show" },
  none: { tr: "Mesaj yok.", en: "There are no messages." },
});
