// Words of a person's own account.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Hesabım", en: "My account" },
  password: { tr: "Parola", en: "Password" },
  present: { tr: "Parolanız", en: "Your password" },
  second: { tr: "İki adımlı doğrulama", en: "Second factor" },
  secondOff: {
    tr: "Kapalı. Açarsanız girişte telefonunuzdaki doğrulama uygulamasının kodu da istenir.",
    en: "Off. When it is on, signing in also takes a code of the authenticator app on your phone.",
  },
  secondOn: { tr: "Açık. Girişte kod istenir.", en: "On. Signing in takes a code." },
  begin: { tr: "Aç", en: "Switch on" },
  drop: { tr: "Kapat", en: "Switch off" },
  scan: { tr: "Kodu uygulamanızla okutun ya da anahtarı yazın:", en: "Scan this with your app, or type the key:" },
  code: { tr: "Uygulamanın gösterdiği kod", en: "The code your app shows" },
  confirm: { tr: "Onayla", en: "Confirm" },
  sessions: { tr: "Oturumlar", en: "Sessions" },
  thisOne: { tr: "bu oturum", en: "this one" },
  since: { tr: "Açıldı", en: "Since" },
  seen: { tr: "Son görülme", en: "Last seen" },
  address: { tr: "Adres", en: "Address" },
  browser: { tr: "Tarayıcı", en: "Browser" },
  ended: { tr: "Oturum kapatıldı", en: "The session is ended" },
});
