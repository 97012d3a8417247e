// Why somebody does not come in by the exchange's provider, in the languages of people.

import type { Both, Language } from "../languages.ts";
import type { SsoTrouble } from "../sso/trouble.ts";

const troubles: Record<SsoTrouble, Both> = {
  off: {
    tr: "Bu santralde tek oturum açma kapalı.",
    en: "Single sign-on is off at this exchange.",
  },
  away: {
    tr: "Kimlik sağlayıcısı şu anda yanıt vermiyor. Biraz sonra yeniden deneyin ya da parolanızla girin.",
    en: "The identity provider does not answer right now. Try again later, or sign in with your password.",
  },
  "not-public": {
    tr: "Sağlayıcının adresi özel bir ağda; sunucuyu işletenler buna izin vermeli (SANTRAL_PRIVATE_WEBHOOKS).",
    en: "The provider's address is in a private network; those who run the server have to allow it (SANTRAL_PRIVATE_WEBHOOKS).",
  },
  "bad-provider": {
    tr: "Bu adreste kullanılabilir bir kimlik sağlayıcısı yok. Adresi (issuer) denetleyin.",
    en: "No identity provider that can be used answers there. Check the issuer.",
  },
  "bad-client": {
    tr: "Sağlayıcı santrali tanımıyor: istemci kimliği veya parolası yanlış.",
    en: "The provider does not know the exchange: its client ID or secret is wrong.",
  },
  denied: { tr: "Giriş sağlayıcıda reddedildi.", en: "The sign-in was declined at the provider." },
  expired: {
    tr: "Bu giriş tamamlanamadı: çok uzun sürdü ya da başka bir tarayıcıda başladı. Yeniden deneyin.",
    en: "This sign-in could not be finished: it took too long, or began in another browser. Try again.",
  },
  untrusted: {
    tr: "Sağlayıcının yanıtına güvenilemedi; kimse içeri alınmadı. Sürerse yöneticinize bildirin.",
    en: "The provider's answer could not be trusted, and nobody was let in. Tell your administrator if it goes on.",
  },
  "other-domain": {
    tr: "Bu e-posta alan adıyla girilemiyor.",
    en: "E-mail addresses of this domain are not let in.",
  },
  "no-email": {
    tr: "Sağlayıcı, hesabınız için doğrulanmış bir e-posta adresi bildirmedi.",
    en: "The provider told no verified e-mail address of yours.",
  },
  "no-account": {
    tr: "Burada hesabınız yok. Yöneticinizden bir hesap isteyin.",
    en: "You have no account here. Ask your administrator for one.",
  },
  disabled: {
    tr: "Hesabınız burada kapatılmış. Yöneticinize başvurun.",
    en: "Your account is disabled here. Ask your administrator.",
  },
  "no-role": {
    tr: "Sağlayıcıda bu santral için bir rolünüz yok. Yöneticinize başvurun.",
    en: "You have no role for this exchange at the provider. Ask your administrator.",
  },
  "other-person": {
    tr: "Bu e-posta adresinin hesabı sağlayıcıdaki başka birine bağlı. Yöneticinize başvurun.",
    en: "The account of this e-mail address belongs to somebody else at the provider. Ask your administrator.",
  },
  "secret-unreadable": {
    tr: "Saklanan istemci parolası açılamıyor: anahtarı eksik. Santrali işletenlere haber verin.",
    en: "The stored client secret cannot be opened: its key is missing. Tell those who run the exchange.",
  },
};

export function ssoTroubleInWords(trouble: string, language: Language): string {
  return isTrouble(trouble) ? troubles[trouble][language] : trouble;
}

export function isTrouble(text: string): text is SsoTrouble {
  return Object.hasOwn(troubles, text);
}
