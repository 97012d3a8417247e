// Words of the machine and its backups.

import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  title: { tr: "Sistem ve yedekler", en: "System and backups" },
  about: {
    tr: "Bu sunucunun durumu ve tüm verilerin yedekleri.",
    en: "How this server is, and backups of everything on it.",
  },
  notYours: {
    tr: "Bu sunucuda birden çok santral var; bu sayfa, sunucuyu işleten santralin yöneticilerine açıktır (SANTRAL_OPERATORS).",
    en: "There are several exchanges on this server; this page is for the administrators of the one that runs it (SANTRAL_OPERATORS).",
  },
  health: { tr: "Durum", en: "Health" },
  version: { tr: "Sürüm", en: "Version" },
  started: { tr: "Açılış", en: "Started" },
  ready: { tr: "Çalışıyor", en: "Ready" },
  notReady: { tr: "İş alamıyor", en: "Takes no work" },
  state: { tr: "Sunucu", en: "Server" },
  disk: { tr: "Boş disk", en: "Free on the disk" },
  of: { tr: (free: string, all: string) => `${free} / ${all}`, en: (free: string, all: string) => `${free} of ${all}` },
  database: { tr: "Veritabanı", en: "Database" },
  jobs: { tr: "Bekleyen iş", en: "Work that waits" },
  dead: { tr: "Vazgeçilen iş", en: "Work that was given up" },
  owed: { tr: "Veritabanına yazılacak", en: "Still to be written to the database" },
  backups: { tr: "Yedekler", en: "Backups" },
  make: { tr: "Şimdi yedekle", en: "Back up now" },
  begun: { tr: "Yedek alınıyor", en: "A backup is being made" },
  underWay: {
    tr: (since: string) => `${since} tarihinden beri yedek alınıyor…`,
    en: (since: string) => `A backup is being made since ${since}…`,
  },
  failed: {
    tr: (when: string) => `${when}: yedek alınamadı.`,
    en: (when: string) => `${when}: a backup could not be made.`,
  },
  none: { tr: "Henüz yedek yok.", en: "There are no backups yet." },
  file: { tr: "Dosya", en: "File" },
  size: { tr: "Boyut", en: "Size" },
  when: { tr: "Zaman", en: "When" },
  download: { tr: "İndir", en: "Download" },
  keepSafe: {
    tr: "Yedekte her şey, gizli anahtarlar da vardır: dosyayı bu makinenin dışında ve güvenli bir yerde saklayın. Geri yükleme: santral restore.",
    en: "Everything is in a backup, the keys of secrets as well: keep the file off this machine and in a safe place. To put one back: santral restore.",
  },
  plan: { tr: "Plan", en: "Plan" },
  every: { tr: "Ne sıklıkta", en: "How often" },
  never: { tr: "Kendiliğinden alınmasın", en: "Not by itself" },
  day: { tr: "Her gün", en: "Every day" },
  week: { tr: "Haftada bir", en: "Once a week" },
  at: { tr: "Saat", en: "At" },
  keep: { tr: "Saklanacak planlı yedek", en: "Planned backups to keep" },
  save: { tr: "Planı kaydet", en: "Keep the plan" },
  saved: { tr: "Plan kaydedildi", en: "The plan is kept" },
});
