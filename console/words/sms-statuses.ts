// What became of a message: the words of the SMS interface, as people say it.

import type { FinalState } from "../../src/store/sms-state.ts";
import type { Both, Language } from "./language.tsx";

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

export function smsStatus(status: string, language: Language): string {
  const known: Partial<Record<string, Both>> = smsStatuses;
  return known[status]?.[language] ?? status;
}
