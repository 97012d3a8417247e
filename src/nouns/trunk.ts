// What may be set of a trunk, a line to a carrier.

import { codecNames, lawNames } from "../codecs/codec.ts";
import { keyForms, srtpUses } from "./choices.ts";
import { noun } from "./field.ts";
import { addresses, choice, digits, host, secret, several, text, whole, yesOrNo } from "./kinds.ts";
import { identityFields } from "./trunk-identity.ts";

const ofCarrier = { tr: "Operatör", en: "Carrier", open: true } as const;
const ofCalls = { tr: "Çağrılar", en: "Calls", open: true } as const;
const ofVoice = { tr: "Ses, tuşlar ve faks", en: "Voice, keys and faxes", open: true } as const;
const ofIdentity = { tr: "Operatöre görünüş", en: "Who we are to the carrier" };
const ofWay = { tr: "Yol", en: "The way to it" };
const ofFailover = { tr: "Yedek hat", en: "When it fails" };
const ofDigits = { tr: "Numara düzeni", en: "Digits" };

/** What a trunk itself may say to an INVITE. A person's own no, such as 486 or 603, never rings elsewhere. */
const answersOfTrunks = [
  ...([
    "401",
    "402",
    "403",
    "404",
    "405",
    "406",
    "407",
    "408",
    "410",
    "413",
    "415",
    "416",
    "420",
    "421",
    "429",
  ] as const),
  ...([
    "480",
    "482",
    "483",
    "484",
    "485",
    "488",
    "493",
    "500",
    "501",
    "502",
    "503",
    "504",
    "505",
    "513",
    "580",
  ] as const),
  ...(["5xx", "604", "606"] as const),
] as const;

export const trunk = noun({
  title: "Trunks",
  command: "santral trunk set",
  table: "trunks",
  knownBy: "name",
  fields: {
    host: host({ tr: "Sunucu", en: "Host" }, { required: true, under: ofCarrier }),
    port: whole({ tr: "Port", en: "Port" }, { least: 1, most: 65_535, default: 5060, under: ofCarrier }),
    transport: choice(
      { tr: "Taşıma", en: "Transport" },
      {
        among: { auto: { tr: "DNS'in dediği", en: "As DNS says" }, udp: "UDP", tcp: "TCP", tls: "TLS" },
        default: "udp",
        under: ofCarrier,
      },
    ),
    username: text({ tr: "Kullanıcı adı", en: "User name" }, { orNothing: true, under: ofCarrier }),
    password: secret(
      { tr: "Parola", en: "Password" },
      {
        orNothing: true,
        about: { tr: "Mühürlenir; değiştirmek için yazın", en: "Sealed when it is kept; type to change it" },
        under: ofCarrier,
      },
    ),
    registers: yesOrNo({ tr: "Sunucuya kayıt ol", en: "Register there" }, { default: false, under: ofCarrier }),
    source_addresses: addresses(
      { tr: "Gelen çağrı adresleri", en: "Calls may come from" },
      {
        default: [],
        about: { tr: "Örneğin 192.0.2.10 veya 198.51.100.0/24", en: "Such as 192.0.2.10 or 198.51.100.0/24" },
        under: ofCarrier,
      },
    ),
    caller_id_form: choice(
      { tr: "Numara biçimi", en: "Form of numbers" },
      { among: { e164: "90532…", plus: "+90532…", national: "0532…" }, default: "e164", under: ofCalls },
    ),
    ...identityFields,
    codecs: several(
      { tr: "Kodekler (sırayla)", en: "Codecs, in order" },
      { among: codecNames, default: lawNames, under: ofVoice },
    ),
    channel_limit: whole(
      { tr: "Kanal sınırı", en: "Channels" },
      {
        least: 1,
        most: 100_000,
        orNothing: true,
        about: { tr: "Aynı anda çağrı; boşsa sınırsız", en: "Calls at once; empty: no limit" },
        under: ofCalls,
      },
    ),
    priority: whole(
      { tr: "Öncelik (küçük önce)", en: "Priority (lowest first)" },
      { least: 0, most: 1_000, default: 10, under: ofCalls },
    ),
    health_check: yesOrNo(
      { tr: "Ayakta mı diye sor (OPTIONS)", en: "Ask by OPTIONS whether it is there" },
      { default: true, under: ofCarrier },
    ),
    t38: yesOrNo(
      { tr: "Fakslarda T.38 kullan", en: "Use T.38 for faxes" },
      { default: true, about: { tr: "Yoksa ses olarak gider", en: "Otherwise they go as sound" }, under: ofVoice },
    ),
    auth_user: text(
      { tr: "Kimlik doğrulama adı", en: "Name to log in with" },
      {
        orNothing: true,
        under: ofIdentity,
        about: { tr: "Kullanıcı adından farklıysa", en: "Where it is not the user name" },
      },
    ),
    from_user: text(
      { tr: "From kullanıcısı", en: "User in From" },
      {
        orNothing: true,
        under: ofIdentity,
        about: {
          tr: "Boşsa arayan numara; doluysa numara kimlik başlığında gider",
          en: "Empty: the caller's number; otherwise that goes in the identity header",
        },
      },
    ),
    from_domain: host(
      { tr: "From alan adı", en: "Domain in From" },
      { orNothing: true, under: ofIdentity, about: { tr: "Boşsa sunucu", en: "Empty: the host" } },
    ),
    sends_name: yesOrNo(
      { tr: "Arayan adını gönder", en: "Send the caller's name" },
      {
        default: false,
        under: ofIdentity,
        about: {
          tr: "UTF-8 adları bazı operatörler reddeder",
          en: "Some carriers refuse names that are not plain ASCII",
        },
      },
    ),
    outbound_proxy: host(
      { tr: "Giden vekil sunucu", en: "Outbound proxy" },
      {
        port: true,
        orNothing: true,
        under: ofWay,
        about: {
          tr: "Ad veya ad:port; her şey oraya gider (Route)",
          en: "Name or name:port; everything goes there (Route)",
        },
      },
    ),
    tls_verify: yesOrNo(
      { tr: "TLS sertifikasını doğrula", en: "Check the TLS certificate" },
      { default: true, under: ofWay },
    ),
    tls_name: host(
      { tr: "Sertifikadaki ad", en: "Name in the certificate" },
      {
        orNothing: true,
        under: ofWay,
        about: { tr: "Sunucu adından farklıysa", en: "Where it is not that of the server" },
      },
    ),
    tls_ca: text(
      { tr: "Sertifika otoritesi dosyası", en: "File of the certificate authority" },
      {
        orNothing: true,
        only: "command",
        under: ofWay,
        about: { tr: "PEM; boşsa sisteminkiler", en: "PEM; empty: those of the system" },
      },
    ),
    media_networks: addresses(
      { tr: "Sesin gidebileceği başka ağlar", en: "Networks of its voice" },
      {
        default: [],
        about: {
          tr: "SIP adreslerinden başka yerdeyse, örneğin 198.51.100.0/24",
          en: "Where it is elsewhere than its SIP, such as 198.51.100.0/24",
        },
        under: ofWay,
      },
    ),
    comedia: choice(
      { tr: "Sesin geldiği adres", en: "Where voice comes from" },
      {
        among: {
          never: { tr: "Yalnız SDP'nin dediği yer", en: "Only where its SDP says" },
          near: { tr: "Oradan başka port veya NAT", en: "Another port there, or a NAT" },
          any: { tr: "İlk konuşan (comedia)", en: "Whoever speaks first (comedia)" },
        },
        default: "near",
        under: ofWay,
      },
    ),
    silent_seconds: whole(
      { tr: "Sessiz hatta bekleme (saniye)", en: "Wait for a silent trunk (seconds)" },
      {
        least: 1,
        most: 32,
        default: 4,
        under: ofFailover,
        about: { tr: "Sonra sıradaki hat; başka yoksa 32", en: "Then the next one; 32 where there is none" },
      },
    ),
    progress_seconds: whole(
      { tr: "Çalmayan çağrıda bekleme (saniye, 0: sınırsız)", en: "Wait until it rings (seconds, 0: no limit)" },
      {
        least: 3,
        most: 120,
        orZero: true,
        default: 15,
        under: ofFailover,
        about: {
          tr: "Yalnız 100 diyen hat; sonra sıradaki, başka yoksa beklenir",
          en: "Where it only says 100; then the next one, if there is one",
        },
      },
    ),
    next_on: several(
      { tr: "Sıradaki hattın deneneceği yanıtlar", en: "Answers that try the next trunk" },
      { among: answersOfTrunks, default: ["401", "407", "408", "5xx"], under: ofFailover },
    ),
    outward_strip: whole(
      { tr: "Aranandan çıkarılan hane", en: "Digits taken off what is dialled" },
      { least: 0, most: 20, default: 0, under: ofDigits },
    ),
    outward_prefix: digits(
      { tr: "Aranana eklenen", en: "Put before what is dialled" },
      { most: 16, orNothing: true, under: ofDigits },
    ),
    inward_strip: whole(
      { tr: "Gelen numaradan çıkarılan hane", en: "Digits taken off the number called" },
      { least: 0, most: 20, default: 0, under: ofDigits },
    ),
    inward_prefix: digits(
      { tr: "Gelen numaraya eklenen", en: "Put before the number called" },
      { most: 16, orNothing: true, under: ofDigits },
    ),
    srtp: choice(
      { tr: "Ses şifreleme (SRTP)", en: "Encryption of voice (SRTP)" },
      { among: srtpUses, default: "answered", under: ofVoice },
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
        under: ofVoice,
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
        under: ofVoice,
      },
    ),
    active: yesOrNo({ tr: "Etkin", en: "Active" }, { default: true, under: ofCarrier }),
  },
});
