// The fields of a form, made from the description of what is set with it.

import type { Language } from "../../src/languages.ts";
import {
  type Changes,
  LONGEST_TEXT,
  LONGEST_URL,
  type Noun,
  type Field as NounField,
  type ShownName,
  shownFields,
  valueUnlessSet,
  type Words,
} from "../../src/nouns/field.ts";
import { changesBetween, type Draft, type Field, type FieldKind } from "./field.ts";

/** Every field that the console shows. */
export function formOf<N extends Noun>({ fields }: N, language: Language): Record<ShownName<N>, Field> {
  const inputs = shownFields(fields).map(([name, field]) => [name, inputFor(field, language)]);
  return Object.fromEntries(inputs) as Record<ShownName<N>, Field>; // field by field
}

function inputFor(field: NounField, language: Language): Field {
  const { label, about, under, required, fixed, orNothing } = field;
  return {
    ...kindOf(field, language),
    label: label[language],
    ...(about && { about: about[language] }),
    ...(under && { under: under[language], ...(under.open && { open: under.open }) }),
    ...(required && { required }),
    ...(fixed && { fixed }),
    ...(orNothing && { orNothing }),
  };
}

function kindOf(field: NounField, language: Language): FieldKind {
  switch (field.is) {
    case "text":
      return { ...field, longest: field.longest ?? LONGEST_TEXT };
    case "digits":
      return { is: "digits", longest: field.most };
    case "url":
      return { is: "text", longest: LONGEST_URL, placeholder: "https://" };
    case "link":
      return { is: "text", longest: LONGEST_URL, placeholder: "https://crm.example.com/?tel={number}" };
    case "host":
    case "time-zone":
    case "money":
    case "outside-number":
      return { is: "text" };
    case "whole":
      return { is: "whole", least: field.orZero ? 0 : field.least, most: field.most };
    case "choice":
      return { is: "choice", options: choicesOf(field.among, language) };
    case "several":
      return { is: "several", among: severalOf(field, language) };
    case "addresses":
    case "origins":
    case "short-numbers":
    case "emails":
      return { is: "words" };
    default:
      return field;
  }
}

function severalOf({ among, words = {} }: Extract<NounField, { is: "several" }>, language: Language) {
  const shown = new Map(choicesOf(words, language));
  return among.map((value) => ({ value, label: shown.get(value) ?? value }));
}

export function choicesOf(
  among: Readonly<Record<string, Words | string>>,
  language: Language,
): [value: string, shown: string][] {
  return Object.entries(among).map(([value, shown]) => [value, typeof shown === "string" ? shown : shown[language]]);
}

/** A form in which nobody has set anything yet. */
export function blankOf({ fields }: Noun): Draft {
  return Object.fromEntries(shownFields(fields).map(([name, field]) => [name, valueUnlessSet(field)]));
}

/** What was set of a new thing; the rest the database knows itself. */
export function setIn<N extends Noun>(noun: N, draft: Draft): Pick<Changes<N>, ShownName<N>> {
  const blank = blankOf(noun);
  const own = Object.entries(draft).filter(([name]) => Object.hasOwn(blank, name));
  return changesBetween(blank, Object.fromEntries(own)) as Pick<Changes<N>, ShownName<N>>; // the form has its fields
}
