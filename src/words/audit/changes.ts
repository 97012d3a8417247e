// What a change in the audit trail was, field by field: how it stood before, and how it stands now, in words.

import type { Language } from "../../languages.ts";
import type { Field, Fields } from "../../nouns/field.ts";
import { type Details, HIDDEN, type Told, toldFields } from "../../store/audit-facts.ts";
import { fieldName } from "../terms.ts";
import { type Changed, changedBy } from "./changed.ts";

/** What a new one was given is told as its changes are. */
function whereOf(did: string): Changed | undefined {
  return changedBy(did.replace(/\.create$/, ".update"));
}

/** The names of the parameters that are the changes, and the changes. */
function givenIn({ by, flat }: Changed, details: Details): { names: string[]; after: Details | undefined } {
  if (!flat) return { names: ["changes"], after: recordOf(details.changes) };
  const after = Object.fromEntries(Object.entries(details).filter(([name]) => name !== by && name !== "was"));
  return { names: Object.keys(after), after };
}

export type ChangeInWords = { label: string; was: string | undefined; now: string };

/** Nothing for a line that is about something else. `was` is missing where nobody noted it. */
export function changesInWords(
  { did, details }: { did: string; details: Details },
  language: Language,
): ChangeInWords[] {
  const where = whereOf(did);
  const after = where && givenIn(where, details).after;
  if (!after) return [];
  const fields: Fields = where.noun.fields;
  const before = recordOf(details.was);
  const told = Object.entries(after).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const was = before && Object.hasOwn(before, name) ? valueInWords(field, before[name], language) : undefined;
    return {
      label: field?.label[language] ?? fieldName(name, language),
      was,
      now: valueInWords(field, value, language),
    };
  });
  return told.filter(({ was, now }) => was !== now); // a form sends what was not touched as well
}

/** What else was asked for, by the names it has; what the line's own words say is not said again. */
export function restInWords({ did, details }: { did: string; details: Details }, language: Language): string {
  const where = whereOf(did);
  const fields: Fields = where?.noun.fields ?? {};
  const said = new Set<string>(Object.hasOwn(toldFields, did) ? toldFields[did as Told] : []);
  const given = where && givenIn(where, details);
  if (given?.after) for (const name of [...given.names, "was"]) said.add(name);
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
