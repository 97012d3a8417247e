import { expect, test } from "vitest";
import type { Told } from "../../store/letter-facts.ts";
import { letterWords } from "./words.ts";

const alarm = { is: "queue-alarm", queue: "200", queueName: "Satis" } as const;
const spent = { is: "spending-alarm", at: "2026-11-18 03:05:00" } as const;

const everyLetter: { [Is in Told["is"]]: Extract<Told, { is: Is }>[] } = {
  "emergency-call": [{ is: "emergency-call", number: "112", caller: "1000", callerName: "Ayşe", call: "u-u-i-d" }],
  "credits-low": [{ is: "credits-low", account: "acme", credits: 1_250, limit: 2_000 }],
  "contact-removal-held": [{ is: "contact-removal-held", source: "bulut", contacts: 1_200 }],
  "spending-limit-reached": [
    { is: "spending-limit-reached", month: "2026-11", limit: 1_500.5 },
    { is: "spending-limit-reached", month: "2026-01", limit: null },
  ],
  "spending-alarm": [
    { ...spent, cause: "hourly-spending", extension: "", value: 62.5, threshold: 50 },
    { ...spent, cause: "calls-at-once", extension: "1001", value: 4, threshold: 3 },
    { ...spent, cause: "hourly-limit", extension: "", value: 99.75, threshold: 100 },
  ],
  "queue-alarm": [
    { ...alarm, state: "began", about: "longest-wait", threshold: 60, value: 75, at: "2026-11-18 23:30:00" },
    { ...alarm, state: "ended", about: "longest-wait", threshold: 60, value: 3_675, at: "2026-11-19 00:31:15" },
    { ...alarm, state: "began", about: "service-level", threshold: 80, value: 72.5, at: "2026-11-18 09:05:00" },
  ],
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
    { is: "voicemail", caller: "Çiğdem", callerNumber: "05321234567", extension: "1000", seconds: 65 },
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

test("Turkish readers get each letter with days, durations and numbers as Turkish has them", () => {
  expect(inLanguage("tr")).toEqual([
    {
      subject: "Acil çağrı: 112 (1000)",
      text: "1000 Ayşe acil çağrı numarasını aradı: 112. Çağrı: u-u-i-d",
    },
    {
      subject: "SMS krediniz azaldı: 1.250",
      text: "acme hesabında 1.250 SMS kredisi kaldı (hatırlatma sınırı 2.000).",
    },
    {
      subject: "Rehber kaynağı bulut: 1.200 kişinin silinmesi onay bekliyor",
      text: "bulut kaynağında 1.200 kişi artık yok; bu, kaynaktaki kişilerin yarısından fazlası. Konsolda Rehber, Kaynaklar altında onaylanana kadar silinmezler.",
    },
    {
      subject: "Harcama sınırına ulaşıldı (Kasım 2026)",
      text: "Aylık harcama sınırı (1.500,50) doldu. Sınır yükseltilene ya da yeni ay başlayana kadar dış arama yapılamaz.",
    },
    {
      subject: "Harcama sınırına ulaşıldı (Ocak 2026)",
      text: "Aylık harcama sınırı doldu. Sınır yükseltilene ya da yeni ay başlayana kadar dış arama yapılamaz.",
    },
    {
      subject: "Alarm: bir saatlik harcama 62,50",
      text: "18.11.2026 03:05:00: bir saatlik harcama 62,50 (alarm sınırı 50,00). Kimin aradığını konsolda Harcama ve ücretler sayfası gösterir; sizden biri değilse o dahiliye yeni parola verin.",
    },
    {
      subject: "Alarm: aynı anda ücretli ya da yurt dışı çağrı 4 (dahili 1001)",
      text: "18.11.2026 03:05:00: aynı anda ücretli ya da yurt dışı çağrı 4 (dahili 1001) (alarm sınırı 3). Kimin aradığını konsolda Harcama ve ücretler sayfası gösterir; sizden biri değilse o dahiliye yeni parola verin.",
    },
    {
      subject: "Bir saatlik harcama sınırına ulaşıldı",
      text: "18.11.2026 03:05:00: bir saat içinde 99,75 harcandı, sınır 100,00. Son bir saatin harcaması azalana kadar ücretli arama yapılmaz; acil aramalar hep yapılır. Kimin aradığını konsolda Harcama ve ücretler sayfası gösterir.",
    },
    {
      subject: "Alarm: 200 Satis, en uzun bekleme 1:15",
      text: "18.11.2026 23:30:00: 200 Satis kuyruğunda en uzun bekleme 1:15 (alarm sınırı 1:00).",
    },
    {
      subject: "Alarm bitti: 200 Satis, en uzun bekleme",
      text: "19.11.2026 00:31:15: 200 Satis kuyruğundaki alarm bitti. En kötü anında en uzun bekleme 1:01:15 oldu (alarm sınırı 1:00).",
    },
    {
      subject: "Alarm: 200 Satis, hizmet düzeyi %72,5",
      text: "18.11.2026 09:05:00: 200 Satis kuyruğunda hizmet düzeyi %72,5 (alarm sınırı %80).",
    },
    {
      subject: "Günlük (Günlere göre çağrılar): 17 Kasım 2026",
      text: "Günlük (Günlere göre çağrılar)\n17 Kasım 2026\n\nGelen: 1.200 (önceki dönem 980)\nHizmet düzeyi: %87,5 (önceki dönem —)\nKonuşma: 1:02:03 (önceki dönem 0:00)\n\nTablonun tamamı ektedir: days-2026-11-17.csv",
    },
    {
      subject: "Queues (Kuyruklar): 9 Kasım 2026 – 15 Kasım 2026",
      text: "Queues (Kuyruklar)\n9 Kasım 2026 – 15 Kasım 2026\n\n\n\nTablonun tamamı ektedir: queues.csv\n\nBu e-postanın günü 16 Kasım 2026 idi; geç gönderildi.",
    },
    {
      subject: "Sesli mesaj: Çiğdem (1:05)",
      text: "Çiğdem (05321234567) 1000 numaralı dahiliye mesaj bıraktı.",
    },
    { subject: "Sesli mesaj: Gizli numara (0:03)", text: "Gizli numara () 1000 numaralı dahiliye mesaj bıraktı." },
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
        !["is", "state", "about", "report", "first", "last", "dueOn", "figures", "at", "month", "cause"].includes(
          name,
        ) &&
        typeof value === "string" &&
        value !== ""
      )
        expect(`${subject} ${text}`).toContain(String(value));
    expect(`${subject} ${text}`.replaceAll(/Ayşe|Çiğdem|Günlük/g, "")).not.toMatch(/[ğışçöü]/);
  }
});

test("English has its own days, durations and numbers", () => {
  const said = inLanguage("en").map(({ subject, text }) => `${subject}\n${text}`);
  for (const figure of [
    ...["has 1,250 SMS credits left (you are reminded at 2,000)", "the removal of 1,200 people"],
    ...["Alarm: 62.50 spent within an hour", "4 paid or international calls at once (extension 1001)"],
    ...["18/11/2026, 03:05:00: 99.75 was spent within an hour, and 100.00 is allowed"],
    ...["(November 2026)", "spending limit (1,500.50) is", "spending limit is"],
    ...["18/11/2026, 23:30:00: the longest wait", "is 1:15 (the alarm is set at 1:00)", "was 1:01:15 at worst"],
    ...["the service level 72.5%", "17 November 2026", "Incoming: 1,200", "Talk: 1:02:03", "Service level: 87.5%"],
    ...["Voicemail: Çiğdem (1:05)", "(2 pages)"],
  ])
    expect(
      said.some((letter) => letter.includes(figure)),
      figure,
    ).toBe(true);
});

test("the message beside a letter fits one SMS of the plain alphabet", () => {
  const [told] = everyLetter["credits-low"];
  expect(letterWords.message(told!, "tr")).toBe("SMS krediniz azaldi: acme hesabinda 1.250 kredi kaldi.");
  expect(letterWords.message(told!, "en")).toBe("Your SMS credits run low: acme has 1,250 left.");
});
