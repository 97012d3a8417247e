// What may be set of an extension, a phone of the exchange.

import { codecNames } from "../codecs/codec.ts";
import { callClasses, srtpUses } from "./choices.ts";
import { noun, type Words } from "./field.ts";
import { addresses, choice, email, ownNumber, several, target, text, time, whole, yesOrNo } from "./kinds.ts";

const ofPerson = { tr: "Kişi ve numara", en: "Person and number", open: true } as const;
const ofCalls = { tr: "Çağrılar", en: "Calls", open: true } as const;
const ofColleagues = { tr: "Kuyruklar ve iş arkadaşları", en: "Queues and colleagues", open: true } as const;
const ofForwarding = { tr: "Yönlendirme", en: "Forwarding", open: true } as const;
const ofVoice = { tr: "Cihaz ve ses", en: "Phone and voice", open: true } as const;

const forward = (label: Words) => target(label, { place: "inbound", orNothing: true, under: ofForwarding });

export const extension = noun({
  title: "Extensions",
  command: "santral extension set",
  table: "extensions",
  knownBy: "number",
  fields: {
    name: text({ tr: "Ad", en: "Name" }, { default: "", under: ofPerson }),
    email: email({ tr: "E-posta", en: "E-mail address" }, { orNothing: true, under: ofPerson }),
    outbound_caller_id: ownNumber(
      { tr: "Dış arama numarası", en: "Outbound number" },
      { orNothing: true, under: ofPerson },
    ),
    withhold_number: yesOrNo(
      { tr: "Numarasını gizle", en: "Withhold its number" },
      {
        default: false,
        about: {
          tr: "Tek aramada: *31# ile gizlenir, *30# ile gösterilir",
          en: "For one call: *31# withholds it, *30# shows it",
        },
        under: ofPerson,
      },
    ),
    active: yesOrNo(
      { tr: "Etkin", en: "Active" },
      {
        default: true,
        about: { tr: "Pasif dahili kayıt olamaz ve çalmaz", en: "A passive one neither registers nor rings" },
        under: ofPerson,
      },
    ),
    dnd: yesOrNo({ tr: "Rahatsız etmeyin", en: "Do not disturb" }, { default: false, under: ofCalls }),
    is_agent: yesOrNo(
      { tr: "Kuyruk temsilcisi olabilir", en: "May be an agent of queues" },
      { default: false, option: "agent", under: ofColleagues },
    ),
    may_supervise: yesOrNo(
      { tr: "Başkalarının çağrılarını dinleyebilir", en: "May listen to colleagues' calls" },
      { default: false, about: { tr: "*30, *31 ve *32 ile", en: "By *30, *31 and *32" }, under: ofColleagues },
    ),
    sees_callers: yesOrNo(
      { tr: "Lambalarda kimin aradığını görür", en: "Sees on lamps who calls colleagues" },
      {
        default: true,
        about: { tr: "Görmeyen yalnızca meşgul olduğunu görür", en: "Otherwise only that they are busy" },
        under: ofColleagues,
      },
    ),
    record_calls: yesOrNo({ tr: "Çağrıları kaydet", en: "Record its calls" }, { default: true, under: ofCalls }),
    may_call: choice(
      { tr: "Nereleri arayabilir", en: "May call" },
      {
        among: callClasses,
        default: "all",
        option: "calls",
        about: {
          tr: "Yönlendirme ve aktarmaları da kapsar; acil numaralar hep aranır, özel ücretlilere santral de izin vermelidir",
          en: "Holds for its forwarding and transfers too; emergency numbers always, premium numbers only where the exchange allows them",
        },
        under: ofCalls,
      },
    ),
    networks: addresses(
      { tr: "Nereden bağlanabilir", en: "May connect from" },
      {
        default: [],
        about: {
          tr: "Örneğin 10.0.0.0/8 veya 203.0.113.7; boşsa her yerden. Acil numaralar her yerden aranır",
          en: "Such as 10.0.0.0/8 or 203.0.113.7; empty: from everywhere. Emergency numbers are called from everywhere",
        },
        under: ofVoice,
      },
    ),
    use_webrtc: yesOrNo(
      { tr: "Tarayıcıdan kullanılır", en: "Used from a browser" },
      { default: false, option: "webrtc", under: ofVoice },
    ),
    srtp: choice(
      { tr: "Ses şifreleme (SRTP)", en: "Encryption of voice (SRTP)" },
      { among: srtpUses, default: "answered", under: ofVoice },
    ),
    max_calls: whole(
      { tr: "Aynı anda en çok çağrı", en: "Calls at the same time" },
      { least: 1, most: 100, default: 2, under: ofCalls },
    ),
    no_answer_seconds: whole(
      { tr: "Cevapsız sayılma süresi (sn)", en: "Rings for (seconds)" },
      { least: 5, most: 300, default: 30, under: ofCalls },
    ),
    codecs: several(
      { tr: "Kodekler (sırayla)", en: "Codecs, in order" },
      {
        among: codecNames,
        orNothing: true,
        about: { tr: "Boşsa santralinkiler", en: "Empty: those of the exchange" },
        under: ofVoice,
      },
    ),
    forward_always: forward({ tr: "Her zaman yönlendir", en: "Always forward to" }),
    forward_busy: forward({ tr: "Meşgulse", en: "When busy" }),
    forward_no_answer: forward({ tr: "Cevap vermezse", en: "When there is no answer" }),
    forward_unreachable: forward({ tr: "Ulaşılamazsa", en: "When it cannot be reached" }),
    time_range_begin: time(
      { tr: "Çalışma saati başlangıcı", en: "Start of working hours" },
      { default: "00:00", under: ofCalls },
    ),
    time_range_end: time(
      { tr: "Çalışma saati bitişi", en: "End of working hours" },
      { default: "23:59", under: ofCalls },
    ),
  },
});
