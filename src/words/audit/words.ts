// The audit trail in words: one table a language, and every kind has words in each, or it does not compile.

import type { Language } from "../languages.ts";
import * as en from "./en.ts";
import { type Doer, type DoerWords, type FieldsOf, fields, type Told, type ToldWords } from "./facts.ts";
import * as tr from "./tr.ts";

export type AuditedOperation = keyof typeof en.operations;
export type Details = Readonly<Record<string, unknown>>;

/** Beside its fields a line may hold others, which are shown as they are. */
export type AuditFact =
  | { did: AuditedOperation; details: Details }
  | { [Kind in Told]: { did: Kind; details: FieldsOf<Kind> & Details } }[Told];

type Table = { operations: Record<AuditedOperation, string>; told: ToldWords; doers: DoerWords };

const tables: Record<Language, Table> = { en, tr };

export function isAudited(name: string): name is AuditedOperation {
  return Object.hasOwn(en.operations, name);
}

/** A line of an older exchange that is no fact we know stays as it was written. */
export function deedInWords({ did, details }: { did: string; details: Details }, language: Language): string {
  const { operations, told } = tables[language];
  if (isAudited(did)) return operations[did];
  if (!isTold(did) || !fields[did].every((name) => typeof details[name] === "string")) return did;
  return (told[did] as (fields: Details) => string)(details); // its fields were just looked at
}

export function doerInWords({ doer, who }: Doer, language: Language): string {
  return tables[language].doers[doer](who);
}

/** The operations whose words, in any language, hold what somebody looks for. */
export function operationsAbout(about: string): string[] {
  const said = Object.values(tables).flatMap(({ operations }) => Object.entries(operations));
  return said.flatMap(([did, words]) => (words.toLowerCase().includes(about.toLowerCase()) ? [did] : []));
}

function isTold(did: string): did is Told {
  return Object.hasOwn(fields, did);
}
