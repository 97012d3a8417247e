// What may be set of a queue, where callers wait for an agent.

import { USUAL_LANGUAGE } from "../speech/language.ts";
import { keyChoices, levelStretches, queueStrategies, spokenChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, emails, sound, target, text, whole, words, yesOrNo } from "./kinds.ts";
import { callForm, followsForwards } from "./members.ts";
import { promiseChoices } from "./promises.ts";

const ofRinging = { tr: "Ad ve dağıtım", en: "Name and ringing", open: true } as const;
const ofWaiting = { tr: "Bekleyenler", en: "Callers who wait", open: true } as const;
const ofSounds = { tr: "Müzik ve anonslar", en: "Music and announcements", open: true } as const;
const ofTheEnd = { tr: "Görüşmeden sonra", en: "After the call", open: true } as const;
const ofAlarms = { tr: "Alarmlar", en: "Alarms" };

export const queue = noun({
  title: "Queues",
  command: "santral queue set",
  table: "queues",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true, under: ofRinging }),
    strategy: choice(
      { tr: "Dağıtım", en: "Strategy" },
      {
        among: queueStrategies,
        default: "sequential",
        under: ofRinging,
      },
    ),
    ring_seconds: whole(
      { tr: "Çalma süresi (sn)", en: "Rings for (seconds)" },
      { least: 5, most: 300, default: 20, under: ofRinging },
    ),
    max_wait_seconds: whole(
      { tr: "En uzun bekleme (sn)", en: "Longest wait (seconds)" },
      { least: 1, most: 86_400, default: 600, under: ofWaiting },
    ),
    max_waiting: whole(
      { tr: "En çok bekleyen", en: "Most callers waiting" },
      { least: 1, most: 10_000, default: 100, under: ofWaiting },
    ),
    overflow_target: target(
      { tr: "Süre dolar ya da yer kalmazsa", en: "When full or waited too long" },
      { place: "inbound", orNothing: true, under: ofWaiting },
    ),
    music_announcement_id: sound(
      { tr: "Bekleme müziği", en: "Waiting music" },
      { orNothing: true, option: "music", under: ofSounds },
    ),
    waiting_announcement_id: sound(
      { tr: "Bekleme anonsu", en: "Announcement while waiting" },
      { orNothing: true, option: "waiting-sound", under: ofSounds },
    ),
    agent_announcement_id: sound(
      { tr: "Temsilciye çalınan anons", en: "Announcement to the agent" },
      { orNothing: true, option: "agent-sound", under: ofRinging },
    ),
    announce_seconds: whole(
      { tr: "Sıra bilgisi aralığı (sn, 0: yok)", en: "Tell the place every (seconds, 0: never)" },
      { least: 10, most: 3_600, orZero: true, default: 0, under: ofSounds },
    ),
    language: choice({ tr: "Dil", en: "Language" }, { among: spokenChoices, default: USUAL_LANGUAGE, under: ofSounds }),
    callback_key: choice(
      { tr: "Geri arama tuşu", en: "Key for a call back" },
      { among: keyChoices, orNothing: true, under: ofWaiting },
    ),
    wrap_up_seconds: whole(
      { tr: "Çağrı sonrası süre (sn)", en: "Wrap-up time (seconds)" },
      { least: 0, most: 3_600, default: 0, under: ofTheEnd },
    ),
    most_misses: whole(
      { tr: "Kaç cevapsızdan sonra mola", en: "Break after so many misses" },
      { least: 1, most: 100, default: 3, under: ofRinging },
    ),
    promised_seconds: choice(
      { tr: "Hizmet düzeyi: cevaplama sözü", en: "Service level: promised to answer within" },
      {
        among: promiseChoices,
        default: "20",
        about: {
          tr: "Raporlarda bu süre içinde cevaplanan çağrıların payı",
          en: "Reports show the share of calls answered within it",
        },
        under: ofWaiting,
      },
    ),
    priority: whole(
      { tr: "Öncelik", en: "Priority" },
      {
        least: -100,
        most: 100,
        default: 0,
        about: { tr: "Yüksek olan önce", en: "Higher is served first" },
        under: ofRinging,
      },
    ),
    follows_forwards: { ...followsForwards, under: ofRinging },
    survey: yesOrNo(
      { tr: "Görüşme sonrası anket (1–5)", en: "Ask for a score (1 to 5) afterwards" },
      { default: false, under: ofTheEnd },
    ),
    dispositions: words(
      { tr: "Görüşme sonuçları", en: "Dispositions" },
      {
        default: [],
        about: {
          tr: "Temsilci görüşmenin sonucunu bunlardan seçer",
          en: "What became of a call, for its agent to choose from",
        },
        under: ofTheEnd,
      },
    ),
    disposition_required: yesOrNo(
      { tr: "Görüşme sonucu zorunlu", en: "A disposition is required" },
      {
        default: false,
        about: {
          tr: "Temsilci sonucu seçmeden yeni çağrı almaz",
          en: "An agent gets no further call before he has given it",
        },
        under: ofTheEnd,
      },
    ),
    form: {
      ...callForm({ tr: "Çağrıyı alan temsilci doldurur", en: "Filled in by the agent who takes the call" }),
      under: ofTheEnd,
    },
    alarm_wait_seconds: whole(
      { tr: "Biri bu kadar beklerse (sn, 0: alarm yok)", en: "When somebody waits so long (seconds, 0: no alarm)" },
      { least: 0, most: 86_400, default: 0, under: ofAlarms },
    ),
    alarm_waiting: whole(
      { tr: "Bu kadar arayan beklerse (0: alarm yok)", en: "When so many callers wait (0: no alarm)" },
      { least: 0, most: 10_000, default: 0, under: ofAlarms },
    ),
    alarm_level_percent: whole(
      {
        tr: "Hizmet düzeyi bunun altına düşerse (%, 0: alarm yok)",
        en: "When the service level falls below (%, 0: no alarm)",
      },
      {
        least: 0,
        most: 100,
        default: 0,
        under: ofAlarms,
        about: { tr: "En az beş çağrıdan sonra bakılır", en: "Looked at once there were five calls" },
      },
    ),
    alarm_level_over: choice(
      { tr: "Hizmet düzeyi neyin üzerinden", en: "The service level of" },
      { among: levelStretches, default: "day", under: ofAlarms },
    ),
    alarm_addresses: emails(
      { tr: "Kime yazılsın (e-posta)", en: "Who is written to (e-mail)" },
      {
        default: [],
        under: ofAlarms,
        about: {
          tr: "Alarm başlayınca ve bitince birer mektup",
          en: "A letter when an alarm begins, and one when it ends",
        },
      },
    ),
  },
});

const { alarm_wait_seconds, alarm_waiting, alarm_level_percent, alarm_level_over } = queue.fields;

/** From where on a queue calls for attention: what may be set of it by whoever leads it. */
export const queueAlarms = noun({
  title: "Alarms of queues",
  table: "queues",
  knownBy: "number",
  fields: { alarm_wait_seconds, alarm_waiting, alarm_level_percent, alarm_level_over },
});
