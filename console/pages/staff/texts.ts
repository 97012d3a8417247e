// Words of the staff's pages.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Kullanıcılar", en: "Staff" },
  about: { tr: "Konsolu açabilen kişiler.", en: "People who may open the console." },
  add: { tr: "Kullanıcı ekle", en: "Add a person" },
  email: { tr: "E-posta", en: "E-mail address" },
  state: { tr: "Durum", en: "State" },
  passive: { tr: "Pasif", en: "Passive" },
  locked: { tr: "Kilitli", en: "Locked" },
  firstPassword: { tr: "İlk parola", en: "First password" },
  lastSignIn: { tr: "Son giriş", en: "Last sign-in" },
  newPassword: { tr: "Yeni parola", en: "New password" },
  password: { tr: "Parola", en: "Password" },
  dropTotp: { tr: "İki adımlı doğrulamayı kaldır", en: "Take the second factor away" },
  endSessions: { tr: "Oturumlarını kapat", en: "End their sessions" },
  done: { tr: "Yapıldı", en: "Done" },
  audit: { tr: "Denetim izi", en: "Audit trail" },
  auditAbout: {
    tr: "Kim, ne zaman, neyi değiştirdi, dinledi veya indirdi.",
    en: "Who changed, heard or downloaded what, and when.",
  },
  who: { tr: "Kim", en: "Who" },
  did: { tr: "Ne yaptı", en: "What" },
  when: { tr: "Ne zaman", en: "When" },
  details: { tr: "Ayrıntı", en: "Details" },
  anybody: { tr: "Herkes", en: "Anybody" },
  kind: { tr: "Tür", en: "Kind" },
  anyKind: { tr: "Her tür", en: "Any kind" },
  noLines: { tr: "Kayıt bulunamadı.", en: "Nothing was found." },
});
