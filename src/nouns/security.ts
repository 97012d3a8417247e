// What may be set of an exchange about how people and phones prove who they are.

import { choice, yesOrNo } from "./kinds.ts";

const ofSecurity = { tr: "Güvenlik", en: "Security" };

/** By which digests phones log in. */
export type SipDigests = "any" | "sha-256";

export const securityFields = {
  sip_digests: choice(
    { tr: "Telefonlar hangi özetle oturum açar", en: "Phones log in by" },
    {
      among: {
        any: { tr: "SHA-256, bilmeyen MD5", en: "SHA-256, or MD5 if they know no better" },
        "sha-256": { tr: "Yalnızca SHA-256", en: "SHA-256 alone" },
      },
      default: "any",
      under: ofSecurity,
      about: {
        tr: "Yalnızca SHA-256 seçilirse MD5 kullanan telefon giremez (dahililer sayfası gösterir), MD5'e dönüş izni de geçmez; acil aramalar yine alınır",
        en: "By SHA-256 alone a phone that answers by MD5 is let in no more (the page of extensions shows which), whatever may go back to MD5; emergency calls are taken all the same",
      },
    },
  ),
  proof_within_calls: yesOrNo(
    {
      tr: "Telefon görüşmeyi ya da sesini başka yere yöneltirken parola sorulur",
      en: "Phones prove themselves before they send a call or its voice elsewhere",
    },
    {
      default: true,
      under: ofSecurity,
      about: {
        tr: "UDP konuşan telefonlara aktarma ve ses adresi değişikliğinde; görüşme içinde parola sorusunu yanıtlamayan telefonlar için kapatılır",
        en: "Asked of phones that speak by UDP when they transfer or move their voice; off for phones that answer no challenge within a call",
      },
    },
  ),
  second_factor: choice(
    { tr: "İki adımlı doğrulama zorunlu", en: "A second factor is required" },
    {
      among: {
        none: { tr: "Hiç kimse için", en: "Of nobody" },
        administrators: { tr: "Yöneticiler için", en: "Of administrators" },
        everybody: { tr: "Herkes için", en: "Of everybody" },
      },
      default: "none",
      under: ofSecurity,
      about: {
        tr: "Açmamış olan girince önce bunu açar; tek oturum açmayla girenlerden sağlayıcı sorumludur",
        en: "Who has none sets one up before anything else; single sign-on leaves it to its provider",
      },
    },
  ),
};
