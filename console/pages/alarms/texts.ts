// Words of alarms: on the boards while they are on, and in the list of those that were.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Alarmlar", en: "Alarms" },
  about: {
    tr: "Kuyrukların alarmları: ne zaman başladı, ne zaman bitti. Sınırlar kuyruğun ayarlarındadır.",
    en: "Alarms of queues: when each began and ended. The thresholds are settings of the queue.",
  },
  none: { tr: "Hiç alarm olmadı", en: "There was no alarm" },
  now: { tr: "Süren alarmlar", en: "Alarms now" },
  alarm: { tr: "Alarm", en: "Alarm" },
  on: { tr: "sürüyor", en: "on" },
  queue: { tr: "Kuyruk", en: "Queue" },
  what: { tr: "Ne", en: "What" },
  began: { tr: "Başladı", en: "Began" },
  ended: { tr: "Bitti", en: "Ended" },
  lasted: { tr: "Sürdü", en: "Lasted" },
  value: { tr: "Başlarken", en: "At first" },
  worst: { tr: "En kötü", en: "At worst" },
  threshold: { tr: "Sınır", en: "Threshold" },
  thresholds: { tr: "Kuyruk kuyruk sınırlar", en: "Thresholds by queue" },
  noQueues: { tr: "Kuyruk yok", en: "No queues" },
  longestWait: { tr: "En uzun bekleme", en: "Longest wait" },
  waiting: { tr: "Bekleyen", en: "Waiting" },
  level: { tr: "Hizmet düzeyi", en: "Service level" },
  off: { tr: "yok", en: "none" },
  says: {
    tr: (queue: string, what: string, figure: string, threshold: string) =>
      `${queue}: ${what} ${figure} (sınır ${threshold})`,
    en: (queue: string, what: string, figure: string, threshold: string) =>
      `${queue}: ${what} ${figure} (threshold ${threshold})`,
  },
  since: { tr: (time: string) => `${time} beri`, en: (time: string) => `since ${time}` },
  sound: { tr: "Alarm sesi", en: "Alarm sound" },
  board: { tr: "Canlı panoya git", en: "Go to the live board" },
  notes: { tr: "Masaüstünde de haber ver", en: "Tell me on the desktop, too" },
});
