// Words of the agent's desk.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Masam", en: "My desk" },
  noExtension: {
    tr: "Hesabınıza bir dahili bağlı değil; yöneticiniz Kullanıcılar sayfasında bağlayabilir.",
    en: "Your account has no extension; an administrator can link one under Staff.",
  },
  noAgent: {
    tr: (extension: string) => `Dahili ${extension} hiçbir kuyrukta değil; kuyruk çağrısı gelmez.`,
    en: (extension: string) => `Extension ${extension} is in no queue: no calls of queues come here.`,
  },
  available: { tr: "Müsait", en: "Available" },
  ready: { tr: "Çağrı alabilirsiniz", en: "You can get calls" },
  break: { tr: "Mola", en: "Break" },
  logOut: { tr: "Oturumu kapat", en: "Log out" },
  moved: { tr: "Durumunuz değişti", en: "Your status is changed" },
  owed: {
    tr: (count: number) =>
      count === 1
        ? "Bir görüşmenin sonucu eksik. Seçene kadar yeni çağrı gelmez."
        : `${count} görüşmenin sonucu eksik. Seçene kadar yeni çağrı gelmez.`,
    en: (count: number) =>
      count === 1
        ? "The disposition of a call is missing. No further call comes until it is given."
        : `The dispositions of ${count} calls are missing. No further call comes until they are given.`,
  },
  goToOwed: { tr: "Göster", en: "Show it" },
  nobody: {
    tr: "Bir çağrı geldiğinde arayanın kartı burada açılır.",
    en: "When a call comes the caller's card opens here.",
  },
  card: { tr: "Arayan", en: "Caller" },
  withheld: { tr: "Gizli numara", en: "Withheld number" },
  unknown: { tr: "Rehberde yok", en: "Not in the contacts" },
  ringing: { tr: "Çalıyor", en: "Ringing" },
  up: { tr: "Görüşme sürüyor", en: "On the line" },
  over: { tr: "Görüşme bitti", en: "Over" },
  queue: { tr: "Kuyruk", en: "Queue" },
  waited: { tr: "Bekledi", en: "Waited" },
  began: { tr: "Başladı", en: "Began" },
  company: { tr: "Şirket", en: "Company" },
  email: { tr: "E-posta", en: "E-mail" },
  address: { tr: "Adres", en: "Address" },
  contactNote: { tr: "Rehberdeki not", en: "Note of the contact" },
  pressed: { tr: "Menüde", en: "In the menu" },
  openNotes: { tr: "Açık notlar", en: "Open notes" },
  done: { tr: "Tamamlandı", en: "Done" },
  closed: { tr: "Not kapatıldı", en: "The note is closed" },
  doneNote: { tr: (who: string) => `Tamamlandı: ${who}`, en: (who: string) => `Done: ${who}` },
  former: { tr: "Önceki görüşmeler", en: "Earlier calls" },
  noFormer: { tr: "Bu numarayla başka çağrı yok.", en: "There was no other call with this number." },
  nobodyTook: { tr: "cevapsız", en: "nobody took it" },
  with: { tr: (who: string) => `${who} ile`, en: (who: string) => `with ${who}` },
  openIn: { tr: "Bağlantıyı aç", en: "Open the link" },
  heldBack: {
    tr: "Tarayıcı müşteri kaydının sekmesini açtırmadı. Bundan sonrakiler için bu siteye açılır pencere izni verin.",
    en: "The browser did not let the customer record open in a tab. For the next ones allow this site to open pop-ups.",
  },
  crm: { tr: "Müşteri kaydı", en: "Customer record" },
});

export const noteTexts = inBoth({
  title: { tr: "Bu görüşme", en: "This call" },
  note: { tr: "Not", en: "Note" },
  tags: { tr: "Etiketler", en: "Tags" },
  tagsHint: { tr: "Yazıp Enter'a basın", en: "Type and press Enter" },
  disposition: { tr: "Görüşme sonucu", en: "Disposition" },
  required: { tr: "zorunlu", en: "required" },
  isOpen: { tr: "Takip edilecek (açık not)", en: "To be followed up (open note)" },
  save: { tr: "Kaydet", en: "Save" },
  saveAndReady: { tr: "Kaydet, müsait ol", en: "Save and be available" },
  saved: { tr: "Kaydedildi", en: "Saved" },
  unsaved: { tr: "Kaydedilmedi", en: "Not saved" },
  savedAt: { tr: (when: string) => `Kaydedildi: ${when}`, en: (when: string) => `Saved ${when}` },
  byOthers: { tr: (extension: string) => `Dahili ${extension} yazdı`, en: (extension: string) => `By ${extension}` },
});

export const dayTexts = inBoth({
  figures: { tr: "Bugün", en: "Today" },
  answered: { tr: "Cevapladığım", en: "Answered" },
  missed: { tr: "Kaçırdığım", en: "Let pass" },
  made: { tr: "Aradığım", en: "Made" },
  talk: { tr: "Konuşma", en: "Talk" },
  wrapUp: { tr: "Çağrı sonrası", en: "Wrap-up" },
  breaks: { tr: "Mola", en: "Breaks" },
  missedCallers: { tr: "Geri aranacaklar", en: "To call back" },
  nobodyMissed: { tr: "Geri aranacak kimse yok.", en: "There is nobody to call back." },
  who: { tr: "Arayan", en: "Caller" },
  queue: { tr: "Kuyruk", en: "Queue" },
  at: { tr: "Son arama", en: "Last called" },
  calls: {
    tr: (calls: number, tries: number) => `${calls} arama${tries > 0 ? `, ${tries} deneme` : ""}`,
    en: (calls: number, tries: number) =>
      `${calls === 1 ? "1 call" : `${calls} calls`}${tries > 0 ? `, ${tries === 1 ? "1 try" : `${tries} tries`}` : ""}`,
  },
  times: { tr: "Kaç kez", en: "How often" },
  state: { tr: "Kimde", en: "Taken by" },
  mine: { tr: "Sizde", en: "You" },
  callBack: { tr: "Geri ara", en: "Call back" },
  callBackWho: { tr: (who: string) => `Geri ara: ${who}`, en: (who: string) => `Call back: ${who}` },
  leave: { tr: "Bırak", en: "Leave to others" },
  leaveWho: { tr: (who: string) => `Bırak: ${who}`, en: (who: string) => `Leave to others: ${who}` },
  left: { tr: "Başkaları arayabilir", en: "Others may call" },
  settle: { tr: (who: string) => `Aranmayacak: ${who}`, en: (who: string) => `Needs no call: ${who}` },
  settled: { tr: "Listeden çıktı", en: "Off the list" },
  calling: { tr: "Aranıyor", en: "Calling" },
  ownCalls: { tr: "Son görüşmelerim", en: "My last calls" },
  noCalls: { tr: "Son 24 saatte görüşmeniz yok.", en: "You had no calls in the last 24 hours." },
  disposition: { tr: "Görüşme sonucu", en: "Disposition" },
  talked: { tr: "Konuşma", en: "Talk" },
  missing: { tr: "Eksik", en: "Missing" },
  show: { tr: (who: string) => `Göster: ${who}`, en: (who: string) => `Show: ${who}` },
});
