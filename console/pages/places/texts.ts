// Words of queues and ring groups.

import type { Both } from "../../words/language.tsx";
import { inBoth } from "../../words/language.tsx";

export const texts = inBoth({
  queues: { tr: "Kuyruklar", en: "Queues" },
  queuesAbout: { tr: "Arayanların temsilci beklediği yerler.", en: "Where callers wait for an agent." },
  noQueues: { tr: "Henüz kuyruk yok.", en: "There are no queues yet." },
  addQueue: { tr: "Kuyruk ekle", en: "Add a queue" },
  groups: { tr: "Çağrı grupları", en: "Ring groups" },
  groupsAbout: { tr: "Tek numarayla birden çok telefon çalar.", en: "Several phones behind one number." },
  noGroups: { tr: "Henüz çağrı grubu yok.", en: "There are no ring groups yet." },
  addGroup: { tr: "Grup ekle", en: "Add a group" },
  strategy: { tr: "Dağıtım", en: "Strategy" },
  members: { tr: "Üyeler (sırayla)", en: "Members, in order" },
  membersAbout: { tr: "Dahililer ya da dış numaralar", en: "Extensions, or numbers outside" },
  ringSeconds: { tr: "Çalma süresi (sn)", en: "Rings for (seconds)" },
  maxWait: { tr: "En uzun bekleme (sn)", en: "Longest wait (seconds)" },
  maxWaiting: { tr: "En çok bekleyen", en: "Most callers waiting" },
  overflow: { tr: "Süre dolar ya da yer kalmazsa", en: "When full or waited too long" },
  noAnswer: { tr: "Kimse cevap vermezse", en: "When nobody answers" },
  music: { tr: "Bekleme müziği", en: "Waiting music" },
  waitingSound: { tr: "Bekleme anonsu", en: "Announcement while waiting" },
  agentSound: { tr: "Temsilciye çalınan anons", en: "Announcement to the agent" },
  priority: { tr: "Öncelik", en: "Priority" },
  priorityAbout: { tr: "Yüksek olan önce", en: "Higher is served first" },
  wrapUp: { tr: "Çağrı sonrası süre (sn)", en: "Wrap-up time (seconds)" },
  misses: { tr: "Kaç cevapsızdan sonra mola", en: "Break after so many misses" },
  announce: { tr: "Sıra bilgisi aralığı (sn, 0: yok)", en: "Tell the place every (seconds, 0: never)" },
  language: { tr: "Dil", en: "Language" },
  callbackKey: { tr: "Geri arama tuşu", en: "Key for a call back" },
  survey: { tr: "Görüşme sonrası anket (1–5)", en: "Ask for a score (1 to 5) afterwards" },
});

export const strategies: Record<string, Both> = {
  simultaneous: { tr: "Hepsi birden", en: "All at once" },
  sequential: { tr: "Sırayla", en: "One after another" },
  random: { tr: "Rastgele", en: "Random" },
  "least-busy": { tr: "En az meşgul", en: "Least busy" },
  "longest-idle": { tr: "En uzun boşta", en: "Longest idle" },
};
