// Words of the announcements.

import { inBoth } from "../../words/language.tsx";

export const soundTexts = inBoth({
  title: { tr: "Anonslar", en: "Announcements" },
  about: {
    tr: "Menülerde, kuyruklarda ve karşılamada çalınan sesler.",
    en: "Sounds that menus, queues and greetings play.",
  },
  empty: { tr: "Henüz anons yok.", en: "There are no announcements yet." },
  upload: { tr: "Dosya yükle", en: "Upload a file" },
  speak: { tr: "Metni seslendir", en: "Have a text spoken" },
  text: { tr: "Metin", en: "Text" },
  language: { tr: "Dil", en: "Language" },
  length: { tr: "Süre", en: "Length" },
  replace: { tr: "Yeni ses (boşsa değişmez)", en: "Another sound (empty: it stays)" },
  when: { tr: "Tarih", en: "Date" },
  listen: { tr: "Dinle", en: "Play" },
});
