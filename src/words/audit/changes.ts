// What a change in the audit trail was, field by field: how it stood before, and how it stands now, in words.

import type { Language } from "../../languages.ts";
import type { Field, Fields } from "../../nouns/field.ts";
import { type Details, HIDDEN, type Told, toldFields } from "../../store/audit-facts.ts";
import type { Called } from "../../store/called.ts";
import { fieldName } from "../terms.ts";
import { type Changed, changedBy, changedByCommand, givenIn, NOTED } from "./changed.ts";
import { isNothing, recordOf, valueInWords } from "./values.ts";

/** What a new one was given is told as its changes are. */
function whereOf({ did, details }: { did: string; details: Details }): Changed | undefined {
  if (did === "command") return changedByCommand(details);
  return changedBy(did.replace(/\.create$/, ".update"));
}

export type ChangeInWords = { label: string; was: string | undefined; now: string };

/** Nothing for a line that is about something else. `was` is missing where nobody noted it. */
export function changesInWords(
  { did, details }: { did: string; details: Details },
  language: Language,
): ChangeInWords[] {
  const where = whereOf({ did, details });
  const after = where && givenIn(where, details).after;
  if (!after) return [];
  const before = recordOf(details.was);
  const told = Object.entries(after).map(([name, value]) => {
    const { label, say } = teller(where, name, { details, language });
    const was = before && Object.hasOwn(before, name) ? say(before[name]) : undefined;
    return { label, was, now: say(value) };
  });
  return told.filter(({ was, now }) => was !== now); // a form sends what was not touched as well
}

/** What else was asked for, by the names it has; what the line's own words say is not said again. */
export function restInWords({ did, details }: { did: string; details: Details }, language: Language): string {
  const where = whereOf({ did, details });
  const said = new Set<string>(Object.hasOwn(toldFields, did) ? toldFields[did as Told] : []);
  for (const name of NOTED) said.add(name);
  const given = where && givenIn(where, details);
  if (given?.after) for (const name of given.names) said.add(name);
  const rest = Object.entries(details).filter(
    ([name, value]) => !said.has(name) && !isNothing(value) && value !== HIDDEN,
  );
  return rest
    .map(([name, value]) => {
      const { label, say } = teller(where, name, { details, language });
      return `${label}: ${say(value)}`;
    })
    .join(" · ");
}

const which: Record<Language, string> = { tr: "Hangisi", en: "Which" };

function teller(
  where: Changed | undefined,
  name: string,
  { details, language }: { details: Details; language: Language },
): { label: string; say(value: unknown): string } {
  const fields: Fields = where?.noun.fields ?? {};
  const field: Field | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const called = (recordOf(details.called) ?? {}) as Called; // as `readCalled` wrote it
  const isNamed = name === "id" && called.id !== undefined;
  return {
    label: isNamed ? which[language] : (field?.label[language] ?? fieldName(name, language)),
    say: (value) => valueInWords(value, { name, field, called, language }),
  };
}
