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
  secondFirst: {
    tr: "Santraliniz iki adımlı doğrulama istiyor. Devam etmek için telefonunuzda bir doğrulama uygulaması kurun.",
    en: "Your exchange requires a second factor. To go on, set up an authenticator app on your phone.",
  },
  begin: { tr: "Aç", en: "Switch on" },
  drop: { tr: "Kapat", en: "Switch off" },
  scan: { tr: "Kodu uygulamanızla okutun ya da anahtarı yazın:", en: "Scan this with your app, or type the key:" },
  code: { tr: "Uygulamanın gösterdiği kod", en: "The code your app shows" },
  confirm: { tr: "Onayla", en: "Confirm" },
  presentToDrop: { tr: "Kapatmak için parolanız", en: "Your password, to switch it off" },
  presentForCodes: { tr: "Yeni kodlar için parolanız", en: "Your password, for new codes" },
  codes: { tr: "Kurtarma kodları", en: "Recovery codes" },
  codesLeft: {
    tr: (left: number) => `Kullanılmamış ${left} kodunuz var. Her biri, telefonunuz yanınızda değilken bir kez açar.`,
    en: (left: number) => `${left} of your codes are unused. Each opens once when your phone is not at hand.`,
  },
  fewCodes: {
    tr: (left: number) => `Yalnızca ${left} kodunuz kaldı. Yenilerini oluşturun.`,
    en: (left: number) => `Only ${left} of your codes ${left === 1 ? "is" : "are"} left. Make new ones.`,
  },
  noCodes: {
    tr: "Kurtarma kodunuz yok. Telefonunuzu kaybetmeden önce oluşturun.",
    en: "You have no recovery codes. Make them before you lose your phone.",
  },
  renew: { tr: "Yeni kodlar oluştur", en: "Make new codes" },
  codesOnce: {
    tr: "Bu kodlar yalnızca şimdi gösterilir; öncekiler artık geçersiz. Güvenli bir yerde saklayın.",
    en: "These codes are shown only now, and those of before are void. Keep them in a safe place.",
  },
  codesFile: {
    tr: "Kurtarma kodları; her biri bir kez geçerlidir:",
    en: "Recovery codes; each opens once:",
  },
  downloadCodes: { tr: "İndir", en: "Download" },
  codesKept: { tr: "Sakladım", en: "I have kept them" },
  onlySignOn: {
    tr: "Şirketinizin kimlik sağlayıcısıyla giriyorsunuz; parola ve ikinci adım orada değiştirilir.",
    en: "You sign in through your company's identity provider; password and second factor are changed there.",
  },
  signIns: { tr: "Son girişler", en: "Last sign-ins" },
  noSignIns: { tr: "Henüz giriş yok.", en: "There are no sign-ins yet." },
  when: { tr: "Ne zaman", en: "When" },
  what: { tr: "Ne oldu", en: "What happened" },
  sessions: { tr: "Oturumlar", en: "Sessions" },
  thisOne: { tr: "bu oturum", en: "this one" },
  since: { tr: "Açıldı", en: "Since" },
  seen: { tr: "Son görülme", en: "Last seen" },
  address: { tr: "Adres", en: "Address" },
  browser: { tr: "Tarayıcı", en: "Browser" },
  ended: { tr: "Oturum kapatıldı", en: "The session is ended" },
});
