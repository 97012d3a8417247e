// Words of the wallboard.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Duvar panosu", en: "Wallboard" },
  leave: { tr: "Konsola dön", en: "Back to the console" },
  waiting: { tr: "Bekleyen", en: "Waiting" },
  longest: { tr: "En uzun bekleme", en: "Longest wait" },
  calls: { tr: "Süren çağrı", en: "Calls now" },
  free: { tr: "Hazır temsilci", en: "Agents available" },
  today: { tr: "Bugün", en: "Today" },
  missed: { tr: "Cevapsız", en: "Missed" },
  queues: { tr: "Kuyruklar", en: "Queues" },
  agents: { tr: "Temsilciler", en: "Agents" },
});
