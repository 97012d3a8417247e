// A value in the audit trail as somebody reads it: by the kind of its field, and what went by an id by its name.

import { parseTarget, printTarget } from "../../exchange/plan/target.ts";
import type { Language } from "../../languages.ts";
import type { Choices, Field, Kind } from "../../nouns/field.ts";
import { HIDDEN } from "../../store/audit-facts.ts";
import type { Called } from "../../store/called.ts";
import { showDate } from "../stamps.ts";
import { splitTarget, targetInWords } from "../targets.ts";
import { fieldName } from "../terms.ts";
import { weekdays, weekInWords } from "../week.ts";

export type Reading = { name: string; field: Field | undefined; called: Called; language: Language };

export function valueInWords(value: unknown, reading: Reading): string {
  const { field, language } = reading;
  if (isNothing(value)) return "—";
  if (value === HIDDEN) return hidden[language];
  if (typeof value === "boolean") return yesNo[language][`${value}`];
  // The reader is chosen by the very kind that its parameter narrows on.
  const said = field && (readers[field.is] as Reader<Field> | undefined)?.(value, { ...reading, field });
  return said ?? unknownInWords(value, reading);
}

export function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

const yesNo: Record<Language, Record<"true" | "false", string>> = {
  tr: { true: "evet", false: "hayır" },
  en: { true: "yes", false: "no" },
};

const hidden: Record<Language, string> = { tr: "(gizli)", en: HIDDEN };

/** Undefined for what is none of its kind: a line of an older exchange. */
type Reader<F extends Field> = (value: unknown, reading: Reading & { field: F }) => string | undefined;

const readers: { [Is in Kind["is"]]?: Reader<Extract<Kind, { is: Is }> & Field> } = {
  choice: (value, { field, language }) => chosen(field.among, String(value), language),
  several: (value, { field: { words = {} }, language }) =>
    listOf(value)
      ?.map((it) => chosen(words, it, language) ?? it)
      .join(", "),
  sound: (value, { called }) => called.announcement?.[String(value)],
  target: (value, reading) => (typeof value === "string" ? targetByName(value, reading) : undefined),
  keys: (value, reading) =>
    Object.entries(recordOf(value) ?? {})
      .map(([key, target]) => `${key}: ${targetByName(String(target), reading)}`)
      .join(", ") || undefined,
  week: (value, { language }) => {
    const lines = listOf(value);
    return lines && (weekInWords(lines, language) || undefined);
  },
  days: (value, { language }) =>
    listOf(value)
      ?.map((day) => weekdays[language][Number(day) - 1] ?? day)
      .join(", "),
  day: (value, { language }) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) ? showDate(String(value), language) : undefined,
  /** In no order of its own: the one in which they were ticked is no change. */
  queues: (value, { name, called }) =>
    listOf(value)
      ?.map((it) => called[name]?.[it] ?? it)
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .join(", "),
};

function chosen(among: Choices, value: string, language: Language): string | undefined {
  const word = Object.hasOwn(among, value) ? among[value] : undefined;
  return typeof word === "object" ? word[language] : word;
}

/** `announcement/7` by the name it had; “Queue 200” as everybody calls it. */
function targetByName(target: string, { called, language }: Reading): string {
  const { kind, rest } = splitTarget(target);
  const name = kind === "announcement" ? called.announcement?.[rest] : undefined;
  return name === undefined ? targetInWords(target, language) : `${targetInWords("announcement", language)} ${name}`;
}

function unknownInWords(value: unknown, reading: Reading): string {
  if (Array.isArray(value)) return value.map((it) => plain(it, reading)).join(", ");
  if (typeof value === "object") return plain(value, reading);
  return reading.called[reading.name]?.[String(value)] ?? String(value);
}

/** Something inside something else, without brackets and quotes. */
function plain(value: unknown, reading: Reading): string {
  const inner = recordOf(value);
  if (!inner) return valueInWords(value, { ...reading, field: undefined });
  const { kind, number } = inner;
  const target = parseTarget(`${kind}/${number}`);
  if ("to" in target) return targetInWords(printTarget(target), reading.language);
  const told = Object.entries(inner).filter(([, it]) => !isNothing(it));
  const say = (name: string, it: unknown) =>
    `${fieldName(name, reading.language)}: ${valueInWords(it, { ...reading, name, field: undefined })}`;
  return `(${told.map(([name, it]) => say(name, it)).join(", ")})`;
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

export function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
