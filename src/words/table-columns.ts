// What the columns of tables to download are called, for people; a program that names no language gets the names themselves.

import type { Both, Language } from "../languages.ts";
import { spentBy } from "../nouns/spent.ts";

const columns: Record<string, Both> = {
  start: { tr: "Başlangıç", en: "Began" },
  direction: { tr: "Yön", en: "Direction" },
  caller: { tr: "Arayan", en: "Caller" },
  caller_name: { tr: "Arayanın adı", en: "Caller's name" },
  destination: { tr: "Aranan", en: "Called" },
  destination_name: { tr: "Arananın adı", en: "Called party's name" },
  queue: { tr: "Kuyruk", en: "Queue" },
  queue_wait_seconds: { tr: "Kuyrukta bekleme (sn)", en: "Wait in the queue (s)" },
  duration_seconds: { tr: "Süre (sn)", en: "Duration (s)" },
  talk_seconds: { tr: "Konuşma (sn)", en: "Talk (s)" },
  missed: { tr: "Cevapsız", en: "Missed" },
  hangup_cause: { tr: "Bitiş nedeni", en: "Cause" },
  recording: { tr: "Ses kaydı", en: "Recording" },
  call_uuid: { tr: "Çağrı kimliği", en: "Call" },
  by: { tr: "Kırılım", en: "By" },
  which: { tr: "Hangisi", en: "Which" },
  answered: { tr: "Cevaplanan", en: "Answered" },
  in_time: { tr: "Süresinde", en: "In time" },
  average_wait_seconds: { tr: "Ort. bekleme (sn)", en: "Average wait (s)" },
  median_wait_seconds: { tr: "Ortanca bekleme (sn)", en: "Median wait (s)" },
  p90_wait_seconds: { tr: "%90 bekleme (sn)", en: "90 % waited up to (s)" },
  longest_wait_seconds: { tr: "En uzun bekleme (sn)", en: "Longest wait (s)" },
  unanswered: { tr: "Cevapsız", en: "Unanswered" },
  average_given_up_seconds: { tr: "Ort. vazgeçme (sn)", en: "Gave up after, average (s)" },
  median_given_up_seconds: { tr: "Ortanca vazgeçme (sn)", en: "Gave up after, median (s)" },
  longest_given_up_seconds: { tr: "En geç vazgeçme (sn)", en: "Gave up after, longest (s)" },
  promised_seconds: { tr: "Söz verilen süre (sn)", en: "Promised (s)" },
  time: { tr: "Zaman", en: "Time" },
  form: { tr: "Form", en: "Form" },
  version: { tr: "Sürüm", en: "Version" },
  agent: { tr: "Temsilci", en: "Agent" },
  agent_name: { tr: "Temsilcinin adı", en: "Agent's name" },
  number: { tr: "Numara", en: "Number" },
  name: { tr: "Ad", en: "Name" },
  filled_at: { tr: "Doldurulma", en: "Filled in at" },
  filled_by: { tr: "Dolduran", en: "Filled in by" },
  changed_at: { tr: "Düzeltilme", en: "Corrected at" },
  changed_by: { tr: "Düzelten", en: "Corrected by" },
  calls: { tr: "Çağrı", en: "Calls" },
  abandoned: { tr: "Vazgeçilen", en: "Abandoned" },
  passed_on: { tr: "Aktarılan", en: "Passed on" },
  service_level_percent: { tr: "Hizmet düzeyi (%)", en: "Service level (%)" },
  average_talk_seconds: { tr: "Ort. konuşma (sn)", en: "Average talk (s)" },
  offered: { tr: "Sunulan", en: "Offered" },
  wrap_up_seconds: { tr: "Çağrı sonrası (sn)", en: "Wrap-up (s)" },
  available_seconds: { tr: "Hazır (sn)", en: "Available (s)" },
  break_seconds: { tr: "Mola (sn)", en: "Breaks (s)" },
  breaks: { tr: "Molalar", en: "Which breaks" },
  occupancy_percent: { tr: "Doluluk (%)", en: "Occupancy (%)" },
  survey_answers: { tr: "Anket cevabı", en: "Survey answers" },
  survey_score: { tr: "Anket puanı", en: "Survey score" },
  incoming: { tr: "Gelen", en: "Incoming" },
  outgoing: { tr: "Giden", en: "Outgoing" },
  made: { tr: "Yaptığı", en: "Made" },
  taken: { tr: "Aldığı", en: "Taken" },
  disposition: { tr: "Görüşme sonucu", en: "Disposition" },
  tags: { tr: "Etiketler", en: "Tags" },
  tag: { tr: "Etiket", en: "Tag" },
  internal: { tr: "Dahili", en: "Internal" },
  result: { tr: "Sonuç", en: "Result" },
  note: { tr: "Not", en: "Note" },
  ...spentBy,
  minutes: { tr: "Dakika", en: "Minutes" },
  amount: { tr: "Tutar", en: "Amount" },
};

/** What a line of a table that has several kinds of them is about. */
export const tableParts = {
  all: { tr: "Tümü", en: "All" },
  band: { tr: "Bekleme (sn)", en: "Wait (s)" },
  hour: { tr: "Saat", en: "Hour" },
  day: { tr: "Gün", en: "Day" },
} as const satisfies Record<string, Both>;

export type TablePart = keyof typeof tableParts;

/** A form's own questions are called what they are called. */
export function columnInWords(name: string, language: Language): string {
  return (Object.hasOwn(columns, name) && columns[name]?.[language]) || name;
}
