// Words of single sign-on in the settings.

import { inBoth } from "../../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Tek oturum açma", en: "Single sign-on" },
  about: {
    tr: "Kullanıcılar şirketinizin kimlik sağlayıcısıyla girer (OpenID Connect): Keycloak, Google, Microsoft Entra ve benzerleri.",
    en: "Staff sign in through your company's identity provider (OpenID Connect): Keycloak, Google, Microsoft Entra and the like.",
  },
  redirect: { tr: "Yönlendirme adresi", en: "Redirect URI" },
  afterLogOut: { tr: "Çıkış sonrası adres", en: "Post-logout redirect URI" },
  register: {
    tr: "Sağlayıcıda bu adresleri olduğu gibi kaydedin.",
    en: "Register these addresses at the provider, exactly as they stand.",
  },
  signInAt: { tr: "Giriş adresi", en: "Where to sign in" },
  secretKept: {
    tr: "Kayıtlı; değiştirmek için yenisini yazın",
    en: "One is kept; type another to replace it",
  },
  on: { tr: "Açık", en: "On" },
  off: { tr: "Kapalı", en: "Off" },
  switchOff: { tr: "Kapat", en: "Switch off" },
  isOff: { tr: "Tek oturum açma kapatıldı", en: "Single sign-on is off" },
  test: { tr: "Dene", en: "Try it" },
  testOk: { tr: "Sağlayıcı yanıt verdi", en: "The provider answers" },
  testFailed: { tr: "Bu ayarlarla girilemez", en: "Nobody could sign in like this" },
  clientKnown: {
    tr: "Santrali istemci kimliği ve parolasıyla tanıyor.",
    en: "It knows the exchange by its client ID and secret.",
  },
  clientUnsaid: {
    tr: "İstemci parolasının doğru olup olmadığı ilk girişte anlaşılır.",
    en: "Whether the client secret is right shows at the first sign-in.",
  },
  logsOut: { tr: "Çıkışta oradaki oturum da kapanır.", en: "Signing out ends the session there as well." },
  staysIn: {
    tr: "Çıkışta yalnızca buradaki oturum kapanır.",
    en: "Signing out ends the session here only.",
  },
});
