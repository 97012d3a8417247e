// What may be set of an exchange.

import { codecNames, ownNames } from "../codecs/codec.ts";
import { OFFICE_CODE, officeSwitch, readChoices, sameEveryDay } from "./choices.ts";
import { deskFields } from "./desk.ts";
import { noun } from "./field.ts";
import {
  choice,
  days,
  form,
  host,
  origins,
  ownNumber,
  several,
  shortNumbers,
  target,
  text,
  time,
  timeZone,
  url,
  week,
  whole,
  yesOrNo,
} from "./kinds.ts";
import { limitFields, ofLimits } from "./limits.ts";
import { securityFields } from "./security.ts";

const inGeneral = { tr: "Genel", en: "General" };
const ofHours = { tr: "Mesai", en: "Hours" };
const ofRecording = { tr: "Ses kaydı", en: "Recording" };
const ofPhones = { tr: "Telefonlar", en: "Phones" };
const ofForms = { tr: "Çağrı formları", en: "Call forms" };
const ofIntegrations = { tr: "Entegrasyonlar", en: "Integrations" };

const told = { default: true, only: "command" } as const;

/** Which call events are told: a switch each, kept as `crm_` and its name. */
export const eventSwitches = {
  ringing: yesOrNo({ tr: "Çalma", en: "Ringing" }, { ...told, about: { tr: "çalmayı bildir", en: "report ringing" } }),
  answered: yesOrNo(
    { tr: "Cevaplanma", en: "Answered" },
    { ...told, about: { tr: "cevaplanmayı bildir", en: "report answers" } },
  ),
  hangup: yesOrNo(
    { tr: "Kapanma", en: "Hang-up" },
    { ...told, about: { tr: "çağrı sonunu bildir", en: "report the ends of calls" } },
  ),
};

export type EventSwitch = keyof typeof eventSwitches;
export const EVENT_SWITCHES = Object.keys(eventSwitches) as EventSwitch[]; // of the record above

export const exchange = noun({
  title: "Exchanges",
  command: "santral exchange set",
  table: "exchanges",
  knownBy: "id",
  fields: {
    name: text({ tr: "Santralin adı", en: "Name of the exchange" }, { required: true, under: inGeneral }),
    sip_domain: host(
      { tr: "SIP alanı", en: "SIP domain" },
      {
        only: "command",
        about: {
          tr: "SIP parolalarının alanı; dahili varken değişmez",
          en: "The realm of SIP passwords; fixed once there are extensions",
        },
      },
    ),
    time_zone: timeZone(
      { tr: "Saat dilimi", en: "Time zone" },
      { required: true, default: "Europe/Istanbul", under: inGeneral },
    ),
    language: choice(
      { tr: "Yazışma dili", en: "Language of letters" },
      {
        among: readChoices,
        default: "tr",
        under: inGeneral,
        about: {
          tr: "Kendi dili bilinmeyenlere yazılan e-posta ve SMS bildirimlerinin dili",
          en: "Of notices by e-mail and SMS to whoever has no language of his own",
        },
      },
    ),
    office_hours: week(
      { tr: "Mesai saatleri", en: "Office hours" },
      {
        under: ofHours,
        about: {
          tr: "Bir gün birkaç aralık olabilir; kapanış açılıştan önceyse ertesi güne geçer",
          en: "A day may have several stretches; one that closes before it opens goes past midnight",
        },
      },
    ),
    office_switch: choice(
      { tr: "Gündüz/gece anahtarı", en: "Day and night switch" },
      { among: officeSwitch, default: "hours", under: ofHours },
    ),
    office_by_phone: yesOrNo(
      { tr: "Telefonlar anahtarı çevirebilir", en: "Phones may turn the switch" },
      {
        default: false,
        under: ofHours,
        about: {
          tr: `${OFFICE_CODE} gece konumuna alır ve geri çevirir; bu koda kurulan tuşun lambası yanar`,
          en: `${OFFICE_CODE} closes the office by hand and back; the lamp of a key that watches this code is lit`,
        },
      },
    ),
    office_opens: time(
      { tr: "Mesai başlangıcı", en: "Office opens" },
      { default: "08:00", only: "command", about: sameEveryDay },
    ),
    office_closes: time(
      { tr: "Mesai bitişi", en: "Office closes" },
      { default: "18:00", only: "command", about: sameEveryDay },
    ),
    office_days: days(
      { tr: "Mesai günleri", en: "Working days" },
      { default: [1, 2, 3, 4, 5], only: "command", about: sameEveryDay },
    ),
    default_caller_id: ownNumber(
      { tr: "Varsayılan dış numara", en: "Default outbound number" },
      { orNothing: true, under: inGeneral },
    ),
    ring_seconds: whole(
      { tr: "Çalma süresi (sn)", en: "Rings for (seconds)" },
      { least: 5, most: 300, default: 30, under: inGeneral },
    ),
    codecs: several(
      { tr: "Dahililerin kodekleri (sırayla)", en: "Codecs of its phones, in order" },
      { among: codecNames, default: ownNames, under: inGeneral },
    ),
    md5_again: yesOrNo(
      { tr: "SHA-256 kullanmış telefon MD5'e dönebilir", en: "Phones that used SHA-256 may go back to MD5" },
      {
        default: false,
        under: inGeneral,
        about: {
          tr: "Eski yazılıma dönen ya da sonradan eklenen eski telefonlar için",
          en: "For phones whose firmware was put back, and older ones that are added to an extension",
        },
      },
    ),
    record_calls: yesOrNo(
      { tr: "Çağrıları kaydet (ana anahtar)", en: "Record calls (main switch)" },
      { default: true, under: ofRecording },
    ),
    record_inbound: yesOrNo({ tr: "Gelen çağrılar", en: "Inbound calls" }, { default: true, under: ofRecording }),
    record_outbound: yesOrNo({ tr: "Giden çağrılar", en: "Outbound calls" }, { default: true, under: ofRecording }),
    record_internal: yesOrNo({ tr: "Dahili çağrılar", en: "Internal calls" }, { default: false, under: ofRecording }),
    recording_retention_days: whole(
      { tr: "Kayıtlar kaç gün saklanır", en: "Recordings are kept for (days)" },
      { least: 1, most: 36_500, default: 90, under: ofRecording },
    ),
    fax_retention_days: whole(
      { tr: "Fakslar kaç gün saklanır (boş: hep)", en: "Faxes are kept for (days; empty: for good)" },
      { least: 1, most: 36_500, orNothing: true, under: ofRecording },
    ),
    inbound_form: form(
      { tr: "Gelen çağrıların formu", en: "Form of inbound calls" },
      {
        orNothing: true,
        column: "inbound_form_id",
        under: ofForms,
        about: { tr: "Kuyruğun ya da grubun kendi formu yoksa", en: "Unless the queue or the ring group has its own" },
      },
    ),
    outbound_form: form(
      { tr: "Giden çağrıların formu", en: "Form of outbound calls" },
      { orNothing: true, column: "outbound_form_id", under: ofForms },
    ),
    emergency_numbers: shortNumbers(
      { tr: "Acil çağrı numaraları", en: "Emergency numbers" },
      {
        default: ["112", "110", "122", "155", "156", "158", "177"],
        about: {
          tr: "Hiçbir kural ya da sınır bunlara yapılan çağrıyı engellemez; 112 her zaman böyledir",
          en: "No rule or limit holds up a call to one of these; 112 always is one",
        },
        under: ofLimits,
      },
    ),
    qualify_seconds: whole(
      { tr: "Telefonlara sorulur (sn; 0: hiç)", en: "Phones are asked whether they are there (seconds; 0: never)" },
      { least: 0, most: 3_600, default: 60, under: ofPhones },
    ),
    keep_alive_seconds: whole(
      {
        tr: "NAT arkasındaki yol açık tutulur (sn; 0: hiç)",
        en: "Ways through a NAT are kept open (seconds; 0: never)",
      },
      { least: 0, most: 300, default: 25, under: ofPhones },
    ),
    ...limitFields,
    ...securityFields,
    ...deskFields,
    crm_ringing: eventSwitches.ringing,
    crm_answered: eventSwitches.answered,
    crm_hangup: eventSwitches.hangup,
    crm_queue_alarm: yesOrNo(
      { tr: "Kuyruk alarmlarını bildir", en: "Report alarms of queues" },
      {
        default: false,
        under: ofIntegrations,
        about: {
          tr: "Çağrı olaylarının gittiği adrese, başlayınca ve bitince",
          en: "To where call events go, when one begins and when it ends",
        },
      },
    ),
    crm_url: url(
      { tr: "Çağrı olaylarının gönderildiği adres", en: "Where call events are posted" },
      { orNothing: true, only: "command" },
    ),
    crm_probe: yesOrNo(
      { tr: "Yeni bildirim adresi denensin", en: "A changed notification URL must answer a trial POST" },
      { default: false, under: ofIntegrations },
    ),
    program_url: url(
      { tr: "Çağrı programlama adresi", en: "Call programming URL" },
      { orNothing: true, under: ofIntegrations },
    ),
    program_spare_target: target(
      { tr: "Servis yanıt vermezse hedef", en: "Target when that service fails" },
      { place: "inbound", orNothing: true, under: ofIntegrations },
    ),
    program_record_keys: yesOrNo(
      { tr: "Servis için tuşlanırken kaydet", en: "Record while callers press keys for that service" },
      { default: false, only: "command" },
    ),
    campaign_retry_seconds: whole(
      { tr: "Kampanya yeniden aramadan önce bekler (sn)", en: "Before a campaign calls again (seconds)" },
      { least: 10, most: 86_400, default: 300, only: "command" },
    ),
    campaign_cut_off: choice(
      { tr: "Çağrısı bir çökmeyle kesilen numara", en: "Numbers whose call a crash cut off" },
      {
        among: { finish: { tr: "Bitti sayılır", en: "Finished" }, retry: { tr: "Yeniden aranır", en: "Called again" } },
        default: "finish",
        only: "command",
      },
    ),
    commercial_calls_from: time(
      { tr: "Ticari arama başlangıcı", en: "The first lawful minute for selling" },
      { default: "09:00", only: "command" },
    ),
    commercial_calls_until: time(
      { tr: "Ticari arama bitişi", en: "The end of the hours for selling" },
      { default: "21:00", only: "command" },
    ),
    multi_line_campaigns: yesOrNo(
      { tr: "Kampanyalar birden çok hat kullanabilir", en: "Campaigns may call several numbers at once" },
      { default: true, only: "command" },
    ),
    strict_campaign_targets: yesOrNo(
      { tr: "Kuyruk kampanyaları da hedef belirtmeli", en: "Queue campaigns, too, must name a target" },
      { default: false, only: "command" },
    ),
    webphone_origins: origins(
      { tr: "Web telefonunu gömebilen sayfalar", en: "Pages that may embed and steer the web phone" },
      { default: [], only: "command" },
    ),
    external_contacts: yesOrNo(
      { tr: "Rehber dış kaynaktan yönetiliyor", en: "Contacts come from an outside integration" },
      { default: false, under: ofIntegrations },
    ),
    special_day_messages: yesOrNo(
      { tr: "Özel gün mesajları gönderilsin", en: "Send special-day messages" },
      { default: false, under: ofIntegrations },
    ),
    show_sip_passwords: yesOrNo(
      {
        tr: "GET /extensions/{id} açıkken verilen SIP parolalarını gösterir",
        en: "GET /extensions/{id} shows SIP passwords that were made while this is on",
      },
      { default: false, only: "command" },
    ),
    cdr_range_limit: yesOrNo(
      { tr: "31 günden uzun CDR listesini reddet", en: "Refuse CDR lists of more than 31 days" },
      { default: false, only: "command" },
    ),
  },
});
