// Words that many pages use: things, roles, states and results.

import type { Both } from "./language.tsx";
import { inBoth } from "./language.tsx";

export const nouns: Record<string, Both> = {
  extension: { tr: "Dahili", en: "extension" },
  queue: { tr: "Kuyruk", en: "queue" },
  group: { tr: "Çağrı grubu", en: "ring group" },
  menu: { tr: "Menü", en: "menu" },
  sound: { tr: "Anons", en: "announcement" },
  number: { tr: "Numara", en: "number" },
  trunk: { tr: "Hat", en: "trunk" },
  rule: { tr: "Kural", en: "rule" },
  call: { tr: "Çağrı", en: "call" },
  message: { tr: "Mesaj", en: "message" },
  contact: { tr: "Kişi", en: "contact" },
  campaign: { tr: "Gönderim", en: "campaign" },
  holiday: { tr: "Tatil", en: "holiday" },
  session: { tr: "Oturum", en: "session" },
  key: { tr: "Anahtar", en: "key" },
  delivery: { tr: "Bildirim", en: "delivery" },
  mailbox: { tr: "Sesli mesaj kutusu", en: "mailbox" },
  "external number": { tr: "Numara", en: "number" },
  "staff account": { tr: "Kullanıcı", en: "staff account" },
};

/** Buttons and small words of every page. */
export const general = inBoth({
  save: { tr: "Kaydet", en: "Save" },
  cancel: { tr: "Vazgeç", en: "Cancel" },
  close: { tr: "Kapat", en: "Close" },
  add: { tr: "Ekle", en: "Add" },
  edit: { tr: "Düzenle", en: "Edit" },
  remove: { tr: "Sil", en: "Delete" },
  search: { tr: "Ara", en: "Search" },
  from: { tr: "Başlangıç", en: "From" },
  to: { tr: "Bitiş", en: "Until" },
  copy: { tr: "Kopyala", en: "Copy" },
  copied: { tr: "Kopyalandı", en: "Copied" },
  all: { tr: "Tümü", en: "All" },
  none: { tr: "Yok", en: "None" },
  name: { tr: "Ad", en: "Name" },
  number: { tr: "Numara", en: "Number" },
  actions: { tr: "İşlemler", en: "Actions" },
  saved: { tr: "Kaydedildi", en: "Saved" },
  removed: { tr: "Silindi", en: "Deleted" },
  needed: { tr: "Bir seçim yapın.", en: "Choose one." },
  seconds: { tr: "sn", en: "s" },
  loading: { tr: "Yükleniyor", en: "Loading" },
  tryAgain: { tr: "Yeniden dene", en: "Try again" },
  failed: { tr: "Bir şey ters gitti", en: "Something went wrong" },
  nothingYet: { tr: "Henüz bir şey yok", en: "Nothing here yet" },
  sureTitle: { tr: "Emin misiniz?", en: "Are you sure?" },
  shownOnce: {
    tr: "Yalnızca şimdi gösterilir. Güvenli bir yere kaydedin.",
    en: "Shown only now. Keep it in a safe place.",
  },
  page: { tr: "Sayfa", en: "Page" },
  rows: { tr: (count: number) => `${count} kayıt`, en: (count: number) => (count === 1 ? "1 row" : `${count} rows`) },
});
