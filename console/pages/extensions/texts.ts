// Words of the extensions' page.

import { inBoth } from "../../words/language.tsx";

export const connectTexts = inBoth({
  connect: { tr: "Telefon bağla", en: "Connect a phone" },
  server: { tr: "Sunucu", en: "Server" },
  port: { tr: "Port", en: "Port" },
  transport: { tr: "Taşıma", en: "Transport" },
  scan: { tr: "QR kodu ile", en: "By QR code" },
  forLinphone: { tr: "Linphone için QR kodu oluştur", en: "Make a QR code for Linphone" },
  good: {
    tr: (until: string) => `Bir kez ve ${until} saatine kadar geçerlidir. Linphone'da “QR kodu tara” ile okutun.`,
    en: (until: string) => `Good once, and until ${until}. Scan it in Linphone, by “Scan QR code”.`,
  },
  generic: { tr: "Genel SIP adresi olarak göster", en: "Show as a plain SIP address" },
  genericAbout: {
    tr: "Adres okuyan telefonlar için: kullanıcı, alan, sunucu, taşıma ve varsa parola.",
    en: "For phones that read addresses: user, domain, server, transport and, where it is known, the password.",
  },
  unknownPassword: { tr: "Parola bilinmiyor", en: "The password is not known" },
  newPasswordAbout: {
    tr: "Parolalar saklanmaz, bu yüzden SIP adresinin kodunda parola yoktur. Yeni parola oluşturulursa eskisiyle bağlı olan bütün telefonlar çıkar.",
    en: "Passwords are not kept, so the code of the SIP address has none. A new one signs out every phone that has the old one.",
  },
  newPasswordNow: { tr: "Yeni parolayla kodu göster", en: "Make a new password and show the code" },
  others: {
    tr: "Zoiper ve başka telefonlar için yukarıdaki bilgileri yazın; Zoiper'ın kendi QR kodu parolayı Zoiper'ın sunucularına gönderir.",
    en: "In Zoiper and other phones type what stands above; Zoiper's own QR code would send the password to Zoiper's servers.",
  },
  address: { tr: "Adres", en: "Address" },
  codeAlt: { tr: "QR kodu", en: "QR code" },
});

export const texts = inBoth({
  title: { tr: "Dahililer", en: "Extensions" },
  about: {
    tr: "Santralin telefonları, yönlendirmeleri ve sesli mesaj kutuları.",
    en: "The phones of the exchange, their forwarding and mailboxes.",
  },
  empty: { tr: "Henüz dahili yok. İlkini ekleyin.", en: "There are no extensions yet. Add the first one." },
  add: { tr: "Dahili ekle", en: "Add an extension" },
  numberAbout: { tr: "2–8 rakam, örneğin 1006", en: "2 to 8 digits, such as 1006" },
  state: { tr: "Durum", en: "State" },
  passive: { tr: "Pasif", en: "Passive" },
  byMd5About: {
    tr: "Telefonu MD5 ile oturum açıyor: yalnızca SHA-256 alınırsa giremez",
    en: "Its phone logs in by MD5: where SHA-256 alone is taken it is let in no more",
  },
  places: { tr: "Kuyruk ve gruplar", en: "Queues and groups" },
  voicemail: { tr: "Sesli mesaj", en: "Voicemail" },
  staff: { tr: "Kullanıcı hesabı", en: "Staff account" },
  on: { tr: "Açık", en: "On" },
  off: { tr: "Kapalı", en: "Off" },
  email: { tr: "E-posta", en: "E-mail address" },
  newPassword: { tr: "Yeni SIP parolası", en: "New SIP password" },
  secretTitle: { tr: "Telefonun bilgileri:", en: "For the phone of" },
  user: { tr: "SIP kullanıcısı", en: "SIP user" },
  domain: { tr: "SIP alanı", en: "SIP domain" },
  password: { tr: "SIP parolası", en: "SIP password" },
  webPhone: { tr: "Web telefonunu aç", en: "Open the web phone" },
  ownerTitle: { tr: "Web telefonunun kullanıcısı:", en: "Who has the web phone of" },
  ownerAbout: {
    tr: "Dahiliye bağlı bir kullanıcı hesabı açılır; web telefonu onun adına açılır.",
    en: "Makes a staff account that is linked to the extension; the web phone opens in its name.",
  },
  ownerPassword: { tr: "Konsol parolası", en: "Password for the console" },
  pinKept: { tr: "Kayıtlı; değiştirmek için yazın", en: "Set already; type to change it" },
});
