// What may be set of a contact, a person outside the exchange.

import { noun } from "./field.ts";
import { area, choice, day, email, text, whole, yesOrNo } from "./kinds.ts";

const ofPerson = { tr: "Kişi", en: "Person", open: true } as const;
const ofNotes = { tr: "Adres ve not", en: "Address and note", open: true } as const;
const ofDays = { tr: "Özel günler", en: "Special days", open: true } as const;

const more = { under: { tr: "Diğer", en: "More" } } as const;
const optional = { orNothing: true } as const;
const longest = 255;

export const contact = noun({
  title: "Contacts",
  table: "contacts",
  knownBy: "id",
  fields: {
    salutation: text({ tr: "Hitap", en: "Form of address" }, { longest, ...optional, ...more }),
    name: text({ tr: "Ad", en: "Name" }, { longest, required: true, under: ofPerson }),
    surname: text({ tr: "Soyad", en: "Surname" }, { longest, under: ofPerson }),
    tckn: text({ tr: "TC kimlik no", en: "National ID number" }, { longest, ...optional, ...more }),
    description: area({ tr: "Açıklama", en: "Description" }, { longest: 1_000, ...optional, ...more }),
    phone: text({ tr: "Telefon", en: "Phone" }, { longest: 32, required: true, under: ofPerson }),
    phone1: text({ tr: "İkinci telefon", en: "Second phone" }, { longest: 32, ...optional, under: ofPerson }),
    email: email({ tr: "E-posta", en: "E-mail address" }, { ...optional, under: ofPerson }),
    title: text({ tr: "Unvan", en: "Title" }, { longest, ...optional, under: ofPerson }),
    phone2: text({ tr: "Üçüncü telefon", en: "Third phone" }, { longest: 32, ...optional, ...more }),
    fax: text({ tr: "Faks", en: "Fax" }, { longest: 32, ...optional, ...more }),
    gender: choice(
      { tr: "Cinsiyet", en: "Gender" },
      { among: { m: { tr: "Erkek", en: "Male" }, f: { tr: "Kadın", en: "Female" } }, ...optional, ...more },
    ),
    birthday: day({ tr: "Doğum günü", en: "Birthday" }, { ...optional, under: ofDays }),
    birthday_sms: yesOrNo({ tr: "Doğum gününde SMS", en: "SMS on the birthday" }, { default: false, under: ofDays }),
    weddingday: day({ tr: "Evlilik yıl dönümü", en: "Wedding day" }, { ...optional, ...more }),
    weddingday_sms: yesOrNo(
      { tr: "Evlilik yıl dönümünde SMS", en: "SMS on the wedding day" },
      { default: false, ...more },
    ),
    address: area({ tr: "Adres", en: "Address" }, { longest: 1_000, ...optional, under: ofNotes }),
    note1: area({ tr: "Not", en: "Note" }, { longest: 1_000, ...optional, under: ofNotes }),
    note2: area({ tr: "Not 2", en: "Note 2" }, { longest: 1_000, ...optional, ...more }),
    note3: area({ tr: "Not 3", en: "Note 3" }, { longest: 1_000, ...optional, ...more }),
    note4: area({ tr: "Not 4", en: "Note 4" }, { longest: 1_000, ...optional, ...more }),
    company_name: text({ tr: "Şirket", en: "Company" }, { longest, ...optional, under: ofPerson }),
    monthly_sms_day: whole(
      { tr: "Aylık SMS günü", en: "Day of the monthly message" },
      { least: 1, most: 31, ...optional, ...more },
    ),
    monthly_sms_message: area(
      { tr: "Aylık SMS metni", en: "Text of the monthly message" },
      { longest: 1_000, ...optional, ...more },
    ),
  },
});
