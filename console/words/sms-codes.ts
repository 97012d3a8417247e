// Why messages or consents were not taken: the codes of the SMS interface in words.

import type { SmsCode } from "../../src/http/console/operation/refusal.ts";
import type { Both } from "./language.tsx";

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
  MESSAGE_COUNT_LIMIT_EXCEEDED: { tr: "Tek seferde bu kadar çok alıcı olmaz.", en: "Too many recipients at once." },
  MISSING_CONSENT: { tr: "İzin eksik.", en: "A consent is missing." },
  MISSING_CONSENT_DATE: { tr: "İzin tarihi yok.", en: "The date of consent is missing." },
  INVALID_CONSENT_DATE: {
    tr: "İzin tarihi uygun değil: gelecekte ya da çok eski.",
    en: "The date of consent does not fit: it is in the future, or too old.",
  },
  INVALID_RECIPIENT: { tr: "Alıcılardan biri uygun değil.", en: "A recipient does not fit." },
};
