// What may be set of how a trunk tells, and is believed, who calls.

import { area, choice, yesOrNo } from "./kinds.ts";

const ofCaller = { tr: "Arayanın kimliği", en: "Who calls", open: true } as const;

export const identityFields = {
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
      under: ofCaller,
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
      under: ofCaller,
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
      under: ofCaller,
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
      under: ofCaller,
    },
  ),
  tells_connected: yesOrNo(
    { tr: "Aktarımdan sonra yeni kimliği bildir", en: "Tell it who is on the line after a transfer" },
    {
      default: false,
      about: {
        tr: "UPDATE ya da yeni INVITE içinde, kimlik başlığında",
        en: "In the header of identity, by UPDATE or another INVITE",
      },
      under: ofCaller,
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
      under: ofCaller,
    },
  ),
  attestation_certificates: area(
    { tr: "İmza sertifikaları (PEM)", en: "Certificates of signers (PEM)" },
    {
      longest: 100_000,
      default: "",
      about: { tr: "Bunlardan birinin imzası geçerlidir", en: "A signature of one of these holds" },
      under: ofCaller,
    },
  ),
} as const;
