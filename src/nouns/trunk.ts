// What may be set of a trunk, a line to a carrier.

import { codecNames, lawNames } from "../codecs/codec.ts";
import { keyForms, srtpUses } from "./choices.ts";
import { noun } from "./field.ts";
import { addresses, choice, host, secret, several, text, whole, yesOrNo } from "./kinds.ts";

export const trunk = noun({
  title: "Trunks",
  command: "santral trunk set",
  table: "trunks",
  knownBy: "name",
  fields: {
    host: host({ tr: "Sunucu", en: "Host" }, { required: true }),
    port: whole({ tr: "Port", en: "Port" }, { least: 1, most: 65_535, default: 5060 }),
    transport: choice(
      { tr: "Taşıma", en: "Transport" },
      { among: { udp: "UDP", tcp: "TCP", tls: "TLS" }, default: "udp" },
    ),
    username: text({ tr: "Kullanıcı adı", en: "User name" }, { orNothing: true }),
    password: secret(
      { tr: "Parola", en: "Password" },
      {
        orNothing: true,
        about: { tr: "Mühürlenir; değiştirmek için yazın", en: "Sealed when it is kept; type to change it" },
      },
    ),
    registers: yesOrNo({ tr: "Sunucuya kayıt ol", en: "Register there" }, { default: false }),
    source_addresses: addresses(
      { tr: "Gelen çağrı adresleri", en: "Calls may come from" },
      {
        default: [],
        about: { tr: "Örneğin 192.0.2.10 veya 198.51.100.0/24", en: "Such as 192.0.2.10 or 198.51.100.0/24" },
      },
    ),
    caller_id_form: choice(
      { tr: "Numara biçimi", en: "Form of numbers" },
      { among: { e164: "90532…", plus: "+90532…", national: "0532…" }, default: "e164" },
    ),
    codecs: several({ tr: "Kodekler (sırayla)", en: "Codecs, in order" }, { among: codecNames, default: lawNames }),
    channel_limit: whole(
      { tr: "Kanal sınırı", en: "Channels" },
      {
        least: 1,
        most: 100_000,
        orNothing: true,
        about: { tr: "Aynı anda çağrı; boşsa sınırsız", en: "Calls at once; empty: no limit" },
      },
    ),
    priority: whole(
      { tr: "Öncelik (küçük önce)", en: "Priority (lowest first)" },
      { least: 0, most: 1_000, default: 10 },
    ),
    health_check: yesOrNo(
      { tr: "Ayakta mı diye sor (OPTIONS)", en: "Ask by OPTIONS whether it is there" },
      { default: true },
    ),
    t38: yesOrNo(
      { tr: "Fakslarda T.38 kullan", en: "Use T.38 for faxes" },
      { default: true, about: { tr: "Yoksa ses olarak gider", en: "Otherwise they go as sound" } },
    ),
    srtp: choice(
      { tr: "Ses şifreleme (SRTP)", en: "Encryption of voice (SRTP)" },
      { among: srtpUses, default: "answered" },
    ),
    dtmf: choice(
      { tr: "Tuşlar nasıl gönderilir", en: "How keys are sent" },
      {
        among: keyForms,
        default: "auto",
        about: {
          tr: "Kendiliğinden: RFC 4733, yoksa INFO, o da yoksa ses",
          en: "By itself: RFC 4733, else INFO, else tones",
        },
      },
    ),
    hears_inband: yesOrNo(
      { tr: "Ses olarak gelen tuşları da dinle", en: "Listen for keys sent as tones, too" },
      {
        default: false,
        about: {
          tr: "RFC 4733 anlaşılmış olsa da",
          en: "Even though RFC 4733 was agreed on",
        },
      },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true }),
  },
});
