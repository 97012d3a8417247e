// The figures of a report in a letter, in words.

import type { Both, Language } from "../languages.ts";
import { mailedReports } from "../nouns/report-plan.ts";
import type { MailedFigure, ReportTold } from "../store/letter-facts.ts";
import { showCount, showDuration, showLongDate, showShare } from "./stamps.ts";

type Unit = "count" | "share" | "seconds";

const figures: Record<MailedFigure, Both & { unit: Unit }> = {
  inbound: { tr: "Gelen", en: "Incoming", unit: "count" },
  outbound: { tr: "Giden", en: "Outgoing", unit: "count" },
  calls: { tr: "Çağrı", en: "Calls", unit: "count" },
  answered: { tr: "Cevaplanan", en: "Answered", unit: "count" },
  missed: { tr: "Cevapsız", en: "Missed", unit: "count" },
  unanswered: { tr: "Cevapsız", en: "Unanswered", unit: "count" },
  abandoned: { tr: "Vazgeçilen", en: "Abandoned", unit: "count" },
  inTime: { tr: "Süresinde", en: "In time", unit: "count" },
  offered: { tr: "Sunulan", en: "Offered", unit: "count" },
  made: { tr: "Yapılan", en: "Made", unit: "count" },
  taken: { tr: "Alınan", en: "Taken", unit: "count" },
  tags: { tr: "Kullanılan etiket", en: "Tags in use", unit: "count" },
  answerRate: { tr: "Cevaplama oranı", en: "Answer rate", unit: "share" },
  serviceLevel: { tr: "Hizmet düzeyi", en: "Service level", unit: "share" },
  talk: { tr: "Konuşma", en: "Talk", unit: "seconds" },
  average: { tr: "Ort. bekleme", en: "Average wait", unit: "seconds" },
  median: { tr: "Ortanca bekleme", en: "Median wait", unit: "seconds" },
  ninetieth: { tr: "%90 bekleme", en: "90 % waited up to", unit: "seconds" },
  longestWait: { tr: "En uzun bekleme", en: "Longest wait", unit: "seconds" },
};

const earlier: Both<(value: string) => string> = {
  tr: (value) => `(önceki dönem ${value})`,
  en: (value) => `(period before: ${value})`,
};

const units: Record<Unit, (value: number, language: Language) => string> = {
  count: showCount,
  share: (value, language) => showShare(value, language, 1),
  seconds: showDuration,
};

/** A line a figure, each beside that of the period before. */
export function figuresInWords(told: ReportTold["figures"], language: Language): string {
  return told
    .map(({ of, now, before }) => {
      const { unit, [language]: label } = figures[of];
      const shown = (value: number | null) =>
        value === null ? "—" : units[unit](Math.round(value * 1e6) / 1e6, language);
      return `${label}: ${shown(now)} ${earlier[language](shown(before))}`;
    })
    .join("\n");
}

export function reportTitle({ name, report }: Pick<ReportTold, "name" | "report">, language: Language): string {
  const title = mailedReports[report][language];
  return name === title ? title : `${name} (${title})`;
}

/** One day, or the first and the last. */
export function daysInWords({ first, last }: Pick<ReportTold, "first" | "last">, language: Language): string {
  const shown = (day: string) => showLongDate(day, language);
  return first === last ? shown(first) : `${shown(first)} – ${shown(last)}`;
}

export const sameDay = (day: string) => ({ first: day, last: day });
