import { expect, test } from "vitest";
import type { Told } from "../../store/letter-facts.ts";
import { letterWords } from "./words.ts";

const everyLetter: { [Is in Told["is"]]: Extract<Told, { is: Is }>[] } = {
  "emergency-call": [{ is: "emergency-call", number: "112", caller: "1000", callerName: "Ayşe", call: "u-u-i-d" }],
  "credits-low": [{ is: "credits-low", account: "acme", credits: 9, limit: 10 }],
  "contact-removal-held": [{ is: "contact-removal-held", source: "bulut", contacts: 12 }],
  "spending-limit-reached": [{ is: "spending-limit-reached", month: "2026-11", limit: 500 }],
  "queue-alarm": (["began", "ended"] as const).map((state) => ({
    is: "queue-alarm",
    ...{ state, queue: "200", queueName: "Satis", about: "longest-wait", threshold: 60, value: 75 },
    at: "2026-11-18 14:05:00",
  })),
  report: [
    {
      ...{ is: "report", name: "Günlük", report: "days", first: "2026-11-17", last: "2026-11-17", dueOn: undefined },
      ...{ file: "days-2026-11-17.csv" },
      figures: [
        { of: "inbound", now: 1_200, before: 980 },
        { of: "serviceLevel", now: 0.875, before: null },
        { of: "talk", now: 3_723, before: 0 },
      ],
    },
    {
      ...{ is: "report", name: "Queues", report: "queues", first: "2026-11-09", last: "2026-11-15" },
      ...{ dueOn: "2026-11-16", figures: [], file: "queues.csv" },
    },
  ],
  voicemail: [
    { is: "voicemail", caller: "Çiğdem", callerNumber: "05321234567", extension: "1000", seconds: 60 },
    { is: "voicemail", caller: "", callerNumber: "", extension: "1000", seconds: 3 },
  ],
  fax: [
    { is: "fax", sender: "02121234567", number: "08505320000", pages: 1, complete: true },
    { is: "fax", sender: "", number: "08505320000", pages: 2, complete: false },
  ],
};

const inLanguage = (language: "tr" | "en") =>
  Object.values(everyLetter)
    .flat()
    .map((told) => letterWords.letter(told, language));

test("Turkish readers get the letters they always got", () => {
  expect(inLanguage("tr")).toEqual([
    {
      subject: "Acil çağrı: 112 (1000)",
      text: "1000 Ayşe acil çağrı numarasını aradı: 112. Çağrı: u-u-i-d",
    },
    { subject: "SMS krediniz azaldı: 9", text: "acme hesabında 9 SMS kredisi kaldı (hatırlatma sınırı 10)." },
    {
      subject: "Rehber kaynağı bulut: 12 kişinin silinmesi onay bekliyor",
      text: "bulut kaynağında 12 kişi artık yok; bu, kaynaktaki kişilerin yarısından fazlası. Konsolda Rehber, Kaynaklar altında onaylanana kadar silinmezler.",
    },
    {
      subject: "Harcama sınırına ulaşıldı (2026-11)",
      text: "Aylık harcama sınırı (500) doldu. Sınır yükseltilene ya da yeni ay başlayana kadar dış arama yapılamaz.",
    },
    {
      subject: "Alarm: 200 Satis, en uzun bekleme 75 sn",
      text: "2026-11-18 14:05:00: 200 Satis kuyruğunda en uzun bekleme 75 sn (alarm sınırı 60 sn).",
    },
    {
      subject: "Alarm bitti: 200 Satis, en uzun bekleme",
      text: "2026-11-18 14:05:00: 200 Satis kuyruğundaki alarm bitti. En kötü anında en uzun bekleme 75 sn oldu (alarm sınırı 60 sn).",
    },
    {
      subject: "Günlük (Günlere göre çağrılar): 17 Kasım 2026",
      text: "Günlük (Günlere göre çağrılar)\n17 Kasım 2026\n\nGelen: 1.200 (önceki dönem 980)\nHizmet düzeyi: %87,5 (önceki dönem —)\nKonuşma: 01:02:03 (önceki dönem 00:00:00)\n\nTablonun tamamı ektedir: days-2026-11-17.csv",
    },
    {
      subject: "Queues (Kuyruklar): 9 Kasım 2026 – 15 Kasım 2026",
      text: "Queues (Kuyruklar)\n9 Kasım 2026 – 15 Kasım 2026\n\n\n\nTablonun tamamı ektedir: queues.csv\n\nBu e-postanın günü 16 Kasım 2026 idi; geç gönderildi.",
    },
    {
      subject: "Sesli mesaj: Çiğdem (60 sn)",
      text: "Çiğdem (05321234567) 1000 numaralı dahiliye mesaj bıraktı.",
    },
    { subject: "Sesli mesaj: Gizli numara (3 sn)", text: "Gizli numara () 1000 numaralı dahiliye mesaj bıraktı." },
    {
      subject: "Faks: 02121234567 (1 sayfa)",
      text: "02121234567 08505320000 numarasına 1 sayfalık faks gönderdi.",
    },
    {
      subject: "Faks: Gizli numara (2 sayfa)",
      text: "Gizli numara 08505320000 numarasına 2 sayfalık faks gönderdi. Gönderim yarıda kesildi; ekte alınabilen sayfalar var.",
    },
  ]);
});

test("English readers get each of them in English, with everything that the Turkish one tells", () => {
  for (const [index, { subject, text }] of inLanguage("en").entries()) {
    const told = Object.values(everyLetter).flat()[index] as Told;
    for (const [name, value] of Object.entries(told))
      if (
        !["is", "state", "about", "report", "first", "last", "dueOn", "figures"].includes(name) &&
        value !== "" &&
        typeof value !== "boolean"
      )
        expect(`${subject} ${text}`).toContain(String(value));
    expect(`${subject} ${text}`.replaceAll(/Ayşe|Çiğdem|Günlük/g, "")).not.toMatch(/[ğışçöü]/);
  }
});

test("the message beside a letter fits one SMS of the plain alphabet", () => {
  const [told] = everyLetter["credits-low"];
  expect(letterWords.message(told!, "tr")).toBe("SMS krediniz azaldi: acme hesabinda 9 kredi kaldi.");
  expect(letterWords.message(told!, "en")).toBe("Your SMS credits run low: acme has 9 left.");
});
