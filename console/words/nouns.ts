// Words that many pages use: buttons and small things.

import { inBoth } from "./language.tsx";

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
