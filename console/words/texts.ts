// Words that many pages use: buttons and small things, states, the codes of messages and consents.

import type { ExtensionNow } from "../../src/exchange/panel.ts";
import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { ConsentSource, ConsentStatus, ConsentType } from "../../src/sms/consent.ts";
import type { FinalState } from "../../src/store/sms-state.ts";
import { directions as ways } from "../../src/words/terms.ts";
import { type Both, inBoth } from "./language.tsx";

/** Buttons and small words of every page. */
export const general = inBoth({
  save: { tr: "Kaydet", en: "Save" },
  cancel: { tr: "Vazgeç", en: "Cancel" },
  close: { tr: "Kapat", en: "Close" },
  help: { tr: "Kılavuz (İngilizce)", en: "Documentation" },
  add: { tr: "Ekle", en: "Add" },
  edit: { tr: "Düzenle", en: "Edit" },
  remove: { tr: "Sil", en: "Delete" },
  search: { tr: "Ara", en: "Search" },
  from: { tr: "Başlangıç", en: "From" },
  to: { tr: "Bitiş", en: "Until" },
  copy: { tr: "Kopyala", en: "Copy" },
  copied: { tr: "Kopyalandı", en: "Copied" },
  all: { tr: "Tümü", en: "All" },
  none: { tr: "Yok", en: "None" },
  name: { tr: "Ad", en: "Name" },
  number: { tr: "Numara", en: "Number" },
  actions: { tr: "İşlemler", en: "Actions" },
  saved: { tr: "Kaydedildi", en: "Saved" },
  removed: { tr: "Silindi", en: "Deleted" },
  needed: { tr: "Bir seçim yapın.", en: "Choose one." },
  filled: { tr: "Bu alan boş olamaz.", en: "This cannot be empty." },
  badEmail: { tr: "Bir e-posta adresi yazın.", en: "Write an e-mail address." },
  discardTitle: { tr: "Değişiklikler kaydedilmedi", en: "Changes are not saved" },
  discardAbout: {
    tr: "Form kapanırsa yazdıklarınız kaybolur.",
    en: "What you have filled in is lost when the form closes.",
  },
  discard: { tr: "Kaydetmeden kapat", en: "Close without saving" },
  keepEditing: { tr: "Forma dön", en: "Back to the form" },
  seconds: { tr: "sn", en: "s" },
  loading: { tr: "Yükleniyor", en: "Loading" },
  tryAgain: { tr: "Yeniden dene", en: "Try again" },
  failed: { tr: "Bir şey ters gitti", en: "Something went wrong" },
  forbidden: { tr: "Bunu görme yetkiniz yok", en: "You may not see this" },
  missing: { tr: "Bulunamadı", en: "Not found" },
  missingAbout: {
    tr: "Silinmiş olabilir ya da size açık değildir.",
    en: "It may have been deleted, or it is not open to you.",
  },
  refused: { tr: "Gösterilemiyor", en: "This cannot be shown" },
  nothingYet: { tr: "Henüz bir şey yok", en: "Nothing here yet" },
  sureTitle: { tr: "Emin misiniz?", en: "Are you sure?" },
  shownOnce: {
    tr: "Yalnızca şimdi gösterilir. Güvenli bir yere kaydedin.",
    en: "Shown only now. Keep it in a safe place.",
  },
  showAll: { tr: (about: string) => `“${about}” · tümünü göster`, en: (about: string) => `“${about}” · show all` },
  page: { tr: "Sayfa", en: "Page" },
  moreRows: { tr: (count: number) => `${count} kayıttan fazla`, en: (count: number) => `more than ${count} rows` },
  rows: { tr: (count: number) => `${count} kayıt`, en: (count: number) => (count === 1 ? "1 row" : `${count} rows`) },
});

export const extensionStates: Record<ExtensionNow["state"], Both & { color: string }> = {
  available: { tr: "Müsait", en: "Available", color: "teal" },
  ringing: { tr: "Çalıyor", en: "Ringing", color: "yellow" },
  "on a call": { tr: "Görüşmede", en: "On a call", color: "red" },
  listening: { tr: "Dinliyor", en: "Listening", color: "grape" },
  silent: { tr: "Telefon yanıt vermiyor", en: "Phone does not answer", color: "orange" },
  "do-not-disturb": { tr: "Rahatsız etmeyin", en: "Do not disturb", color: "grape" },
  unregistered: { tr: "Bağlı değil", en: "Not connected", color: "gray" },
};

/** Who is there but gets no calls. */
export const outOfReach: Both & { color: string } = {
  tr: "Hazır, ulaşılamıyor",
  en: "Available, out of reach",
  color: "yellow",
};

export const directions: Record<string, Both & { icon: "in" | "out" | "inside" }> = {
  inbound: { ...ways.inbound, icon: "in" },
  outbound: { ...ways.outbound, icon: "out" },
  internal: { ...ways.internal, icon: "inside" },
};

export const consentTypes: Record<ConsentType, Both> = {
  MESAJ: { tr: "Mesaj", en: "Message" },
  ARAMA: { tr: "Arama", en: "Call" },
  EPOSTA: { tr: "E-posta", en: "E-mail" },
};

export const consentStatuses: Record<ConsentStatus, Both> = {
  ONAY: { tr: "Onay", en: "Given" },
  RET: { tr: "Ret", en: "Refused" },
};

export const consentSources: Record<ConsentSource, Both> = {
  HS_FIZIKSEL_ORTAM: { tr: "Fiziksel ortam", en: "On paper or in person" },
  HS_ISLAK_IMZA: { tr: "Islak imza", en: "Signature by hand" },
  HS_WEB: { tr: "Web sitesi", en: "Website" },
  HS_CAGRI_MERKEZI: { tr: "Çağrı merkezi", en: "Call centre" },
  HS_SOSYAL_MEDYA: { tr: "Sosyal medya", en: "Social media" },
  HS_EPOSTA: { tr: "E-posta", en: "E-mail" },
  HS_MESAJ: { tr: "Mesaj", en: "Message" },
  HS_MOBIL: { tr: "Mobil uygulama", en: "Mobile app" },
  HS_EORTAM: { tr: "Elektronik ortam", en: "Electronic means" },
  HS_ETKINLIK: { tr: "Etkinlik", en: "Event" },
  HS_2015: { tr: "1 Mayıs 2015 öncesi", en: "Before 1 May 2015" },
  HS_ATM: { tr: "ATM", en: "Cash machine" },
  HS_KARAR: { tr: "Mahkeme kararı", en: "Court decision" },
  HS_CAGRI: { tr: "Çağrı", en: "Call" },
  HS_BAYI: { tr: "Bayi", en: "Dealer" },
  HS_MAGAZA: { tr: "Mağaza", en: "Shop" },
  HS_ETICARET: { tr: "E-ticaret", en: "Online shop" },
};

/** What became of a message. */
export const smsStatuses: Record<FinalState | "SENDING" | "WAITING", Both> = {
  SENDING: { tr: "Gönderiliyor", en: "Sending" },
  WAITING: { tr: "Rapor bekleniyor", en: "Waiting for a report" },
  DELIVERED: { tr: "İletildi", en: "Delivered" },
  SENT: { tr: "Gönderildi", en: "Sent" },
  NOT_DELIVERED: { tr: "İletilemedi", en: "Not delivered" },
  EXPIRED: { tr: "Süresi doldu", en: "Expired" },
  INVALID_DESTINATION_ADDRESS: { tr: "Hatalı numara", en: "Wrong number" },
  REJECTED: { tr: "Reddedildi", en: "Refused" },
  DOUBLE_SEND_ERROR: { tr: "Mükerrer", en: "Sent twice" },
  BLACKLISTED_DESTINATION_ADDRESS: { tr: "Kara listede", en: "On the blacklist" },
  NOT_ALLOWED_BY_IYS: { tr: "İYS izni yok", en: "No consent" },
  MISSING_TARIFF: { tr: "Tarife yok", en: "No tariff" },
  ROUTE_NOT_AVAILABLE: { tr: "Yol yok", en: "No route" },
  NETWORK_NOTCOVERED: { tr: "Şebeke kapsam dışı", en: "Network not covered" },
  SEND_ERROR: { tr: "Gönderim hatası", en: "Could not be sent" },
  INTERNATIONAL_DENIED: { tr: "Yurt dışı kapalı", en: "International is off" },
};

/** What the button at the foot of a form says: the very thing it does. A form that changes what is there says "Save". */
type Making = Extract<keyof ConsoleApi, `${string}.create`>;

/** Add an operation that makes something and this stops compiling. */
export const submits: Record<Making, Both> & Partial<Record<keyof ConsoleApi, Both>> = {
  "extensions.create": { tr: "Dahiliyi oluştur", en: "Create extension" },
  "queues.create": { tr: "Kuyruğu oluştur", en: "Create queue" },
  "reportPlans.create": { tr: "Oluştur", en: "Create" },
  "walls.create": { tr: "Panoyu oluştur", en: "Create board" },
  "groups.create": { tr: "Çağrı grubunu oluştur", en: "Create ring group" },
  "menus.create": { tr: "Menüyü oluştur", en: "Create menu" },
  "forms.create": { tr: "Formu oluştur", en: "Create form" },
  "numbers.create": { tr: "Numarayı ekle", en: "Add number" },
  "holidays.create": { tr: "Tatili ekle", en: "Add holiday" },
  "trunks.create": { tr: "Hattı oluştur", en: "Create trunk" },
  "rules.create": { tr: "Kuralı ekle", en: "Add rule" },
  "campaigns.create": { tr: "Kampanyayı başlat", en: "Start campaign" },
  "contacts.create": { tr: "Kişiyi ekle", en: "Add contact" },
  "contactGroups.create": { tr: "Grubu oluştur", en: "Create group" },
  "contactSources.create": { tr: "Kaynak ekle", en: "Add source" },
  "keys.create": { tr: "Anahtarı oluştur", en: "Create key" },
  "staff.create": { tr: "Hesabı oluştur", en: "Create account" },
  "sounds.speak": { tr: "Anonsu oluştur", en: "Create announcement" },
  "blocked.add": { tr: "Numarayı engelle", en: "Block number" },
  "faxes.send": { tr: "Faksı gönder", en: "Send fax" },
  "faxes.sendAgain": { tr: "Faksı gönder", en: "Send fax" },
  "sms.createTitle": { tr: "Başlığı ekle", en: "Add title" },
  "readyTexts.create": { tr: "Metni kaydet", en: "Save text" },
  "sms.addToBlacklist": { tr: "Kara listeye ekle", en: "Add to blacklist" },
  "sms.uploadConsents": { tr: "İzinleri bildir", en: "Send consents" },
};
