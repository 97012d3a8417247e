// The rules of the consent registry: what a consent must say before it is taken, and when a recorded one changes.

import { recipientTypes } from "../nouns/choices.ts";
import { readPhone } from "./phone.ts";
import { readStamp } from "./timing.ts";

export const CONSENT_TYPES = ["ARAMA", "MESAJ", "EPOSTA"] as const;
export const CONSENT_STATUSES = ["ONAY", "RET"] as const;
export const RECIPIENT_TYPES = Object.keys(recipientTypes) as RecipientType[]; // of the record
export const CONSENT_SOURCES = [
  "HS_FIZIKSEL_ORTAM",
  "HS_ISLAK_IMZA",
  "HS_WEB",
  "HS_CAGRI_MERKEZI",
  "HS_SOSYAL_MEDYA",
  "HS_EPOSTA",
  "HS_MESAJ",
  "HS_MOBIL",
  "HS_EORTAM",
  "HS_ETKINLIK",
  "HS_2015",
  "HS_ATM",
  "HS_KARAR",
  // A second published list has these four besides.
  "HS_CAGRI",
  "HS_BAYI",
  "HS_MAGAZA",
  "HS_ETICARET",
] as const;

export type ConsentType = (typeof CONSENT_TYPES)[number];
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];
export type RecipientType = keyof typeof recipientTypes;
export type ConsentSource = (typeof CONSENT_SOURCES)[number];

export type Consent = {
  type: ConsentType;
  source: ConsentSource;
  status: ConsentStatus;
  recipientType: RecipientType;
  recipient: string;
  consentedAt: Date;
};

export type WrittenConsent = {
  [Field in "type" | "source" | "status" | "recipientType" | "recipient" | "date"]?: string;
};

export type ConsentRefusal = {
  refused:
    | "MISSING_CONSENT"
    | "MISSING_CONSENT_DATE"
    | "INVALID_CONSENT_DATE"
    | "INVALID_RECIPIENT"
    | "INVALID_IYS_RECIPIENT_TYPE";
};

const LAW_DAY = "2015-05-01";
const OLDEST_MS = 3 * 86_400_000;

export function readConsent(written: WrittenConsent, now: number, zone: string): Consent | ConsentRefusal {
  const type = oneOf(CONSENT_TYPES, written.type);
  const source = oneOf(CONSENT_SOURCES, written.source);
  const status = oneOf(CONSENT_STATUSES, written.status);
  if (!type || !source || !status) return { refused: "MISSING_CONSENT" };
  const recipientType = oneOf(RECIPIENT_TYPES, written.recipientType);
  if (!recipientType) return { refused: "INVALID_IYS_RECIPIENT_TYPE" };
  const recipient = readRecipient(type, written.recipient ?? "");
  if (!recipient) return { refused: "INVALID_RECIPIENT" };
  const date = readConsentDate({ written: written.date, source, recipientType }, now, zone);
  return "refused" in date ? date : { type, source, status, recipientType, recipient, consentedAt: date.at };
}

type Dated = { written: string | undefined; source: ConsentSource; recipientType: RecipientType };

/** Only a person's consent must say when it was given; a merchant's counts from when it is handed in. */
function readConsentDate(dated: Dated, now: number, zone: string): { at: Date } | ConsentRefusal {
  const { written, source, recipientType } = dated;
  if (written === undefined && recipientType === "BIREYSEL") return { refused: "MISSING_CONSENT_DATE" };
  const at = written === undefined ? now : readStamp(written, zone);
  const lawDay = lawDayIn(zone);
  if (at === undefined || at > now || at < lawDay) return { refused: "INVALID_CONSENT_DATE" };
  const timely = source === "HS_2015" ? at < lawDay + 86_400_000 : at >= now - OLDEST_MS;
  return timely ? { at: new Date(at) } : { refused: "INVALID_CONSENT_DATE" };
}

const lawDays = new Map<string, number>();

/** Asked of every consent, and slow to find out. */
function lawDayIn(zone: string): number {
  const known = lawDays.get(zone) ?? readStamp(LAW_DAY, zone)!; // a day of the calendar
  lawDays.set(zone, known);
  return known;
}

export type Judged = { taken: true } | { taken: false; error: string };

/** What the registry says of one recipient, given what it already knows of them. */
export function judgeConsent({ source, status }: Consent, known: ConsentStatus | undefined): Judged {
  if (source === "HS_KARAR" && status !== "RET")
    return { taken: false, error: "HS_KARAR kaynağı yalnızca RET durumu ile kullanılabilir." };
  if (known === undefined && status === "RET")
    return {
      taken: false,
      error: "H175 İlk defa kaydedilen bir iznin durum (status) bilgisi RET olmamalıdır.",
    };
  return { taken: true };
}

export function oneOf<Value extends string>(values: readonly Value[], written: string | undefined): Value | undefined {
  const capitals = written?.trim().toUpperCase();
  return values.find((value) => value === capitals);
}

function readRecipient(type: ConsentType, written: string): string | undefined {
  if (type === "EPOSTA")
    return /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(written.trim()) ? written.trim().toLowerCase() : undefined;
  return readPhone(written)?.number;
}
