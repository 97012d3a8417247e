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
  phone: { tr: "Telefon", en: "Phone" },
  company: { tr: "Şirket", en: "Company" },
  importTitle: { tr: "Kişileri aktar", en: "Import contacts" },
  importAbout: {
    tr: "CSV veya Excel (xlsx). Sütunlar: numara (zorunlu), ad, soyad, sirket, grup.",
    en: "CSV or Excel (xlsx). Columns: number (required), name, surname, company, group.",
  },
  choose: { tr: "Dosya seç", en: "Choose a file" },
  good: {
    tr: (count: number) => `${count} kişi aktarılabilir`,
    en: (count: number) => `${count} contacts can be imported`,
  },
  firstFaults: {
    tr: (count: number) => `Aşağıda atlanan ilk ${count} satır var.`,
    en: (count: number) => `Below are the first ${count} rows that are left out.`,
  },
  bad: { tr: (count: number) => `${count} satır atlanacak`, en: (count: number) => `${count} rows are left out` },
  row: { tr: "Satır", en: "Row" },
  why: { tr: "Neden", en: "Why" },
  value: { tr: "Değer", en: "Value" },
  doImport: { tr: "Aktar", en: "Import" },
  imported: { tr: "Kişiler aktarıldı", en: "The contacts are imported" },
  preview: { tr: "İlk kişiler", en: "The first of them" },
  "no-name": { tr: "Ad boş", en: "No name" },
  "no-phone": { tr: "Numara boş", en: "No number" },
  "bad-phone": { tr: "Numara geçersiz", en: "Not a number" },
  source: { tr: "Kaynak", en: "Source" },
  twice: { tr: "Dosyada iki kez", en: "Twice in the file" },
});
