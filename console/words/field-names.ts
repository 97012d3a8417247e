// What people call the fields that the server names in a refusal. One that is not here is shown as the server wrote it.

import type { Both, Language } from "./language.tsx";

const names: Record<string, Both> = {
  active_days: { tr: "Günler", en: "Days" },
  answered: { tr: "Cevaplanma", en: "Answered" },
  birthday: { tr: "Doğum günü", en: "Birthday" },
  call_retries: { tr: "Yeniden deneme", en: "Further attempts" },
  call_type: { tr: "Tür", en: "Kind" },
  cli: { tr: "Görünen numara", en: "Number that is shown" },
  content: { tr: "Dosya", en: "File" },
  crm_url: { tr: "Bildirim adresi", en: "Notification URL" },
  date_range_begin: { tr: "İlk gün", en: "First day" },
  date_range_end: { tr: "Son gün", en: "Last day" },
  destination: { tr: "Aranan numara", en: "Number" },
  digit_retries: { tr: "Menü tekrarı", en: "Repeats of the menu" },
  digit_target_square: { tr: "# tuşu", en: "Key #" },
  digit_target_star: { tr: "* tuşu", en: "Key *" },
  digit_timeout: { tr: "Tuş bekleme", en: "Waiting for a key" },
  email: { tr: "E-posta", en: "E-mail address" },
  filedata: { tr: "Belge", en: "Document" },
  group_ids: { tr: "Gruplar", en: "Groups" },
  hangup: { tr: "Bitiş", en: "Hang-up" },
  host: { tr: "Sunucu", en: "Host" },
  invalid_target: { tr: "Başka bir tuşta", en: "On every other key" },
  iys_brand_code: { tr: "İYS marka kodu", en: "Brand code" },
  iys_recipient_type: { tr: "Alıcı türü", en: "Kind of recipient" },
  lang: { tr: "Dil", en: "Language" },
  limit: { tr: "Sayfa boyu", en: "Rows on a page" },
  local_station_id: { tr: "Gönderen numara", en: "Number that sends" },
  max_abandoned_percent: { tr: "Temsilci bulamayan çağrı payı", en: "Share of calls without an agent" },
  max_thread_count: { tr: "Aynı anda arama", en: "Calls at once" },
  monthly_sms_day: { tr: "Aylık SMS günü", en: "Day of the monthly message" },
  monthly_sms_message: { tr: "Aylık SMS metni", en: "Text of the monthly message" },
  name: { tr: "Ad", en: "Name" },
  notification_url: { tr: "Bildirim adresi", en: "Notification URL" },
  number: { tr: "Numara", en: "Number" },
  numbers: { tr: "Numaralar", en: "Numbers" },
  password: { tr: "Parola", en: "Password" },
  phone: { tr: "Telefon", en: "Phone number" },
  phone_list: { tr: "Numaralar", en: "Numbers" },
  phrase: { tr: "Seslendirilecek söz", en: "What is said" },
  pin: { tr: "PIN", en: "PIN" },
  prefix: { tr: "Başlangıç", en: "Begins with" },
  priority: { tr: "Öncelik", en: "Priority" },
  program_url: { tr: "Çağrı programlama adresi", en: "Call programming URL" },
  queue_number: { tr: "Kuyruk", en: "Queue" },
  remote_station_id: { tr: "Alıcı numarası", en: "Recipient's number" },
  ring_timeout: { tr: "Çalma süresi", en: "Ringing time" },
  ringing: { tr: "Çalma", en: "Ringing" },
  sounddata: { tr: "Ses dosyası", en: "Sound file" },
  source_addresses: { tr: "Gelen çağrı adresleri", en: "Calls may come from" },
  surname: { tr: "Soyad", en: "Surname" },
  thread_multiplier: { tr: "Temsilci başına arama", en: "Calls for each agent" },
  time_range_begin: { tr: "Başlangıç saati", en: "First hour" },
  time_range_end: { tr: "Bitiş saati", en: "Last hour" },
  time_zone: { tr: "Saat dilimi", en: "Time zone" },
  timeout_target: { tr: "Tuşa basılmazsa", en: "When no key is pressed" },
  webhook_url: { tr: "Bildirim adresi", en: "Notification URL" },
  weddingday: { tr: "Evlilik yıl dönümü", en: "Wedding day" },
};

/** Of a path such as `changes/max_calls` the last part is the field. */
export function fieldName(path: string, language: Language): string {
  const field = path.slice(path.lastIndexOf("/") + 1);
  const key = /^digit_target_(\d)$/.exec(field)?.[1];
  if (key !== undefined) return language === "tr" ? `${key} tuşu` : `Key ${key}`;
  return names[field]?.[language] ?? field;
}
