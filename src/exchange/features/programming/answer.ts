// What a customer's service says shall happen with a call: read leniently, because it is written by many hands.

import { type Language, languages, USUAL_LANGUAGE } from "../../../speech/language.ts";
import type { StoryFactOf } from "../../calls/story.ts";
import { isBadTarget, isNamedTarget, mayStandIn, parseTarget, type Target } from "../../plan/target.ts";

export type Transfer = {
  do: "transfer";
  target: Target;
  greeting: string | undefined;
  language: Language;
  announcementToCaller: number | undefined;
  announcementToCallee: number | undefined;
  recordingEnabled: boolean;
};

export type Prompt = {
  do: "prompt";
  sound: Spoken;
  minDigits: number;
  maxDigits: number;
  timeoutMs: number;
  digitTimeoutMs: number;
  retries: number;
  serviceUrl: string | undefined;
  parameter: string;
};

export type Record = { do: "record"; sound: Spoken | undefined };
export type Listen = { do: "listen"; announcementId: number | undefined; seconds: number };
export type Spoken = { announcementId: number } | { phrase: string; language: Language; speed: number };

export type Action = Transfer | Prompt | Record | Listen;
/** `status` is what came instead of a 200. */
export type Unusable = { unusable: StoryFactOf<"service-fails">["why"]; status?: number };

const LONGEST_PHRASE = 300;
const LONGEST_ANSWER = 64_000;

/** Exactly one of four keys counts; its siblings may be there as nulls. */
export function readAnswer(text: string): Action | Unusable {
  if (text.length > LONGEST_ANSWER) return { unusable: "too-long" };
  const value = parseLeniently(text);
  if (!isObject(value)) return { unusable: "no-json" };
  const said = Object.keys(readers).filter((key) => isObject(value[key]));
  const [only] = said;
  if (said.length !== 1 || only === undefined) return { unusable: "no-action" };
  return readers[only as keyof typeof readers](value[only] as Fields);
}

type Fields = { [name: string]: unknown };

const readers = {
  transfer(fields: Fields): Transfer | Unusable {
    const target = parseTarget(textIn(fields, "target") ?? "");
    if (isBadTarget(target) || isNamedTarget(target) || !mayStandIn("program", target))
      return { unusable: "no-target" };
    const language = languageIn(fields);
    const name = textIn(fields, "greet_name");
    return {
      do: "transfer",
      target,
      language,
      greeting: (textIn(fields, "greet_phrase") ?? (name && greetings[language](name)))?.slice(0, LONGEST_PHRASE),
      announcementToCaller: numberIn(fields, "announcement_to_caller"),
      announcementToCallee: numberIn(fields, "announcement_to_callee"),
      recordingEnabled: !/^(false|f|0|off|no)$/i.test(textIn(fields, "recording_enabled") ?? "true"),
    };
  },
  prompt(fields: Fields): Prompt | Unusable {
    const sound = soundIn(fields);
    const [minDigits, maxDigits] = [numberIn(fields, "min_digits") ?? 0, numberIn(fields, "max_digits") ?? 1];
    if (!sound) return { unusable: "no-sound" };
    if (minDigits < 0 || maxDigits < Math.max(1, minDigits) || maxDigits > 64) return { unusable: "bad-digits" };
    return {
      do: "prompt",
      sound,
      minDigits,
      maxDigits,
      timeoutMs: seconds(fields, "timeout", { usual: 6, least: 1, most: 10 }),
      digitTimeoutMs: seconds(fields, "digit_timeout", { usual: 3, least: 1, most: 10 }),
      retries: Math.min(Math.max(numberIn(fields, "retry_count") ?? 0, 0), 10),
      serviceUrl: textIn(fields, "service_url"),
      parameter: /^[A-Za-z_][\w-]{0,63}$/.exec(textIn(fields, "param_name") ?? "digits")?.[0] ?? "digits",
    };
  },
  record: (fields: Fields): Record => ({ do: "record", sound: soundIn(fields) }),
  speech_to_text: (fields: Fields): Listen => ({
    do: "listen",
    announcementId: numberIn(fields, "announcement_id"),
    // The interface spells it so; the right spelling is understood too.
    seconds:
      seconds(fields, "recognation_duration", {
        usual: numberIn(fields, "recognition_duration") ?? 10,
        least: 1,
        most: 10,
      }) / 1_000,
  }),
};

const greetings: { [Spoken in Language]: (name: string) => string } = {
  "tr-TR": (name) => `Merhaba ${name}, sizi aktarıyorum.`,
  "en-US": (name) => `Hello ${name}, connecting you.`,
  "ar-XA": (name) => `مرحبا ${name}، جاري التحويل.`,
};

function soundIn(fields: Fields): Spoken | undefined {
  const announcementId = numberIn(fields, "announcement_id");
  if (announcementId !== undefined) return { announcementId };
  const phrase = textIn(fields, "phrase")?.slice(0, LONGEST_PHRASE);
  const speed = Number(textIn(fields, "phrase_speed") ?? 1);
  if (!phrase) return undefined;
  return { phrase, language: languageIn(fields), speed: speed >= 0.5 && speed <= 1.5 ? speed : 1 };
}

function languageIn(fields: Fields): Language {
  const asked = textIn(fields, "lang")?.toLowerCase();
  return languages.find((language) => language.toLowerCase() === asked) ?? USUAL_LANGUAGE;
}

function seconds(fields: Fields, name: string, { usual, least, most }: { usual: number; least: number; most: number }) {
  const asked = numberIn(fields, name) ?? usual;
  return Math.min(Math.max(asked, least), most) * 1_000;
}

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function numberIn(fields: Fields, name: string): number | undefined {
  const text = textIn(fields, name);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseLeniently(text: string): unknown {
  for (const candidate of [text, withoutTrailingCommas(text)]) {
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // The second try is for the commas that samples carry; after it the answer is simply not JSON.
    }
  }
  return undefined;
}

/** Strings are stepped over, so that a comma inside one stays. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"?|,(?=\s*[}\]])/g, (found) => (found === "," ? "" : found));
}
