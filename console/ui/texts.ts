// Words of the parts that many pages are built from.

import { type Both, inBoth } from "../words/language.tsx";

export const keysTexts = inBoth({
  key: { tr: (key: string) => `${key} tuşu`, en: (key: string) => `Key ${key}` },
  add: { tr: "Tuş ekle", en: "Add a key" },
});

export const passwordTexts = inBoth({ show: { tr: "Parolayı göster veya gizle", en: "Show or hide the password" } });

export const playerTexts = inBoth({
  listen: { tr: "Dinle", en: "Play" },
  pause: { tr: "Duraklat", en: "Pause" },
  position: { tr: "Konum", en: "Position" },
  download: { tr: "Ses dosyasını indir", en: "Download the sound" },
  unheard: {
    tr: "Ses şu anda alınamıyor. Daha sonra yeniden deneyin.",
    en: "The sound cannot be had now. Try again later.",
  },
});

export const preferenceTexts = inBoth({
  darker: { tr: "Koyu görünüm", en: "Dark" },
  lighter: { tr: "Açık görünüm", en: "Light" },
});

export const passive: Both = { tr: "pasif", en: "passive" };

export const weekdays: Both<string[]> = {
  tr: ["Pzt", "Sal", "Çar", "Per", "Cum", "Cmt", "Paz"],
  en: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
};

export const downloadTexts = inBoth({
  coming: {
    tr: (what: string, amount: string) => `${what}: ${amount} geldi`,
    en: (what: string, amount: string) => `${what}: ${amount} so far`,
  },
  stop: { tr: "Durdur", en: "Stop" },
  notFetched: { tr: "Tablo indirilemedi.", en: "The table could not be fetched." },
});
