// Words of the frame around every page.

import { inBoth } from "../words/language.tsx";

export const phoneTexts = inBoth({
  open: { tr: "Web telefonunu aç", en: "Open the web phone" },
  close: { tr: "Web telefonunu gizle", en: "Hide the web phone" },
  phone: { tr: "Web telefonu", en: "Web phone" },
  incoming: { tr: "Gelen arama", en: "Incoming call" },
  withheld: { tr: "Gizli numara", en: "Withheld number" },
  calls: { tr: (who: string) => `${who} arıyor`, en: (who: string) => `${who} is calling` },
  callsYou: {
    tr: "Telefon başka bir sekmede çalıyor; ses orada duyulur.",
    en: "The phone rings in another tab; you hear and speak there.",
  },
  isUp: {
    tr: (who: string) => `Başka bir sekmede görüşmedesiniz: ${who}`,
    en: (who: string) => `You are in a call in another tab: ${who}`,
  },
  answer: { tr: "Cevapla", en: "Answer" },
  reject: { tr: "Reddet", en: "Reject" },
  hangUp: { tr: "Kapat", en: "Hang up" },
  takeHere: { tr: "Buraya al", en: "Bring it here" },
  busy: { tr: "Önce süren görüşmenizi bitirin.", en: "End the call you are in first." },
  notReady: { tr: "Web telefonu şu anda arayamıyor.", en: "The web phone cannot call right now." },
});

export const boundaryTexts = inBoth({
  broken: { tr: "Bu sayfa gösterilemedi", en: "This page could not be shown" },
  faulty: {
    tr: "Öbür sayfalar çalışmaya devam ediyor. Yeniden deneyebilirsiniz.",
    en: "The other pages go on working. You can try again.",
  },
  gone: {
    tr: "Santral güncellenmiş olabilir. Sayfayı yeniden yükleyin.",
    en: "The exchange may have been upgraded. Load the page again.",
  },
  reload: { tr: "Yeniden yükle", en: "Load again" },
});

export const shellTexts = inBoth({
  menu: { tr: "Menü", en: "Menu" },
  navigation: { tr: "Sayfalar", en: "Pages" },
  skip: { tr: "İçeriğe geç", en: "Skip to the page" },
  signOut: { tr: "Çıkış", en: "Sign out" },
  account: { tr: "Hesabım", en: "My account" },
  fewCodes: {
    tr: (left: number) =>
      left === 0
        ? "İki adımlı doğrulama için kurtarma kodunuz yok: telefonunuzu kaybederseniz giremezsiniz."
        : `İki adımlı doğrulama için ${left} kurtarma kodunuz kaldı. Yenilerini oluşturun:`,
    en: (left: number) =>
      left === 0
        ? "You have no recovery codes for your second factor: without your phone you could not sign in."
        : `You have ${left === 1 ? "one recovery code" : `${left} recovery codes`} left for your second factor. Make new ones:`,
  },
  notFound: { tr: "Böyle bir sayfa yok.", en: "There is no such page." },
  home: { tr: "Ana sayfaya git", en: "Go to your first page" },
});

export const proofTexts = inBoth({
  title: { tr: "Bu siz misiniz?", en: "Is this you?" },
  about: {
    tr: "Giriş yapalı bir süre oldu. Anahtar ve parola vermeden önce bir kez daha soruyoruz.",
    en: "It is a while since you signed in. Before keys and passwords are given out, you are asked once more.",
  },
  password: { tr: "Parolanız", en: "Your password" },
  code: { tr: "Doğrulama kodu ya da kurtarma kodu", en: "Code of your authenticator app, or a recovery code" },
  signOn: { tr: "Kimlik sağlayıcınızla yeniden giriş yapın", en: "Sign in with your provider again" },
  or: { tr: "ya da", en: "or" },
  goOn: { tr: "Devam", en: "Continue" },
});

export const searchTexts = inBoth({
  title: { tr: "Her yerde ara", en: "Search everywhere" },
  hint: { tr: "Kişi, numara, çağrı, sayfa veya ayar", en: "A person, number, call, page or setting" },
  recent: { tr: "Son açtıklarınız", en: "What you opened last" },
  nothing: { tr: "Hiçbir şey bulunamadı.", en: "Nothing was found." },
  found: {
    tr: (count: number) => (count === 0 ? "En az iki harf veya rakam yazın." : `${count} sonuç`),
    en: (count: number) =>
      count === 0 ? "Type two letters or digits." : count === 1 ? "1 result" : `${count} results`,
  },
  choose: { tr: "seç", en: "choose" },
  go: { tr: "aç", en: "open" },
  leave: { tr: "kapat", en: "close" },
  page: { tr: "Sayfa", en: "Page" },
  setting: { tr: "Ayar", en: "Setting" },
  place: { tr: "Santral", en: "Exchange" },
  person: { tr: "Kişi", en: "Contact" },
  call: { tr: "Çağrı", en: "Call" },
});

export const groupTitles = inBoth({
  live: { tr: "Canlı", en: "Live" },
  conversations: { tr: "Görüşmeler", en: "Conversations" },
  exchange: { tr: "Santral", en: "Exchange" },
  administration: { tr: "Yönetim", en: "Administration" },
});

export const pageTitles = inBoth({
  desk: { tr: "Masam", en: "My desk" },
  board: { tr: "Canlı pano", en: "Live board" },
  wallboard: { tr: "Duvar panosu", en: "Wallboard" },
  walls: { tr: "Duvar ekranları", en: "Wall screens" },
  alarms: { tr: "Alarmlar", en: "Alarms" },
  reports: { tr: "Raporlar", en: "Reports" },
  responseTimes: { tr: "Yanıtlama süreleri", en: "Response times" },
  reportMails: { tr: "E-postayla raporlar", en: "Reports by mail" },
  calls: { tr: "Çağrılar ve kayıtlar", en: "Calls and recordings" },
  voicemail: { tr: "Sesli mesajlar", en: "Voicemail" },
  contacts: { tr: "Rehber", en: "Contacts" },
  blocked: { tr: "Engelli numaralar", en: "Blocked numbers" },
  messages: { tr: "SMS", en: "SMS" },
  campaigns: { tr: "Otomatik arama", en: "Automatic calling" },
  imports: { tr: "Dosyadan aktarma", en: "Imports" },
  faxes: { tr: "Fakslar", en: "Faxes" },
  extensions: { tr: "Dahililer", en: "Extensions" },
  queues: { tr: "Kuyruklar", en: "Queues" },
  groups: { tr: "Çağrı grupları", en: "Ring groups" },
  forms: { tr: "Çağrı formları", en: "Call forms" },
  formReport: { tr: "Form raporu", en: "Form report" },
  menus: { tr: "Menüler ve akış", en: "Menus and flow" },
  numbers: { tr: "Numaralar ve saatler", en: "Numbers and hours" },
  trunks: { tr: "Hatlar ve kurallar", en: "Trunks and rules" },
  sounds: { tr: "Anonslar", en: "Announcements" },
  setup: { tr: "Kurulum", en: "Set up" },
  settings: { tr: "Santral ayarları", en: "Settings" },
  staff: { tr: "Kullanıcılar", en: "Staff" },
  audit: { tr: "Denetim izi", en: "Audit trail" },
  spending: { tr: "Harcama ve ücretler", en: "Spending and rates" },
  system: { tr: "Sistem ve yedekler", en: "System and backups" },
  nodes: { tr: "Düğümler", en: "Nodes" },
  oneCall: { tr: "Çağrı", en: "Call" },
  account: { tr: "Hesabım", en: "My account" },
});
