// Why a letter with a report has not gone out, in words.

import type { Both, Language } from "../languages.ts";
import type { MailFailure } from "../store/report-plans.ts";

const failures: Record<MailFailure, Both<(about: string) => string>> = {
  "no-mail-server": { tr: () => "Posta sunucusu ayarlı değil", en: () => "No mail server is set" },
  "mail-server": {
    tr: (about) => `Posta sunucusuna verilemedi: ${about}`,
    en: (about) => `The mail server could not be reached or could not take it: ${about}`,
  },
  refused: {
    tr: (about) => `Posta sunucusu kabul etmedi: ${about}`,
    en: (about) => `The mail server refused it: ${about}`,
  },
  "no-right": {
    tr: () => "Oluşturanın hesabı kapalı ya da rapor gönderme yetkisi yok",
    en: () => "Whoever made it has no account any more that may send reports",
  },
  paused: { tr: () => "Gönderim duraklatıldı", en: () => "It was paused" },
};

export function mailFailureInWords(failure: MailFailure, about: string | null, language: Language): string {
  return failures[failure][language](about ?? "");
}
