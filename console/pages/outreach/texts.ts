// Words of automatic calls.

import { inBoth } from "../../words/language.tsx";

export const newCampaignTexts = inBoth({
  make: { tr: "Kampanya başlat", en: "Begin a campaign" },
  begun: { tr: "Kampanya başladı.", en: "The campaign has begun." },
  numbers: { tr: "Numaralar", en: "Numbers" },
  numbersAbout: {
    tr: "Her satıra bir numara; yanına, virgül veya noktalı virgülle ayrılmış, ona söylenecek söz yazılabilir. Boş bırakılırsa ardından bir dosyadan (CSV, Excel) alınır",
    en: "One a line; beside it, after a comma or semicolon, what is said to that person. Left empty they come from a file afterwards (CSV, Excel)",
  },
});

export const campaignTexts = inBoth({
  fromFile: { tr: "Dosyadan numara ekle", en: "Add numbers from a file" },
  title: { tr: "Otomatik arama", en: "Automatic calling" },
  about: {
    tr: "Bir listedeki numaralar aranır; ne olduğu burada izlenir ve durdurulur.",
    en: "The numbers of a list are called; here one watches what becomes of them, and stops it.",
  },
  empty: { tr: "Henüz kampanya yok.", en: "There are no campaigns yet." },
  kind: { tr: "Tür", en: "Kind" },
  ivr: { tr: "Sesli menü", en: "Voice menu" },
  queue: { tr: "Kuyruğa", en: "To a queue" },
  progress: { tr: "İlerleme", en: "Progress" },
  answered: { tr: "Cevaplanan", en: "Answered" },
  attempts: { tr: "Deneme", en: "Attempts" },
  on: { tr: "Açık", en: "On" },
  dates: { tr: "Tarihler", en: "Dates" },
  report: { tr: "Numaralar", en: "Numbers" },
  result: { tr: "Sonuç", en: "Result" },
  key: { tr: "Tuş", en: "Key" },
  talk: { tr: "Konuşma", en: "Talk" },
  waiting: { tr: "Bekliyor", en: "Waiting" },
  dialling: { tr: "Aranıyor", en: "Dialling" },
  finished: { tr: "Bitti", en: "Finished" },
});
