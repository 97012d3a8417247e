// Words of reports by mail.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "E-postayla raporlar", en: "Reports by mail" },
  about: {
    tr: "Belirlenen saatte kendiliğinden gönderilen raporlar. Her rapor, onu oluşturanın gördüğünü içerir.",
    en: "Reports that go out on their own at a set hour. Each holds what whoever made it may see.",
  },
  none: { tr: "Henüz gönderim yok", en: "No reports by mail yet" },
  add: { tr: "Rapor gönder", en: "Send a report" },
  byMail: { tr: "E-posta", en: "By mail" },
  byMailOf: { tr: (report: string) => `E-postayla gönder: ${report}`, en: (report: string) => `By mail: ${report}` },
  noServer: { tr: "Posta sunucusu ayarlı değil", en: "No mail server is set" },
  noServerAbout: {
    tr: "Sunucuyu işleten kişi SANTRAL_SMTP_URL ayarını yapana kadar raporlar gönderilemez; günü gelenler iki gün boyunca bekletilir.",
    en: "Until whoever runs the server sets SANTRAL_SMTP_URL nothing goes out; what is due waits for two days.",
  },
  report: { tr: "Rapor", en: "Report" },
  to: { tr: "Alıcılar", en: "To" },
  when: { tr: "Ne zaman", en: "When" },
  daily: { tr: (at: string) => `her gün ${at}`, en: (at: string) => `every day at ${at}` },
  weekly: {
    tr: (weekday: string, at: string) => `her ${weekday} ${at}`,
    en: (weekday: string, at: string) => `every ${weekday} at ${at}`,
  },
  monthly: {
    tr: (day: number, at: string) => `her ayın ${day}. günü ${at}`,
    en: (day: number, at: string) => `day ${day} of every month at ${at}`,
  },
  maker: { tr: "Oluşturan", en: "Made by" },
  next: { tr: "Sıradaki", en: "Next" },
  last: { tr: "Son gönderilen", en: "Last sent" },
  state: { tr: "Durum", en: "State" },
  paused: { tr: "Duraklatıldı", en: "Paused" },
  fine: { tr: "Gönderiliyor", en: "On" },
  waiting: { tr: (letters: number) => `${letters} e-posta yolda`, en: (letters: number) => `${letters} on the way` },
  pause: { tr: (name: string) => `Duraklat: ${name}`, en: (name: string) => `Pause: ${name}` },
  resume: { tr: (name: string) => `Sürdür: ${name}`, en: (name: string) => `Resume: ${name}` },
  sendNow: { tr: (name: string) => `Şimdi gönder: ${name}`, en: (name: string) => `Send now: ${name}` },
  sending: { tr: "E-postalar yola çıktı", en: "The letters are on their way" },
  letters: { tr: "Gönderilenler", en: "Letters" },
  noLetters: { tr: "Henüz hiçbir rapor gönderilmedi", en: "No report was sent yet" },
  day: { tr: "Gün", en: "Day" },
  byHand: { tr: "elle", en: "by hand" },
  plan: { tr: "Gönderim", en: "Which" },
  address: { tr: "Alıcı", en: "To" },
  became: { tr: "Sonuç", en: "What became of it" },
  sent: { tr: (at: string) => `${at} gönderildi`, en: (at: string) => `sent ${at}` },
  tried: { tr: "Yeniden denenecek", en: "Is tried again" },
  givenUp: { tr: "Gönderilmedi", en: "Not sent" },
  onTheWay: { tr: "Yolda", en: "On the way" },
});
