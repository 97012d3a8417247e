// What may be set of a queue, where callers wait for an agent.

import { USUAL_LANGUAGE } from "../speech/language.ts";
import { keyChoices, queueStrategies, spokenChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { choice, form, sound, target, text, whole, yesOrNo } from "./kinds.ts";

export const queue = noun({
  title: "Queues",
  command: "santral queue set",
  table: "queues",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { required: true }),
    strategy: choice(
      { tr: "Dağıtım", en: "Strategy" },
      {
        among: queueStrategies,
        default: "sequential",
      },
    ),
    ring_seconds: whole({ tr: "Çalma süresi (sn)", en: "Rings for (seconds)" }, { least: 5, most: 300, default: 20 }),
    max_wait_seconds: whole(
      { tr: "En uzun bekleme (sn)", en: "Longest wait (seconds)" },
      { least: 1, most: 86_400, default: 600 },
    ),
    max_waiting: whole({ tr: "En çok bekleyen", en: "Most callers waiting" }, { least: 1, most: 10_000, default: 100 }),
    overflow_target: target(
      { tr: "Süre dolar ya da yer kalmazsa", en: "When full or waited too long" },
      { place: "inbound", orNothing: true },
    ),
    music_announcement_id: sound({ tr: "Bekleme müziği", en: "Waiting music" }, { orNothing: true, option: "music" }),
    waiting_announcement_id: sound(
      { tr: "Bekleme anonsu", en: "Announcement while waiting" },
      { orNothing: true, option: "waiting-sound" },
    ),
    agent_announcement_id: sound(
      { tr: "Temsilciye çalınan anons", en: "Announcement to the agent" },
      { orNothing: true, option: "agent-sound" },
    ),
    announce_seconds: whole(
      { tr: "Sıra bilgisi aralığı (sn, 0: yok)", en: "Tell the place every (seconds, 0: never)" },
      { least: 10, most: 3_600, orZero: true, default: 0 },
    ),
    language: choice({ tr: "Dil", en: "Language" }, { among: spokenChoices, default: USUAL_LANGUAGE }),
    callback_key: choice({ tr: "Geri arama tuşu", en: "Key for a call back" }, { among: keyChoices, orNothing: true }),
    wrap_up_seconds: whole(
      { tr: "Çağrı sonrası süre (sn)", en: "Wrap-up time (seconds)" },
      { least: 0, most: 3_600, default: 0 },
    ),
    most_misses: whole(
      { tr: "Kaç cevapsızdan sonra mola", en: "Break after so many misses" },
      { least: 1, most: 100, default: 3 },
    ),
    priority: whole(
      { tr: "Öncelik", en: "Priority" },
      { least: -100, most: 100, default: 0, about: { tr: "Yüksek olan önce", en: "Higher is served first" } },
    ),
    follows_forwards: yesOrNo(
      { tr: "Üyelerin yönlendirmesini izle", en: "Follow members who are forwarded" },
      {
        default: false,
        about: {
          tr: "Yoksa yönlendirilmiş üye bu çağrıyı almaz",
          en: "Otherwise whoever is forwarded does not take the call",
        },
      },
    ),
    survey: yesOrNo(
      { tr: "Görüşme sonrası anket (1–5)", en: "Ask for a score (1 to 5) afterwards" },
      { default: false },
    ),
    form: form(
      { tr: "Çağrı formu", en: "Call form" },
      {
        orNothing: true,
        column: "form_id",
        about: { tr: "Çağrıyı alan temsilci doldurur", en: "Filled in by the agent who takes the call" },
      },
    ),
  },
});
