// What is said of a campaign when it is begun; it is never changed afterwards.

import { USUAL_LANGUAGE } from "../speech/language.ts";
import { recipientTypes, spokenChoices } from "./choices.ts";
import { noun } from "./field.ts";
import { area, choice, day, days, keys, ownNumber, sound, target, text, time, url, whole, yesOrNo } from "./kinds.ts";

const ofCalls = { tr: "Aramalar", en: "Calls", open: true } as const;
const ofWords = { tr: "Söylenen ve tuşlar", en: "What is said, and keys", open: true } as const;
const ofDays = { tr: "Ne zaman", en: "When", open: true } as const;
const ofConsent = { tr: "İzin (İYS)", en: "Consent" };
const ofPace = { tr: "Hız ve tekrar", en: "Pace and repeats" };
const ofMore = { tr: "Kayıt, telesekreter, bildirim", en: "Recording, machines, notifications" };

export const campaign = noun({
  title: "Campaigns",
  table: "call_campaigns",
  knownBy: "id",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { longest: 255, required: true, under: ofCalls }),
    kind: choice(
      { tr: "Tür", en: "Kind" },
      {
        among: {
          ivr: { tr: "Sesli menü: tuşlar karar verir", en: "Voice menu: keys decide" },
          queue: { tr: "Cevaplayanlar kuyruğa", en: "Whoever answers goes to a queue" },
        },
        column: "call_type",
        parameter: "call_type",
        under: ofCalls,
      },
    ),
    queue: text(
      { tr: "Kuyruk", en: "Queue" },
      {
        longest: 8,
        orNothing: true,
        required: true,
        column: "queue_number",
        parameter: "queue_number",
        under: ofCalls,
      },
    ),
    cli: ownNumber({ tr: "Görünen numara", en: "Number that is shown" }, { orNothing: true, under: ofCalls }),
    sound: sound(
      { tr: "Karşılama anonsu", en: "Welcome (announcement)" },
      { orNothing: true, column: "welcome_announcement_id", parameter: "welcome_announcement_id", under: ofWords },
    ),
    phrase: area(
      { tr: "Seslendirilecek söz", en: "What is said (spoken text)" },
      {
        longest: 1_000,
        orNothing: true,
        column: null,
        about: { tr: "Listede kendi sözü olmayanlara", en: "To whoever has no words of their own in the list" },
        under: ofWords,
      },
    ),
    language: choice(
      { tr: "Sözün dili", en: "Language of what is said" },
      { among: spokenChoices, default: USUAL_LANGUAGE, column: null, under: ofWords },
    ),
    dateBegin: day(
      { tr: "İlk gün", en: "First day" },
      { required: true, column: "date_begin", parameter: "date_range_begin", under: ofDays },
    ),
    dateEnd: day(
      { tr: "Son gün", en: "Last day" },
      { required: true, column: "date_end", parameter: "date_range_end", under: ofDays },
    ),
    timeBegin: time(
      { tr: "Şu saatten", en: "From" },
      { required: true, default: "00:00", column: "time_begin", parameter: "time_range_begin", under: ofDays },
    ),
    timeEnd: time(
      { tr: "Şu saate kadar", en: "Until" },
      { required: true, default: "23:59", column: "time_end", parameter: "time_range_end", under: ofDays },
    ),
    days: days(
      { tr: "Günler", en: "Days" },
      { default: [1, 2, 3, 4, 5, 6, 7], column: "active_days", parameter: "active_days", under: ofDays },
    ),
    keys: keys(
      { tr: "Tuşlar", en: "Keys" },
      {
        under: ofWords,
        place: "campaign",
        default: {},
        column: "targets",
        about: {
          tr: "“Bir daha arama” seçilen tuş, kişinin aranma iznini geri alır",
          en: "A key that leads to “Never call again” withdraws the person's consent to be called",
        },
      },
    ),
    noKey: target(
      { tr: "Tuşa basılmazsa", en: "When no key is pressed" },
      { under: ofWords, place: "campaign", orNothing: true, column: null, parameter: "timeout_target" },
    ),
    otherKey: target(
      { tr: "Başka bir tuşta", en: "On every other key" },
      { under: ofWords, place: "campaign", orNothing: true, column: null, parameter: "invalid_target" },
    ),
    keyRetries: whole(
      { tr: "Menü kaç kez yinelensin", en: "How often the menu is repeated" },
      { under: ofWords, least: 0, most: 10, default: 0, column: "digit_retries", parameter: "digit_retries" },
    ),
    keySeconds: whole(
      { tr: "Tuş bekleme (sn)", en: "Waits for a key (seconds)" },
      { under: ofWords, least: 1, most: 10, default: 4, column: "digit_timeout_seconds", parameter: "digit_timeout" },
    ),
    commercial: yesOrNo(
      { tr: "Ticari arama: bir şey satıyor", en: "Commercial: the calls sell something" },
      {
        default: false,
        column: "is_commercial",
        parameter: "is_commercial",
        under: ofConsent,
        about: {
          tr: "İzni olmayan aranmaz; ticari arama saatleri dışına çıkılmaz (aksi ayarlanmadıkça 09:00–21:00)",
          en: "Nobody is called without consent, nor outside the hours for such calls (09:00 to 21:00 unless set otherwise)",
        },
      },
    ),
    recipientType: choice(
      { tr: "Alıcı türü", en: "Kind of recipient" },
      { among: recipientTypes, column: "recipient_type", parameter: "iys_recipient_type", under: ofConsent },
    ),
    brandCode: text(
      { tr: "İYS marka kodu", en: "Brand code" },
      {
        longest: 9,
        orNothing: true,
        column: "brand_code",
        parameter: "iys_brand_code",
        under: ofConsent,
        about: { tr: "İYS marka kodu olan SMS başlıklarından biri", en: "Of one of the SMS titles that have one" },
      },
    ),
    callRetries: whole(
      { tr: "Ulaşılamazsa kaç kez daha aransın", en: "Further attempts when nobody is reached" },
      { least: 0, most: 10, default: 0, column: "call_retries", parameter: "call_retries", under: ofPace },
    ),
    ringSeconds: whole(
      { tr: "Çalma süresi (sn)", en: "Rings for (seconds)" },
      { least: 25, most: 60, default: 30, column: "ring_seconds", parameter: "ring_timeout", under: ofPace },
    ),
    atOnce: whole(
      { tr: "Aynı anda en çok arama", en: "Calls at once, at most" },
      {
        least: 1,
        most: 1_000,
        orNothing: true,
        column: "max_thread_count",
        parameter: "max_thread_count",
        under: ofPace,
        about: { tr: "Boşsa santralin kampanya sınırı", en: "Empty: the exchange's limit for campaigns" },
      },
    ),
    perAgent: whole(
      { tr: "Temsilci başına arama", en: "Calls for each agent" },
      { least: 1, most: 100, default: 1, column: "thread_multiplier", parameter: "thread_multiplier", under: ofPace },
    ),
    abandonedPercent: whole(
      { tr: "Temsilci bulamayan cevaplar, en çok (%)", en: "Answers that find no agent, at most (%)" },
      { least: 0, most: 100, default: 3, column: null, parameter: "max_abandoned_percent", under: ofPace },
    ),
    record: yesOrNo(
      { tr: "Görüşmeleri kaydet", en: "Record the calls" },
      { default: false, column: "recording_enabled", parameter: "recording_enabled", under: ofMore },
    ),
    detectMachines: yesOrNo(
      { tr: "Telesekreterde kapat", en: "Hang up on answering machines" },
      { default: false, column: "detects_machines", parameter: "detect_machines", under: ofMore },
    ),
    webhook: url(
      { tr: "Bildirim adresi (webhook)", en: "Notification URL (webhook)" },
      {
        orNothing: true,
        column: "webhook_url",
        parameter: "webhook_url",
        under: ofMore,
        about: {
          tr: "Her tuş bu adrese POST ile bildirilir; boş bir POST isteğine 200 ile cevap vermeli",
          en: "Told of every key by POST; it has to answer an empty POST with 200",
        },
      },
    ),
  },
});
