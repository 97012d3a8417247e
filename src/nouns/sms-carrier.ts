// What may be set of a carrier that takes messages away.

import { noun } from "./field.ts";
import { choice, host, secret, text, whole, words, yesOrNo } from "./kinds.ts";

export const smsCarrier = noun({
  title: "SMS carriers",
  command: "santral sms carrier create",
  table: "sms_carriers",
  knownBy: "id",
  fields: {
    host: host({ tr: "Sunucu", en: "Host" }, { orNothing: true, only: "command" }),
    port: whole({ tr: "Port", en: "Port" }, { least: 1, most: 65_535, orNothing: true, only: "command" }),
    systemId: text(
      { tr: "Sistem kimliği", en: "System ID" },
      { orNothing: true, column: "system_id", only: "command" },
    ),
    tls: yesOrNo({ tr: "TLS", en: "TLS" }, { default: false, only: "command" }),
    tlsVerify: yesOrNo(
      { tr: "Sertifika geçerli olmalı", en: "Its certificate must be good" },
      { default: true, column: "tls_verify", only: "command" },
    ),
    password: secret(
      { tr: "Parola", en: "Password; sealed, and opened when we log in at the carrier" },
      { orNothing: true, only: "command" },
    ),
    systemType: text(
      { tr: "Sistem türü", en: "System type, as the carrier wants it" },
      { default: "", column: "system_type", only: "command" },
    ),
    window: whole(
      { tr: "Aynı anda yanıtsız mesaj", en: "Messages unanswered at once" },
      { least: 1, most: 1_000, default: 20, column: "send_window", only: "command" },
    ),
    messagesPerSecond: whole(
      { tr: "Saniyede mesaj", en: "How fast it takes them" },
      { least: 1, most: 100_000, orNothing: true, column: "messages_per_second", only: "command" },
    ),
    longMessages: choice(
      { tr: "Uzun mesajlar", en: "How long messages go" },
      {
        among: { udh: "UDH", sar: "SAR", payload: "message_payload" },
        default: "udh",
        column: "long_messages",
        only: "command",
      },
    ),
    nationalTables: yesOrNo(
      { tr: "Türkçe tabloları iletir", en: "It passes the Turkish tables on" },
      { default: true, column: "national_tables", only: "command" },
    ),
    receipts: yesOrNo({ tr: "Teslimi bildirir", en: "It reports delivery" }, { default: true, only: "command" }),
    unmarkedReceipts: yesOrNo(
      { tr: "Teslim raporlarını işaretlemez", en: "It does not mark its receipts; handsets can then make them up" },
      { default: false, column: "unmarked_receipts", only: "command" },
    ),
    whenUncertain: choice(
      { tr: "Yanıtı kesilirse", en: "When its answer was cut off" },
      {
        among: { resend: { tr: "Yeniden gönder", en: "Send again" }, keep: { tr: "Beklet", en: "Keep" } },
        default: "resend",
        column: "when_uncertain",
        only: "command",
      },
    ),
    prefixes: words(
      { tr: "Hizmet verdiği ülkeler", en: "Destinations it serves, such as 90,49; without any, all" },
      { default: [], only: "command" },
    ),
    priority: whole(
      { tr: "Öncelik (küçük önce)", en: "Priority (lowest first)" },
      { least: 0, most: 1_000, default: 10, only: "command" },
    ),
  },
});
