// Words of the door: signing in, and the first password.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Giriş", en: "Sign in" },
  email: { tr: "E-posta", en: "E-mail address" },
  password: { tr: "Parola", en: "Password" },
  code: { tr: "Doğrulama kodu", en: "Code of your authenticator app" },
  codeAbout: { tr: "Ya da kurtarma kodlarınızdan biri", en: "Or one of your recovery codes" },
  signOn: { tr: "Tek oturum açma", en: "Single sign-on" },
  signOnWith: { tr: (label: string) => `${label} ile giriş yap`, en: (label: string) => `Sign in with ${label}` },
  or: { tr: "ya da", en: "or" },
  emergency: { tr: "Acil durum hesabıyla gir", en: "Use the break-glass account" },
  domain: { tr: "Santralinizin alan adı", en: "Your exchange's domain" },
  noDoor: {
    tr: "Bu alan adı için tek oturum açma yok.",
    en: "There is no single sign-on for this domain.",
  },
  goOn: { tr: "Devam", en: "Continue" },
  enter: { tr: "Giriş yap", en: "Sign in" },
  forgotten: {
    tr: "Parolanızı unuttuysanız yöneticinizden yeni bir parola isteyin.",
    en: "If you forgot your password, ask your administrator for a new one.",
  },
  changeTitle: { tr: "Yeni parola belirleyin", en: "Choose a new password" },
  changeAbout: {
    tr: "İlk parolanız yalnızca giriş içindir. Devam etmek için değiştirin.",
    en: "Your first password is only good for coming in. Change it to go on.",
  },
  oldPassword: { tr: "Şimdiki parola", en: "Present password" },
  newPassword: { tr: "Yeni parola", en: "New password" },
  repeat: { tr: "Yeni parola (tekrar)", en: "New password once more" },
  least: { tr: "En az 10 karakter", en: "At least 10 characters" },
  differ: { tr: "İki parola aynı değil.", en: "The two passwords differ." },
  change: { tr: "Parolayı değiştir", en: "Change password" },
});
