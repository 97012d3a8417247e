// What a change in the audit trail was, field by field: how it stood before, and how it stands now, in words.

import type { Language } from "../../languages.ts";
import { exchange } from "../../nouns/exchange.ts";
import { extension } from "../../nouns/extension.ts";
import { externalNumber } from "../../nouns/external-number.ts";
import type { Field, Fields, Noun } from "../../nouns/field.ts";
import { menu } from "../../nouns/menu.ts";
import { queue } from "../../nouns/queue.ts";
import { reportPlan } from "../../nouns/report-plan.ts";
import { ringGroup } from "../../nouns/ring-group.ts";
import { staff } from "../../nouns/staff.ts";
import { trunk } from "../../nouns/trunk.ts";
import { wallBoard } from "../../nouns/wall-board.ts";
import type { Details } from "../../store/audit-facts.ts";

/** Operations whose `changes` are those of a noun, and the parameter that says of which one; nothing: the exchange. */
const changed: Readonly<Record<string, { noun: Noun; by: string | undefined }>> = {
  "extensions.update": { noun: extension, by: "number" },
  "queues.update": { noun: queue, by: "number" },
  "groups.update": { noun: ringGroup, by: "number" },
  "menus.update": { noun: menu, by: "number" },
  "numbers.update": { noun: externalNumber, by: "number" },
  "walls.update": { noun: wallBoard, by: "id" },
  "reportPlans.update": { noun: reportPlan, by: "id" },
  "trunks.update": { noun: trunk, by: "name" },
  "staff.update": { noun: staff, by: "id" },
  "settings.update": { noun: exchange, by: undefined },
};

export function changedNoun(did: string): { noun: Noun; by: string | undefined } | undefined {
  return Object.hasOwn(changed, did) ? changed[did] : undefined;
}

export type ChangeInWords = { label: string; was: string | undefined; now: string };

/** Nothing for a line that is about something else. `was` is missing where nobody noted it. */
export function changesInWords(
  { did, details }: { did: string; details: Details },
  language: Language,
): ChangeInWords[] {
  const fields: Fields | undefined = changedNoun(did)?.noun.fields;
  const [after, before] = [recordOf(details.changes), recordOf(details.was)];
  if (!fields || !after) return [];
  return Object.entries(after).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const was = before && Object.hasOwn(before, name) ? valueInWords(field, before[name], language) : undefined;
    return { label: field?.label[language] ?? name, was, now: valueInWords(field, value, language) };
  });
}

const yesNo: Record<Language, Record<"true" | "false", string>> = {
  tr: { true: "evet", false: "hayır" },
  en: { true: "yes", false: "no" },
};

function valueInWords(field: Field | undefined, value: unknown, language: Language): string {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return yesNo[language][`${value}`];
  if (Array.isArray(value)) return value.length === 0 ? "—" : value.map(String).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  const word =
    field?.is === "choice" && Object.hasOwn(field.among, String(value)) ? field.among[String(value)] : undefined;
  return word === undefined ? String(value) : typeof word === "string" ? word : word[language];
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
