// Words of a board on the wall.

import { inBoth } from "../words/language.tsx";

export const texts = inBoth({
  opening: { tr: "Pano açılıyor…", en: "The board is being opened…" },
  gone: { tr: "Bu bağlantı artık geçerli değil", en: "This link is no longer valid" },
  goneAbout: {
    tr: "Pano geri alınmış ya da bağlantısı yenilenmiş. Yeni bağlantıyı yöneticinizden isteyin.",
    en: "The board was taken back, or its link renewed. Ask your administrator for the new one.",
  },
  lost: { tr: "Bağlantı koptu, yeniden deneniyor", en: "Connection lost, trying again" },
  alarm: { tr: "Alarm", en: "Alarm" },
  noAlarms: { tr: "Alarm yok", en: "No alarms" },
  nothing: { tr: "—", en: "—" },
  queue: { tr: "Kuyruk", en: "Queue" },
  waiting: { tr: "Bekleyen", en: "Waiting" },
  longest: { tr: "En uzun", en: "Longest" },
  out: { tr: "Ulaşılamıyor", en: "Out of reach" },
  sound: { tr: "Alarm sesi", en: "Alarm sound" },
  threshold: { tr: (figure: string) => `sınır ${figure}`, en: (figure: string) => `threshold ${figure}` },
});
