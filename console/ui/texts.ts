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

export const officeTexts = inBoth({
  open: { tr: "Ofis açık", en: "Office open" },
  closed: { tr: "Ofis kapalı", en: "Office closed" },
  byHand: { tr: "elle", en: "by hand" },
  about: {
    tr: "Elle çevrilen anahtar, geri çevrilene kadar saatlerden ve tatillerden önce gelir.",
    en: "What is switched by hand goes before hours and holidays until it is switched back.",
  },
});

export const weekTexts = inBoth({
  own: { tr: "Bu numaranın kendi saatleri var", en: "This number has hours of its own" },
  closed: { tr: "Kapalı", en: "Closed" },
  opens: { tr: "açılış", en: "opens" },
  closes: { tr: "kapanış", en: "closes" },
  add: { tr: "Aralık ekle", en: "Add a stretch" },
  sameAsFirst: { tr: "Pazartesiyi hafta içine uygula", en: "Use Monday's for Monday to Friday" },
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
