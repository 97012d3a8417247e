// What may be set of a trunk, a line to a carrier.

import { codecNames, lawNames } from "../codecs/codec.ts";
import { noun } from "./field.ts";
import { addresses, area, choice, host, secret, several, text, whole, yesOrNo } from "./kinds.ts";

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
    identity: choice(
      { tr: "Arayan kimliği başlığı", en: "Header of identity" },
      {
        among: {
          pai: "P-Asserted-Identity",
          ppi: "P-Preferred-Identity",
          rpid: "Remote-Party-ID",
          none: { tr: "Yalnız From", en: "From alone" },
        },
        default: "pai",
        about: {
          tr: "Gizli numarada operatör arayanı yine buradan bilir",
          en: "By this the carrier knows who calls, withheld or not",
        },
      },
    ),
    trusted: yesOrNo(
      { tr: "Bildirdiği kimliğe güven", en: "Believe the identity it asserts" },
      {
        default: true,
        about: {
          tr: "Yoksa yalnız From okunur; kimlik de bildirilmez",
          en: "Otherwise only From is read, and it is told no asserted identity either",
        },
      },
    ),
    diversion: choice(
      { tr: "Yönlendirme bilgisi", en: "Tell of forwarding by" },
      {
        among: {
          none: { tr: "Bildirilmez", en: "Nothing" },
          diversion: "Diversion",
          "history-info": "History-Info",
          both: { tr: "İkisi de", en: "Both" },
        },
        default: "diversion",
      },
    ),
    forwarded_caller: choice(
      { tr: "Yönlendirilen çağrıda görünen", en: "Shown on forwarded calls" },
      {
        among: {
          own: { tr: "Kendi numaramız", en: "A number of ours" },
          original: { tr: "Asıl arayan", en: "The original caller" },
        },
        default: "own",
        about: {
          tr: "Asıl arayan, yalnız operatör izin veriyorsa",
          en: "The original caller only where the carrier allows it",
        },
      },
    ),
    attestation: choice(
      { tr: "İmzalı kimlik (STIR)", en: "Signed identity (STIR)" },
      {
        among: {
          ignored: { tr: "Bakılmaz", en: "Not looked at" },
          verified: { tr: "Doğrulanır", en: "Verified" },
          required: { tr: "Doğrulanmayan çağrı reddedilir", en: "Required: other calls are refused" },
        },
        default: "ignored",
      },
    ),
    attestation_certificates: area(
      { tr: "İmza sertifikaları (PEM)", en: "Certificates of signers (PEM)" },
      {
        longest: 100_000,
        default: "",
        about: { tr: "Bunlardan birinin imzası geçerlidir", en: "A signature of one of these holds" },
      },
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
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true }),
  },
});
