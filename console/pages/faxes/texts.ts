// Words of faxes: those that came, those that go out, and the pages one looks at.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Fakslar", en: "Faxes" },
  about: {
    tr: "Gelen fakslar, ve gönderilenlerin durumu.",
    en: "Faxes that came, and what becomes of those you send.",
  },
  inbox: { tr: "Gelen", en: "Received" },
  outbox: { tr: "Giden", en: "Sent" },
  noneCame: { tr: "Böyle bir faks yok.", en: "There is no such fax." },
  noneOut: { tr: "Böyle bir giden faks yok.", en: "There is no such fax." },
  search: { tr: "Numara veya ad ara", en: "Look for a number or name" },
  show: { tr: "Göster", en: "Show" },
  unread: { tr: "Okunmamış", en: "Unread" },
  read: { tr: "Okundu", en: "Read" },
  assignee: { tr: "Kime atandı", en: "Assigned to" },
  assignTo: { tr: "Şuna ata", en: "Assign to" },
  anybody: { tr: "Herkes", en: "Anybody" },
  nobody: { tr: "Kimse", en: "Nobody" },
  me: { tr: "Ben", en: "Me" },
  assigned: { tr: "Faks atandı.", en: "The fax is assigned." },
  markUnread: { tr: "Okunmadı say", en: "Mark as unread" },
  when: { tr: "Zaman", en: "When" },
  from: { tr: "Gönderen", en: "From" },
  to: { tr: "Alan", en: "To" },
  pages: { tr: "Sayfa", en: "Pages" },
  state: { tr: "Durum", en: "State" },
  incomplete: { tr: "Eksik", en: "Incomplete" },
  look: { tr: "Sayfalara bak", en: "Look at the pages" },
  pagesGone: { tr: "Sayfaları artık saklanmıyor.", en: "Its pages are not kept any more." },
  call: { tr: "Çağrısı", en: "Its call" },
  send: { tr: "Faks gönder", en: "Send a fax" },
  sendOn: { tr: "Başka numaraya gönder", en: "Send to another number" },
  ordered: { tr: "Faks sıraya alındı.", en: "The fax is on its way." },
  file: { tr: "Belge", en: "Document" },
  fileAbout: {
    tr: "PDF, PNG, JPEG, TIFF veya düz metin; en çok 20 MB ve 100 sayfa",
    en: "PDF, PNG, JPEG, TIFF or plain text; at most 20 MB and 100 pages",
  },
  tries: { tr: "Denemeler", en: "Tries" },
  noTries: { tr: "Henüz denenmedi.", en: "It was not tried yet." },
  lastTry: { tr: "Son deneme", en: "Last try" },
  nextTry: { tr: "Sıradaki deneme", en: "Next try" },
  atOnce: { tr: "Şimdi", en: "Now" },
  goesNow: { tr: "şu anda gönderiliyor", en: "is being sent now" },
  brought: {
    tr: (pages: number) => `${pages} sayfa gitti`,
    en: (pages: number) => (pages === 1 ? "1 page went" : `${pages} pages went`),
  },
  sendNow: { tr: "Şimdi gönder", en: "Send now" },
  cancel: { tr: "Göndermekten vazgeç", en: "Do not send" },
  cancelled: { tr: "Faks gönderilmeyecek.", en: "The fax will not be sent." },
  details: { tr: "Ayrıntılar", en: "Details" },
  fax: { tr: (which: string) => `Faks: ${which}`, en: (which: string) => `Fax: ${which}` },
});

export const orderStates = {
  waiting: { tr: "Bekliyor", en: "Waiting" },
  sending: { tr: "Gönderiliyor", en: "Being sent" },
  sent: { tr: "Gönderildi", en: "Sent" },
  failed: { tr: "Gönderilemedi", en: "Failed" },
  cancelled: { tr: "Vazgeçildi", en: "Taken back" },
};

export const sheetTexts = inBoth({
  page: {
    tr: (page: number, of: number) => `Sayfa ${page} / ${of}`,
    en: (page: number, of: number) => `Page ${page} of ${of}`,
  },
  previous: { tr: "Önceki sayfa", en: "Previous page" },
  next: { tr: "Sonraki sayfa", en: "Next page" },
  turn: { tr: "Döndür", en: "Rotate" },
  larger: { tr: "Büyüt", en: "Zoom in" },
  smaller: { tr: "Küçült", en: "Zoom out" },
  failed: { tr: "Bu sayfa gösterilemiyor.", en: "This page cannot be shown." },
  pdf: { tr: "PDF indir", en: "Download PDF" },
  tiff: { tr: "TIFF indir", en: "Download TIFF" },
});
