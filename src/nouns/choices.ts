// Choices that several nouns offer.

import { LANGUAGES, type Language, languages } from "../languages.ts";
import { type Language as Spoken, spoken } from "../speech/language.ts";
import type { Words } from "./field.ts";

/** Each language by its own name for itself. */
export const spokenChoices = Object.fromEntries(
  Object.entries(spoken).map(([language, { name }]) => [language, name]),
) as Record<Spoken, string>; // of the record's own languages

/** The languages that the exchange writes, likewise. */
export const readChoices = Object.fromEntries(
  LANGUAGES.map((language) => [language, languages[language].name]),
) as Record<Language, string>; // of that list

type Key = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#";

/** The emergency number of Türkiye and of all Europe: it calls for help whatever an exchange has set. */
export const ALWAYS_EMERGENCY = "112";

/** The keys of a telephone. */
export const keyChoices = Object.fromEntries([..."0123456789*#"].map((key) => [key, key])) as Record<Key, string>; // these

export const groupStrategies = {
  simultaneous: { tr: "Hepsi birden", en: "All at once" },
  sequential: { tr: "Sırayla", en: "One after another" },
  random: { tr: "Rastgele", en: "Random" },
  "least-busy": { tr: "En az meşgul", en: "Least busy" },
} as const satisfies Record<string, Words>;

export const queueStrategies = {
  ...groupStrategies,
  "longest-idle": { tr: "En uzun boşta", en: "Longest idle" },
} as const satisfies Record<string, Words>;

export type GroupStrategy = keyof typeof groupStrategies;
export type QueueStrategy = keyof typeof queueStrategies;

export const recipientTypes = {
  BIREYSEL: { tr: "Bireysel", en: "Individual" },
  TACIR: { tr: "Tacir", en: "Merchant" },
} as const satisfies Record<string, Words>;

/** Whether the office is open: as its hours say, or as somebody has switched it by hand. */
export const officeSwitch = {
  hours: { tr: "Mesai saatlerine göre", en: "By the office hours" },
  open: { tr: "Açık (elle)", en: "Open, by hand" },
  closed: { tr: "Kapalı (elle)", en: "Closed, by hand" },
} as const satisfies Record<string, Words>;

export type OfficeSwitch = keyof typeof officeSwitch;

/** What a phone dials to turn that switch, and what a key with a lamp watches. */
export const OFFICE_CODE = "*24";

/** Of what says in three words what the week says day by day. */
export const sameEveryDay: Words = {
  tr: "Her gün aynıysa; office-hours ile birlikte değişir",
  en: "Where every day is the same; it follows office-hours, and office-hours follows it",
};

/** What an extension may call, each with all before it. */
export const callClasses = {
  internal: { tr: "Yalnızca dahililer", en: "Inside only" },
  national: { tr: "Yurt içi sabit numaralar", en: "Landlines in the country" },
  mobile: { tr: "Cep telefonları da", en: "Mobile phones as well" },
  international: { tr: "Yurt dışı da", en: "Abroad as well" },
  all: { tr: "Santralin izin verdiği her yer", en: "Whatever the exchange allows" },
} as const satisfies Record<string, Words>;

export type CallClass = keyof typeof callClasses;

/** How voice is encrypted: never, when the other side offers it, offered as well, or not without. */
export const srtpUses = {
  off: { tr: "Kapalı", en: "Off" },
  answered: { tr: "Karşı taraf önerirse", en: "When the other side offers it" },
  allowed: { tr: "Önerilir, zorunlu değil", en: "Offered, not required" },
  required: { tr: "Zorunlu", en: "Required" },
} as const satisfies Record<string, Words>;

export type SrtpUse = keyof typeof srtpUses;

/** In which form keys are sent. */
export const keyForms = {
  auto: { tr: "Kendiliğinden", en: "By itself" },
  rfc4733: "RFC 4733",
  info: "SIP INFO",
  inband: { tr: "Ses olarak", en: "As tones" },
} as const satisfies Record<string, Words | string>;

export type KeyForm = keyof typeof keyForms;

/** Over which time the service level of an alarm is taken. */
export const levelStretches = {
  day: { tr: "bugün", en: "today" },
  "half-hour": { tr: "son yarım saat", en: "the last half hour" },
} as const satisfies Record<string, Words>;

export type LevelStretch = keyof typeof levelStretches;
