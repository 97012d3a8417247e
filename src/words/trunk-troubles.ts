// What is wrong with a trunk, for people. What the carrier said itself is shown as it is.

import type { Trouble } from "../exchange/signalling/trunks/troubles.ts";
import type { Language } from "../languages.ts";

const words: Record<Trouble, Record<Language, string>> = {
  timeout: { tr: "cevap vermiyor", en: "it does not answer" },
  unreachable: { tr: "ulaşılamıyor", en: "it cannot be reached" },
  refused: { tr: "bağlantıyı reddediyor", en: "it refuses the connection" },
  "no-address": { tr: "adı bir adrese götürmüyor", en: "its name leads to no address" },
  "no-door": {
    tr: "santral bu taşımayı veya adres ailesini konuşmuyor (TLS için SANTRAL_SIP_TLS)",
    en: "the exchange does not speak that transport or family of addresses (for TLS: SANTRAL_SIP_TLS)",
  },
  certificate: { tr: "sertifikası geçersiz", en: "its certificate is not valid" },
  "certificate-expired": {
    tr: "sertifikasının süresi dolmuş veya başlamamış",
    en: "its certificate has expired, or is not valid yet",
  },
  "certificate-name": { tr: "sertifikası başka bir ada ait", en: "its certificate is for another name" },
  "certificate-untrusted": { tr: "sertifikasına güvenilmiyor", en: "its certificate is signed by nobody we trust" },
  "certificate-file": { tr: "otorite dosyası okunamıyor", en: "its file of the certificate authority cannot be read" },
  "password-lost": { tr: "parolası açılamıyor", en: "its password cannot be opened" },
};

export function troubleInWords(trouble: string, language: Language): string {
  return Object.hasOwn(words, trouble) ? words[trouble as Trouble][language] : trouble; // just looked for
}
