// What is wrong with a form, by field: what is missing before it is sent, and what the server refused afterwards.

import type { ConsoleRefusal } from "../../src/http/console/operation/refusal.ts";
import { refusalInWords } from "../../src/words/refusals/words.ts";
import type { Language } from "../words/language.tsx";
import { Refused } from "../words/refused.ts";
import { general } from "../words/texts.ts";
import type { Draft, Field } from "./field.ts";

export type Faults = Record<string, string>;

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/;

/** What can be seen without asking anybody. */
export function faultsIn(fields: Record<string, Field>, draft: Draft, language: Language): Faults {
  const faults: Faults = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = draft[name];
    if (isUnchosen(field, value)) faults[name] = general.needed[language];
    else if (field.required && !field.fixed && isBlank(value)) faults[name] = general.filled[language];
    else if (field.is === "email" && value && !EMAIL.test(String(value))) faults[name] = general.badEmail[language];
  }
  return faults;
}

const isBlank = (value: unknown) => value === undefined || value === null || String(value).trim() === "";

/** What is chosen from a list. */
function isUnchosen(field: Field, value: unknown): boolean {
  const isOpen = (target: unknown) => !target || String(target).endsWith("/");
  if (field.is === "target") return !field.orNothing && isOpen(value);
  if (field.is === "keys") return Object.values(value ?? {}).some(isOpen);
  return (field.required ?? false) && (field.is === "choice" || field.is === "file") && !value;
}

/** Refusals that are about one field wherever they are said. */
const OWN_FIELD: Partial<Record<ConsoleRefusal["refused"], string>> = {
  "number-taken": "number",
  "emergency-number": "number",
  "bad-number": "number",
  "name-taken": "name",
  "bad-title": "name",
};

/** At the fields of this form that the server named; nothing for a fault that is about none of them. */
export function refusedFields(fault: unknown, fields: Record<string, Field>, language: Language): Faults {
  if (!(fault instanceof Refused)) return {};
  const { refusal } = fault;
  const wrong = refusal.refused === "several-fields" ? refusal.wrong : [refusal];
  return Object.fromEntries(
    wrong.flatMap((no) => {
      const named = [...(no.field ?? "").split("/"), OWN_FIELD[no.refused] ?? ""];
      const field = named.find((part) => Object.hasOwn(fields, part));
      return field === undefined ? [] : [[field, refusalInWords(no, language)]];
    }),
  );
}
