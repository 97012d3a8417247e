// Words of the contacts.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Rehber", en: "Contacts" },
  empty: { tr: "Kimse bulunamadı.", en: "Nobody was found." },
  add: { tr: "Kişi ekle", en: "Add a contact" },
  import: { tr: "Dosyadan aktar", en: "Import a file" },
  search: { tr: "Ad, şirket veya numara", en: "Name, company or number" },
  group: { tr: "Grup", en: "Group" },
  groups: { tr: "Gruplar", en: "Groups" },
  addGroup: { tr: "Grup ekle", en: "Add a group" },
  noGroups: { tr: "Henüz grup yok.", en: "There are no groups yet." },
  people: { tr: "Kişi", en: "People" },
  source: { tr: "Kaynak", en: "Source" },
});

/** Of the sources of contacts. */
export const sourceTexts = inBoth({
  title: { tr: "Kaynaklar", en: "Sources" },
  about: {
    tr: "Kaynaktan gelen kişiler burada değiştirilmez; kaynakta değişince burada da değişir.",
    en: "People of a source are not changed here: they change when they change there.",
  },
  empty: {
    tr: "Rehber, bir CardDAV defterinden veya bağlantıdaki bir dosyadan doldurulabilir.",
    en: "Contacts can be filled from a CardDAV address book or a file behind a link.",
  },
  add: { tr: "Kaynak ekle", en: "Add a source" },
  state: { tr: "Durum", en: "State" },
  contacts: { tr: "Kişi", en: "People" },
  lastRun: { tr: "Son okuma", en: "Last run" },
  nextRun: { tr: "Sıradaki", en: "Next run" },
  working: { tr: "Çalışıyor", en: "Working" },
  running: { tr: "Okunuyor", en: "Being read" },
  failing: { tr: "Okunamıyor", en: "Failing" },
  paused: { tr: "Durduruldu", en: "Paused" },
  waiting: { tr: "Onay bekliyor", en: "Waits for you" },
  never: { tr: "Henüz okunmadı", en: "Not read yet" },
  counts: {
    tr: (added: number, changed: number, removed: number) => `${added} eklendi, ${changed} değişti, ${removed} silindi`,
    en: (added: number, changed: number, removed: number) => `${added} added, ${changed} changed, ${removed} removed`,
  },
  since: { tr: (when: string) => `${when} tarihinden beri`, en: (when: string) => `since ${when}` },
  unreadable: { tr: (count: number) => `${count} kayıt alınamadı`, en: (count: number) => `${count} left out` },
  run: { tr: "Şimdi oku", en: "Read now" },
  asked: { tr: "Kaynak birazdan okunacak", en: "The source is read in a moment" },
  pause: { tr: "Durdur", en: "Pause" },
  resume: { tr: "Sürdür", en: "Resume" },
  held: {
    tr: (count: number) => `${count} kişi kaynakta artık yok ve silinmeyi bekliyor`,
    en: (count: number) => `${count} people are no longer in the source and wait to be removed`,
  },
  confirm: { tr: "Silmeyi onayla", en: "Remove them" },
  confirmed: { tr: "Kişiler sıradaki okumada silinecek", en: "They are removed with the next run" },
  removeTitle: { tr: "Kaynağı kaldır", en: "Remove the source" },
  removeAbout: {
    tr: "Kaynaktan gelen kişiler silinebilir veya bu santralin kendi kişileri olarak kalabilir.",
    en: "Its people can go with it, or stay as contacts of this exchange's own.",
  },
  removeAll: { tr: "Kişileriyle sil", en: "Remove with its people" },
  removeKeep: { tr: "Kişiler kalsın", en: "Keep its people" },
  try: { tr: "Dene", en: "Try" },
  tryTitle: { tr: "Kaynakta bulunanlar", en: "What was found there" },
  tryFirst: { tr: "Önce bir ad ve adres girin", en: "Fill in a name and an address first" },
  books: { tr: "Adres defterleri", en: "Address books" },
  choose: { tr: "Seç", en: "Choose" },
  chooseBook: {
    tr: "Sunucuda birden çok adres defteri var. Birini seçin.",
    en: "The server has several address books. Choose one.",
  },
  entries: { tr: (count: number) => `${count} kayıt bulundu`, en: (count: number) => `${count} entries were found` },
  columns: { tr: "Sütunlar", en: "Columns" },
  unused: { tr: "kullanılmıyor", en: "not used" },
  first: { tr: "İlk kişiler", en: "The first of them" },
  phones: { tr: "Telefonlar", en: "Phones" },
  groups: { tr: "Gruplar", en: "Groups" },
  leftOut: { tr: "Alınamayan kayıtlar", en: "Entries that are left out" },
  entry: { tr: "Kayıt", en: "Entry" },
  why: { tr: "Neden", en: "Why" },
  value: { tr: "Değer", en: "Value" },
});
