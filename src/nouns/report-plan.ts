// What may be set of a report that goes out by mail on its own: which, about which days, when, and to whom.

import { readChoices } from "./choices.ts";
import { noun, type Words } from "./field.ts";
import { choice, emails, text, time, whole, yesOrNo } from "./kinds.ts";

export const mailedReports = {
  days: { tr: "Günlere göre çağrılar", en: "Calls by day" },
  queues: { tr: "Kuyruklar", en: "Queues" },
  agents: { tr: "Temsilciler", en: "Agents" },
  numbers: { tr: "Dış numaralar", en: "External numbers" },
  campaigns: { tr: "Kampanyalar", en: "Campaigns" },
  extensions: { tr: "Dahililer", en: "Extensions" },
  tags: { tr: "Etiketler", en: "Tags" },
  dispositions: { tr: "Görüşme sonuçları", en: "Dispositions" },
  "response-times": { tr: "Cevaplama süreleri", en: "Response times" },
} as const satisfies Record<string, Words>;

export type MailedReport = keyof typeof mailedReports;

export const reportStretches = {
  day: { tr: "Dün", en: "Yesterday" },
  week: { tr: "Geçen hafta (pazartesi–pazar)", en: "Last week (Monday to Sunday)" },
  month: { tr: "Geçen ay", en: "Last month" },
} as const satisfies Record<string, Words>;

const turns = {
  day: { tr: "Her gün", en: "Every day" },
  week: { tr: "Her hafta", en: "Every week" },
  month: { tr: "Her ay", en: "Every month" },
} as const;

export const reportWeekdays = {
  "1": { tr: "Pazartesi", en: "Monday" },
  "2": { tr: "Salı", en: "Tuesday" },
  "3": { tr: "Çarşamba", en: "Wednesday" },
  "4": { tr: "Perşembe", en: "Thursday" },
  "5": { tr: "Cuma", en: "Friday" },
  "6": { tr: "Cumartesi", en: "Saturday" },
  "7": { tr: "Pazar", en: "Sunday" },
} as const satisfies Record<string, Words>;

const formats = { xlsx: "Excel", csv: "CSV" } as const;

/** So many numbers, campaigns, tags or dispositions a page shows; tables and letters have all of them. */
export const MOST_LINES_SHOWN = 500;

/** A sheet of Excel has no more, its heading included. */
export const MOST_SHEET_ROWS = 1_048_576;

export type TableFormat = keyof typeof formats;

export const reportPlan = noun({
  title: "Reports by mail",
  table: "report_plans",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true, longest: 100 }),
    report: choice({ tr: "Rapor", en: "Report" }, { among: mailedReports, default: "days" }),
    stretch: choice({ tr: "Hangi günler", en: "About" }, { among: reportStretches, default: "day" }),
    addresses: emails(
      { tr: "Alıcılar", en: "To" },
      {
        default: [],
        required: true,
        about: { tr: "En çok 20 e-posta adresi", en: "Up to 20 e-mail addresses" },
      },
    ),
    every: choice({ tr: "Ne sıklıkta", en: "How often" }, { among: turns, default: "day" }),
    weekday: choice({ tr: "Haftanın günü", en: "On" }, { among: reportWeekdays, default: "1" }),
    month_day: whole({ tr: "Ayın günü", en: "On day of the month" }, { least: 1, most: 28, default: 1 }),
    send_at: time(
      { tr: "Saat", en: "At" },
      { default: "08:00", about: { tr: "Santralin saatiyle", en: "By the clock of the exchange" } },
    ),
    format: choice({ tr: "Ekteki tablo", en: "Attached as" }, { among: formats, default: "xlsx" }),
    language: choice({ tr: "Dil", en: "Language" }, { among: readChoices, default: "tr" }),
    active: yesOrNo({ tr: "Gönderilsin", en: "Is sent" }, { default: true }),
  },
});
