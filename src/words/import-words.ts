// What goes wrong with a file that is imported, and with its rows one by one, in the languages of people.

import type { ImportField } from "../imports/columns.ts";
import type { ImportRefusal, RowWhy, SmsCode } from "../imports/importing.ts";
import type { FileFailure } from "../imports/table-rows.ts";
import type { Both, Language } from "../languages.ts";
import { contact } from "../nouns/contact.ts";
import { smsCodes } from "./terms.ts";

type OwnWhy = Exclude<RowWhy, SmsCode>;

const faults: Record<OwnWhy, Both> = {
  "no-phone": { tr: "Numarası yok", en: "No number" },
  "bad-phone": { tr: "Numara geçersiz", en: "Not a number" },
  "no-name": { tr: "Adı yok", en: "No name" },
  "bad-value": { tr: "Bu değer alanına uymuyor", en: "This value does not fit its field" },
  twice: { tr: "Dosyada ikinci kez", en: "For the second time in the file" },
  known: { tr: "Rehberde zaten var", en: "In the contacts already" },
  "no-text": { tr: "Metni yok", en: "No text" },
  "bad-language": { tr: "Bu dil konuşulmuyor", en: "This language is not spoken" },
  "too-long": { tr: "Çok uzun", en: "Too long" },
  "no-such-sound": { tr: "Böyle bir anons yok", en: "There is no such announcement" },
};

type Failure = FileFailure | ImportRefusal["refused"] | "broken";

const failures: Record<Failure, Both> = {
  unreadable: { tr: "Dosya okunamadı", en: "The file cannot be read" },
  "too-large": { tr: "Dosya açılınca çok büyük", en: "The file is too large when unpacked" },
  empty: { tr: "Dosyada satır yok", en: "The file has no rows" },
  "cut-off": {
    tr: "Kapanmayan bir tırnak var; ondan sonrası okunamadı",
    en: "A quotation mark is never closed; what follows it could not be read",
  },
  "too-many": { tr: "Dosyada çok fazla satır var", en: "The file has too many rows" },
  "external-contacts": { tr: "Rehber dış kaynaktan yönetiliyor", en: "Contacts are managed by an outside integration" },
  "no-sms-account": { tr: "Bu santralin SMS hesabı yok", en: "This exchange has no SMS account" },
  "not-found": { tr: "Kampanya artık yok", en: "The campaign is gone" },
  sms: { tr: "Mesajlar alınmadı", en: "The messages were not taken" },
  broken: { tr: "Beklenmeyen bir hata", en: "An unexpected mistake of ours" },
};

const fields: Record<Exclude<ImportField, keyof typeof contact.fields>, Both> = {
  group: { tr: "Grup", en: "Group" },
  text: { tr: "Mesaj metni", en: "Text of the message" },
  recipient: { tr: "Alıcı (numara ya da e-posta)", en: "Recipient (number or e-mail address)" },
  type: { tr: "İzin türü", en: "Kind of consent" },
  status: { tr: "İzin durumu", en: "Consent" },
  recipientType: { tr: "Alıcı türü", en: "Kind of recipient" },
  source: { tr: "İzin kaynağı", en: "Source of the consent" },
  date: { tr: "İzin tarihi", en: "Date of the consent" },
  phrase: { tr: "Okunacak cümle", en: "Sentence to be said" },
  language: { tr: "Dil", en: "Language" },
};

export function rowFaultInWords(why: string, language: Language): string {
  if (Object.hasOwn(faults, why)) return faults[why as OwnWhy][language];
  return Object.hasOwn(smsCodes, why) ? smsCodes[why as SmsCode][language] : why;
}

export function importFailureInWords(failure: string, about: string | null, language: Language): string {
  if (about && Object.hasOwn(smsCodes, about)) return smsCodes[about as SmsCode][language];
  return Object.hasOwn(failures, failure) ? failures[failure as Failure][language] : failure;
}

export function importFieldInWords(field: string, language: Language): string {
  if (Object.hasOwn(fields, field)) return fields[field as keyof typeof fields][language];
  return Object.hasOwn(contact.fields, field)
    ? contact.fields[field as keyof typeof contact.fields].label[language]
    : field;
}

/** The two columns that stand before those of the file when rows that were left out are fetched. */
export const faultColumns: Record<"row" | "why", Both> = {
  row: { tr: "Satır", en: "Row" },
  why: { tr: "Neden", en: "Why" },
};
