// The words for things that refusals and pages name: nouns, roles, states, codes and fields.

import type { AgentStatus } from "../exchange/features/agents/agent-status.ts";
import type { Both, Language } from "../languages.ts";
import { allNouns } from "../nouns/all.ts";
import type { ConsentRefusal } from "../sms/consent.ts";
import type { SendRefusal } from "../sms/order.ts";
import type { Cdr } from "../store/cdrs.ts";
import type { User } from "../store/refusal.ts";

export const nouns: Record<User["noun"], Both> = {
  extension: { tr: "Dahili", en: "extension" },
  queue: { tr: "Kuyruk", en: "queue" },
  group: { tr: "Çağrı grubu", en: "ring group" },
  menu: { tr: "Menü", en: "menu" },
  sound: { tr: "Anons", en: "announcement" },
  announcement: { tr: "Anons", en: "announcement" },
  number: { tr: "Numara", en: "number" },
  "external number": { tr: "Numara", en: "number" },
  trunk: { tr: "Hat", en: "trunk" },
  rule: { tr: "Kural", en: "rule" },
  "report plan": { tr: "Rapor gönderimi", en: "report by mail" },
  call: { tr: "Çağrı", en: "call" },
  message: { tr: "Mesaj", en: "message" },
  contact: { tr: "Kişi", en: "contact" },
  "contact source": { tr: "Rehber kaynağı", en: "source of contacts" },
  campaign: { tr: "Gönderim", en: "campaign" },
  fax: { tr: "Faks", en: "fax" },
  "fax order": { tr: "Giden faks", en: "fax to be sent" },
  backup: { tr: "Yedek", en: "backup" },
  import: { tr: "Aktarım", en: "import" },
  holiday: { tr: "Tatil", en: "holiday" },
  session: { tr: "Oturum", en: "session" },
  key: { tr: "Anahtar", en: "key" },
  delivery: { tr: "Bildirim", en: "delivery" },
  mailbox: { tr: "Sesli mesaj kutusu", en: "mailbox" },
  "staff account": { tr: "Kullanıcı", en: "staff account" },
  "wall board": { tr: "Duvar panosu", en: "wall board" },
  form: { tr: "Form", en: "form" },
  text: { tr: "hazır mesaj", en: "ready text" },
  title: { tr: "SMS başlığı", en: "title" },
  carrier: { tr: "Taşıyıcı", en: "carrier" },
  archive: { tr: "Arşiv", en: "archive" },
  recording: { tr: "Ses kaydı", en: "recording" },
  exchange: { tr: "Santral", en: "exchange" },
  "SIP domain": { tr: "SIP alan adı", en: "SIP domain" },
  "SMS user name": { tr: "SMS kullanıcı adı", en: "SMS user name" },
  "single sign-on": { tr: "Tek oturum açma", en: "single sign-on" },
  programming: { tr: "Çağrı programlama", en: "programming" },
  "default caller ID": { tr: "Varsayılan arayan numarası", en: "default caller ID" },
};

export const agentStatuses: Record<AgentStatus, Both> = {
  available: { tr: "Hazır", en: "Available" },
  ringing: { tr: "Çalıyor", en: "Ringing" },
  talking: { tr: "Görüşmede", en: "Talking" },
  "wrapping-up": { tr: "İşlem sonrası", en: "Wrapping up" },
  "on-break": { tr: "Molada", en: "On a break" },
  "logged-out": { tr: "Çıkış yaptı", en: "Logged out" },
};

export const directions: Record<Cdr["direction"], Both> = {
  inbound: { tr: "Gelen", en: "Inbound" },
  outbound: { tr: "Giden", en: "Outbound" },
  internal: { tr: "Dahili", en: "Internal" },
};

/** Why messages or consents were not taken. */
export type SmsCode = SendRefusal["refused"] | ConsentRefusal["refused"];

export const smsCodes: Record<SmsCode, Both> = {
  INVALID_DATACODING: {
    tr: "Metinde seçilen karakter kümesinde olmayan bir işaret var.",
    en: "The text has a sign that the chosen alphabet lacks.",
  },
  MESSAGE_TOO_LONG: { tr: "Mesaj çok uzun.", en: "The message is too long." },
  MISSING_MESSAGE: { tr: "Mesaj boş olamaz.", en: "The message cannot be empty." },
  INVALID_SOURCE_ADDRESS: { tr: "Bu başlık tanımlı değil.", en: "There is no such title." },
  NUMERIC_SOURCE_ADDRESS_NOT_ALLOWED: { tr: "Başlık bir numara olamaz.", en: "A title cannot be a number." },
  INVALID_PERIOD: { tr: "Geçerlilik süresi uygun değil.", en: "The time it stays valid does not fit." },
  INVALID_DELIVERY_TIME: { tr: "Gönderim zamanı uygun değil.", en: "The time to send it does not fit." },
  MISSING_IYS_BRAND_CODE: { tr: "Başlığın İYS marka kodu yok.", en: "The title has no brand code." },
  AHS_AUTHORIZATION_ERROR: {
    tr: "Bu başlık için İYS yetkisi yok.",
    en: "The registry has not authorised this title.",
  },
  NO_AHS_BRAND_ERROR: { tr: "Marka İYS’de bulunamadı.", en: "The registry knows no such brand." },
  INVALID_IYS_RECIPIENT_TYPE: { tr: "Alıcı türü uygun değil.", en: "The kind of recipient does not fit." },
  MISSING_DESTINATION_ADDRESS: { tr: "Alıcı yok.", en: "There is no recipient." },
  INVALID_DESTINATION_ADDRESS: { tr: "Alıcılardan biri uygun bir numara değil.", en: "A recipient is not a number." },
  MUKERRER_RAPORLAMA: {
    tr: "Aynı mesaj aynı alıcılara az önce gönderildi.",
    en: "The same message went to the same recipients a moment ago.",
  },
  INSUFFICIENT_CREDITS: { tr: "Kredi yetersiz.", en: "There are not enough credits." },
  FORBIDDEN_MESSAGE: { tr: "Bu metnin gönderilmesine izin yok.", en: "This text may not be sent." },
  MISSING_OPT_OUT: {
    tr: "Metin, mesajların nasıl durdurulacağını söylemiyor (IPTAL yaz … gönder).",
    en: "The text does not say how to get no more messages (send IPTAL to …).",
  },
  MESSAGE_COUNT_LIMIT_EXCEEDED: { tr: "Tek seferde bu kadar çok alıcı olmaz.", en: "Too many recipients at once." },
  MISSING_CONSENT: { tr: "İzin eksik.", en: "A consent is missing." },
  MISSING_CONSENT_DATE: { tr: "İzin tarihi yok.", en: "The date of consent is missing." },
  INVALID_CONSENT_DATE: {
    tr: "İzin tarihi uygun değil: gelecekte ya da çok eski.",
    en: "The date of consent does not fit: it is in the future, or too old.",
  },
  INVALID_RECIPIENT: { tr: "Alıcılardan biri uygun değil.", en: "A recipient does not fit." },
};

/** As in "Rings for (seconds)". */
const UNIT = / \([^()]*\)$/;

/** Where nouns have fields of one name, the first of them says it. */
const described: Record<string, Both> = Object.fromEntries(
  allNouns
    .flatMap(({ fields }) => Object.entries(fields))
    .flatMap(([name, { label, parameter = name }]) => [name, parameter].map((it): [string, Both] => [it, label]))
    .reverse(),
);

/** What people call the fields that a refusal names. One that is not here is shown as it was written. */
const names: Record<string, Both> = {
  ...described,
  // What only the interface calls so.
  answered: { tr: "Cevaplanma", en: "Answered" },
  call: { tr: "Çağrı", en: "Call" },
  caller: { tr: "Arayan", en: "Caller" },
  content: { tr: "Dosya", en: "File" },
  destination: { tr: "Aranan numara", en: "Number" },
  digit_target_square: { tr: "# tuşu", en: "Key #" },
  digit_target_star: { tr: "* tuşu", en: "Key *" },
  filedata: { tr: "Belge", en: "Document" },
  group_ids: { tr: "Gruplar", en: "Groups" },
  id: { tr: "No", en: "No." },
  to: { tr: "Nereye", en: "To" },
  hangup: { tr: "Bitiş", en: "Hang-up" },
  lang: { tr: "Dil", en: "Language" },
  name: { tr: "Ad", en: "Name" },
  limit: { tr: "Sayfa boyu", en: "Rows on a page" },
  local_station_id: { tr: "Gönderen numara", en: "Number that sends" },
  notification_url: { tr: "Bildirim adresi", en: "Notification URL" },
  number: { tr: "Numara", en: "Number" },
  numbers: { tr: "Numaralar", en: "Numbers" },
  phone_list: { tr: "Numaralar", en: "Numbers" },
  recipient: { tr: "Alıcı", en: "Recipient" },
  remote_station_id: { tr: "Alıcı numarası", en: "Recipient's number" },
  ringing: { tr: "Çalma", en: "Ringing" },
  sounddata: { tr: "Ses dosyası", en: "Sound file" },
};

const key: Both<(digit: string) => string> = { tr: (digit) => `${digit} tuşu`, en: (digit) => `Key ${digit}` };

/** Of a path such as `changes/max_calls` the last part is the field. */
export function fieldName(path: string, language: Language): string {
  const field = path.slice(path.lastIndexOf("/") + 1);
  const digit = /^digit_target_(\d)$/.exec(field)?.[1];
  if (digit !== undefined) return key[language](digit);
  const known = Object.hasOwn(names, field) ? names[field] : undefined; // whoever asks may have called it "constructor"
  return known?.[language].replace(UNIT, "") ?? field;
}
