// What may be set of an SMS account.

import { noun } from "./field.ts";
import { addresses, choice, url, words, yesOrNo } from "./kinds.ts";

export const smsAccount = noun({
  title: "SMS accounts",
  command: "santral sms account set",
  table: "sms_accounts",
  knownBy: "id",
  fields: {
    international: yesOrNo({ tr: "Yurt dışına gönderim", en: "International messages" }, { default: false }),
    allowedAddresses: addresses(
      { tr: "İzinli adresler", en: "Allowed addresses" },
      {
        default: [],
        column: "allowed_addresses",
        about: {
          tr: "SMS arayüzü yalnızca bu adreslerden kullanılır",
          en: "The SMS interface answers only these addresses",
        },
      },
    ),
    pushUrl: url({ tr: "Rapor adresi", en: "Report URL" }, { orNothing: true, column: "push_url" }),
    consentPushUrl: url(
      { tr: "İzin raporu adresi", en: "Consent report URL" },
      { orNothing: true, column: "consent_push_url" },
    ),
    optOutMissing: choice(
      { tr: "Ret yönergesi olmayan ticari mesaj", en: "Commercial messages without an opt-out line" },
      {
        among: {
          off: { tr: "Gönder ve işaretle", en: "Sent, and marked" },
          append: { tr: "Ret satırını ekle", en: "The title's line is appended" },
          refuse: { tr: "Reddet", en: "Refused" },
        },
        default: "off",
        column: "opt_out_missing",
        about: {
          tr: "Özel gün mesajları da sayılır; eklemek için başlığın ret numarası gerekir",
          en: "Special-day messages count as well; to append it the title needs an opt-out number",
        },
      },
    ),
    bannedWords: words(
      { tr: "Yasaklı sözcükler", en: "Words no message may hold" },
      { default: [], column: "banned_words", only: "command" },
    ),
    refuseRepeats: yesOrNo(
      { tr: "Bir gün içinde yinelenen isteği reddet", en: "Refuse a request that was sent within a day" },
      { default: false, column: "refuse_repeats", only: "command" },
    ),
    registryStanding: choice(
      { tr: "İYS durumu", en: "What the consent registry says of us" },
      {
        among: {
          authorised: { tr: "Yetkili", en: "Authorised" },
          unauthorised: { tr: "Yetkisiz", en: "Not authorised" },
          "no-brand": { tr: "Marka yok", en: "No brand" },
        },
        default: "authorised",
        column: "registry_standing",
        only: "command",
      },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true, only: "command" }),
  },
});
