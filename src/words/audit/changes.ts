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
import { type Details, HIDDEN, type Told, toldFields } from "../../store/audit-facts.ts";
import { fieldName } from "../terms.ts";

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

/** What a new one was given is told as its changes are. */
function nounOf(did: string): Noun | undefined {
  return changedNoun(did.replace(/\.create$/, ".update"))?.noun;
}

export type ChangeInWords = { label: string; was: string | undefined; now: string };

/** Nothing for a line that is about something else. `was` is missing where nobody noted it. */
export function changesInWords(
  { did, details }: { did: string; details: Details },
  language: Language,
): ChangeInWords[] {
  const fields: Fields | undefined = nounOf(did)?.fields;
  const [after, before] = [recordOf(details.changes), recordOf(details.was)];
  if (!fields || !after) return [];
  return Object.entries(after).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const was = before && Object.hasOwn(before, name) ? valueInWords(field, before[name], language) : undefined;
    return {
      label: field?.label[language] ?? fieldName(name, language),
      was,
      now: valueInWords(field, value, language),
    };
  });
}

/** What else was asked for, by the names it has; what the line's own words say is not said again. */
export function restInWords({ did, details }: { did: string; details: Details }, language: Language): string {
  const fields: Fields = nounOf(did)?.fields ?? {};
  const said = new Set<string>(Object.hasOwn(toldFields, did) ? toldFields[did as Told] : []);
  if (changesInWords({ did, details }, language).length > 0) for (const name of ["changes", "was"]) said.add(name);
  const rest = Object.entries(details).filter(
    ([name, value]) => !said.has(name) && !isNothing(value) && value !== HIDDEN,
  );
  return rest
    .map(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return `${field?.label[language] ?? fieldName(name, language)}: ${valueInWords(field, value, language)}`;
    })
    .join(" · ");
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

const yesNo: Record<Language, Record<"true" | "false", string>> = {
  tr: { true: "evet", false: "hayır" },
  en: { true: "yes", false: "no" },
};

const hidden: Record<Language, string> = { tr: "(gizli)", en: HIDDEN };

function valueInWords(field: Field | undefined, value: unknown, language: Language): string {
  if (value === null || value === undefined || value === "") return "—";
  if (value === HIDDEN) return hidden[language];
  if (typeof value === "boolean") return yesNo[language][`${value}`];
  if (Array.isArray(value)) return value.length === 0 ? "—" : value.map((it) => plain(it, language)).join(", ");
  if (typeof value === "object") return plain(value, language);
  const word =
    field?.is === "choice" && Object.hasOwn(field.among, String(value)) ? field.among[String(value)] : undefined;
  return word === undefined ? String(value) : typeof word === "string" ? word : word[language];
}

/** Something inside something else, without brackets and quotes. */
function plain(value: unknown, language: Language): string {
  const inner = recordOf(value);
  if (!inner) return valueInWords(undefined, value, language);
  const told = Object.entries(inner).filter(([, it]) => !isNothing(it));
  return `(${told.map(([name, it]) => `${fieldName(name, language)}: ${valueInWords(undefined, it, language)}`).join(", ")})`;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
