// The consent registry's own codes, with what they mean.

import type { ConsentSource, ConsentStatus, ConsentType } from "../../src/sms/consent.ts";
import type { Both, Language } from "./language.tsx";

export const consentTypes: Record<ConsentType, Both> = {
  MESAJ: { tr: "Mesaj", en: "Message" },
  ARAMA: { tr: "Arama", en: "Call" },
  EPOSTA: { tr: "E-posta", en: "E-mail" },
};

export const consentStatuses: Record<ConsentStatus, Both> = {
  ONAY: { tr: "Onay", en: "Given" },
  RET: { tr: "Ret", en: "Refused" },
};

export const consentSources: Record<ConsentSource, Both> = {
  HS_FIZIKSEL_ORTAM: { tr: "Fiziksel ortam", en: "On paper or in person" },
  HS_ISLAK_IMZA: { tr: "Islak imza", en: "Signature by hand" },
  HS_WEB: { tr: "Web sitesi", en: "Website" },
  HS_CAGRI_MERKEZI: { tr: "Çağrı merkezi", en: "Call centre" },
  HS_SOSYAL_MEDYA: { tr: "Sosyal medya", en: "Social media" },
  HS_EPOSTA: { tr: "E-posta", en: "E-mail" },
  HS_MESAJ: { tr: "Mesaj", en: "Message" },
  HS_MOBIL: { tr: "Mobil uygulama", en: "Mobile app" },
  HS_EORTAM: { tr: "Elektronik ortam", en: "Electronic means" },
  HS_ETKINLIK: { tr: "Etkinlik", en: "Event" },
  HS_2015: { tr: "1 Mayıs 2015 öncesi", en: "Before 1 May 2015" },
  HS_ATM: { tr: "ATM", en: "Cash machine" },
  HS_KARAR: { tr: "Mahkeme kararı", en: "Court decision" },
  HS_CAGRI: { tr: "Çağrı", en: "Call" },
  HS_BAYI: { tr: "Bayi", en: "Dealer" },
  HS_MAGAZA: { tr: "Mağaza", en: "Shop" },
  HS_ETICARET: { tr: "E-ticaret", en: "Online shop" },
};

/** For a choice: the code, and the words with the code behind them, as forms of the registry have it. */
export function consentChoices(words: Record<string, Both>, language: Language): [code: string, shown: string][] {
  return Object.entries(words).map(([code, both]) => [code, `${both[language]} (${code})`]);
}

/** A code as it was stored; one that nobody knows any more stands for itself. */
export function consentInWords(words: Record<string, Both>, code: string, language: Language): string {
  return words[code]?.[language] ?? code;
}
