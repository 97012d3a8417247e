// The audit trail in words: one table a language, and every kind has words in each, or it does not compile.

import type { Language } from "../../languages.ts";
import { type Details, type Doer, type Told, toldFields } from "../../store/audit-facts.ts";
import * as en from "./en.ts";
import type { DoerWords, ToldWords } from "./table.ts";
import * as tr from "./tr.ts";

/** An operation of the console that leaves a line. */
type AuditedOperation = keyof typeof en.operations;

type Table = { operations: Record<AuditedOperation, string>; told: ToldWords; doers: DoerWords };

const tables: Record<Language, Table> = { en, tr };

function isAudited(name: string): name is AuditedOperation {
  return Object.hasOwn(en.operations, name);
}

/** A line of an older exchange that is no fact we know stays as it was written. */
export function auditInWords({ did, details }: { did: string; details: Details }, language: Language): string {
  const { operations, told } = tables[language];
  if (isAudited(did)) return operations[did];
  if (!isTold(did) || !toldFields[did].every((name) => typeof details[name] === "string")) return did;
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
  return Object.hasOwn(toldFields, did);
}
