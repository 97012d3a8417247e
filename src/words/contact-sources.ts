// What goes wrong with a source of contacts, and with its people one by one, in the languages of people.

import type { SourceFailureKind } from "../contacts/failure.ts";
import type { Both, Language } from "../languages.ts";
import type { ForeignFault } from "../store/contact-pages.ts";

const failures: Record<SourceFailureKind, Both> = {
  "bad-url": { tr: "Bu adres çağrılamaz", en: "This address cannot be called" },
  "not-public": {
    tr: "Adres herkese açık ağda değil (SANTRAL_PRIVATE_WEBHOOKS ile izin verilir)",
    en: "The address is not on the public network (SANTRAL_PRIVATE_WEBHOOKS allows it)",
  },
  late: { tr: "Sunucu zamanında bitirmedi", en: "The server took too long" },
  "too-long": { tr: "Yanıt çok büyük", en: "The answer is too large" },
  unreachable: { tr: "Sunucuya ulaşılamadı", en: "The server could not be reached" },
  "redirected-too-often": { tr: "Çok fazla yönlendirme", en: "Redirected too often" },
  "login-refused": { tr: "Kullanıcı adı veya parola kabul edilmedi", en: "The user name or password was refused" },
  "not-there": { tr: "Bu adreste bir şey yok", en: "There is nothing at this address" },
  "bad-answer": { tr: "Sunucunun yanıtı anlaşılmadı", en: "The server's answer could not be understood" },
  "no-address-book": { tr: "Adres defteri bulunamadı", en: "No address book was found" },
  "several-address-books": {
    tr: "Birden çok adres defteri var, birini seçin",
    en: "There are several address books: choose one",
  },
  "no-table": { tr: "Dosya CSV, JSON veya vCard değil", en: "The file is neither CSV nor JSON nor vCards" },
  "no-phone-column": { tr: "Telefon sütunu bulunamadı; sütunlar", en: "No column of phone numbers was found; columns" },
  "cut-off": { tr: "Dosya yarım geldi", en: "Only a part of it came" },
  "too-many": { tr: "Çok fazla kayıt", en: "Too many entries" },
  "password-unreadable": { tr: "Parola açılamıyor, yeniden girin", en: "The password cannot be opened: set it again" },
  "bad-columns": {
    tr: "Sütunlar alan:sütun biçiminde olmalı",
    en: "Columns are written as field:column",
  },
  broken: { tr: "Beklenmeyen bir hata", en: "An unexpected mistake of ours" },
};

const faults: Record<ForeignFault["why"], Both> = {
  "no-phone": { tr: "Numarası yok", en: "No number" },
  "bad-phone": { tr: "Numara geçersiz", en: "Not a number" },
  "no-name": { tr: "Adı yok", en: "No name" },
  twice: { tr: "Kaynakta iki kez", en: "Twice in the source" },
  "a-group": { tr: "Kişi değil, grup", en: "A group and not a person" },
  unreadable: { tr: "Okunamıyor", en: "Cannot be read" },
};

/** What more is known of it, such as a status or the columns there are, stands behind. */
export function sourceFailureInWords(kind: string, about: string | null, language: Language): string {
  const known = Object.hasOwn(failures, kind) ? failures[kind as SourceFailureKind][language] : kind;
  return about ? `${known}: ${about}` : known;
}

export function sourceFaultInWords(why: string, language: Language): string {
  return Object.hasOwn(faults, why) ? faults[why as ForeignFault["why"]][language] : why;
}
