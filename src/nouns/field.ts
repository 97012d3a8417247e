// What may be set of a noun, described once: update, command, schema, form and documentation are made from this.
// Browsers read these files too, so that nothing here asks for more than plain values.

import type { Language } from "../languages.ts";

export type Words = Readonly<Record<Language, string>>;

/** A part of a form. It is folded away unless it is open, and opens for what is wrong in it. */
export type Section = Words & { readonly open?: true };

/** A value that may be chosen, and what people call it: in each language, or the same in all. */
export type Choices = Readonly<Record<string, Words | string>>;

/** Of which there is nothing more to say. */
type Bare<Is> = Is extends string ? { is: Is } : never;

export type Kind =
  | { is: "text"; longest?: number; placeholder?: string }
  /** Several lines. */
  | { is: "area"; longest: number }
  /** Sealed when it is kept, and never shown again. Digits only where it says how many. */
  | { is: "secret"; digits?: readonly [least: number, most: number]; longest?: number }
  | { is: "digits"; most: number }
  /** `port`: one may stand behind a colon. */
  | { is: "host"; port?: true }
  | Bare<"email" | "url" | "time-zone" | "money">
  /** A URL with places in braces that are filled in for each call. */
  | Bare<"link">
  /** `orZero`: nothing between nought and the least. */
  | { is: "whole"; least: number; most: number; orZero?: true }
  | Bare<"switch">
  | { is: "choice"; among: Choices }
  /** In the order in which they are chosen. */
  | { is: "several"; among: readonly string[]; words?: Choices }
  | { is: "target"; place: "inbound" | "menu" | "campaign" }
  /** Where each key of a telephone leads. */
  | { is: "keys"; place: "menu" | "campaign" }
  | Bare<"sound" | "own-number" | "outside-number" | "trunk" | "extension" | "form">
  /** HH:MM; YYYY-MM-DD; of the week, Monday is 1. */
  | Bare<"time" | "day" | "days">
  /** Hours by weekday, several stretches a day: `1 08:00-12:00` is Monday morning. */
  | Bare<"week">
  /** Lists: of addresses and networks, of pages that may embed us, of words, of numbers that exist only as they stand, of
   * queues by their numbers, of people to write to. */
  | Bare<"addresses" | "origins" | "words" | "short-numbers" | "queues" | "emails">;

export type Field = Kind & {
  label: Words;
  /** What somebody who sees it for the first time wants to know. */
  about?: Words;
  /** May be left empty, and is null then. */
  orNothing?: true;
  /** May not be empty. */
  required?: true;
  /** What the database gives it, unless that is nothing. */
  default?: string | number | boolean | readonly (string | number)[] | Readonly<Record<string, string>>;
  /** Where it is kept, if not under its own name; null: in another table. */
  column?: string | null;
  /** What the interface for customers calls it, where it differs. */
  parameter?: string;
  /** What it is called on the command line, if not by its own name. */
  option?: string;
  /** Set at one place alone: by those who run the server, or in the console. */
  only?: "command" | "console";
  /** Said when the thing is made and never changed. */
  fixed?: true;
  /** The heading it stands under in a form: everywhere, where there are many. */
  under?: Section;
};

export type Fields = Readonly<Record<string, Field>>;

export type Noun = {
  /** What it is called in documentation. */
  title: string;
  /** The command that sets it, for documentation. */
  command?: string;
  table: string;
  /** The column by which one of many is known. */
  knownBy: string;
  fields: Fields;
};

/** Written down as it is, with its types. */
export function noun<const Described extends Noun>(described: Described): Described {
  return described;
}

type Values = {
  [Is in "text" | "area" | "secret" | "digits" | "email" | "host" | "url" | "link" | "time-zone" | "money"]: string;
} & { [Is in "target" | "own-number" | "outside-number" | "trunk" | "extension" | "form" | "time" | "day"]: string } & {
  [Is in "addresses" | "origins" | "words" | "short-numbers" | "queues" | "emails"]: readonly string[];
} & {
  whole: number;
  sound: number;
  switch: boolean;
  days: readonly number[];
  week: readonly string[];
  keys: Readonly<Record<string, string>>;
  choice: string;
  several: readonly string[];
};

type Plain<F extends Field> = F extends { is: "choice"; among: infer Among }
  ? keyof Among & string
  : F extends { is: "several"; among: readonly (infer One)[] }
    ? readonly One[]
    : Values[F["is"]];

/** What one holds: trunks and forms by their names, extensions by their numbers, sounds by their ids. */
export type ValueOf<F extends Field> = Plain<F> | (F extends { orNothing: true } ? null : never);

/** What is left out stays as it is. */
export type Changes<N extends Noun> = {
  readonly [Name in keyof N["fields"]]?: ValueOf<N["fields"][Name]> | undefined;
};

/** The fields that the console shows. */
export type ShownName<N extends Noun> = {
  [Name in keyof N["fields"]]: N["fields"][Name] extends { only: "command" } ? never : Name;
}[keyof N["fields"]] &
  string;

type Secrets<N extends Noun> = {
  [Name in ShownName<N>]: N["fields"][Name] extends { is: "secret" } ? Name : never;
}[ShownName<N>];

/** One of them as the console shows it; of a secret only whether there is one. */
export type Row<N extends Noun> = {
  [Name in Exclude<ShownName<N>, Secrets<N>>]: ValueOf<N["fields"][Name]>;
} & { [Name in Secrets<N> as `has_${Name}`]: boolean };

export function shownFields(fields: Fields): [name: string, field: Field][] {
  return Object.entries(fields).filter(([, { only }]) => only !== "command");
}

/** On the command line: `ring-seconds`. */
export function optionOf(name: string, { option }: Field): string {
  return option ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");
}

export const LONGEST_TEXT = 500;
export const LONGEST_TARGET = 1_100;
export const LONGEST_URL = 2_000;

/** What one is made with that nobody has set: the value of an empty form. */
export function valueUnlessSet(field: Field): unknown {
  if (field.default !== undefined) return field.default;
  if (field.orNothing) return null;
  if (field.is === "keys") return {};
  if (field.is === "switch") return false;
  if (field.is === "choice") return Object.keys(field.among)[0];
  return LISTS.includes(field.is) ? [] : field.is === "whole" ? field.least : "";
}

const LISTS: readonly Kind["is"][] = [
  ...(["addresses", "origins", "words", "short-numbers", "queues", "emails", "days", "week", "several"] as const),
];

/** What it takes, in words of the command line and of the documentation. */
export function takes(field: Field): string {
  const taken = takenBy(field);
  return field.orNothing ? `${taken}, or empty` : taken;
}

function takenBy(field: Field): string {
  switch (field.is) {
    case "whole":
      return `${field.orZero ? "0, or " : ""}${field.least} to ${field.most}`;
    case "choice":
      return Object.keys(field.among).join(", ");
    case "several":
      return `in order, out of ${field.among.join(",")}`;
    case "secret":
      return field.digits ? `${field.digits[0]} to ${field.digits[1]} digits` : "text";
    case "digits":
      return `up to ${field.most} digits`;
    default:
      return taken[field.is];
  }
}

const taken: Record<Exclude<Kind["is"], "whole" | "choice" | "several" | "secret" | "digits">, string> = {
  text: "text",
  area: "text",
  email: "e-mail address",
  host: "host name or address",
  url: "http or https URL",
  link: "http or https URL with {number}, {uuid} and {queue} in it",
  "time-zone": "time zone such as Europe/Istanbul",
  money: "amount such as 500.00",
  switch: "yes or no",
  target: "target such as queue/200",
  keys: "keys and targets, as in 1:group/700;2:queue/200",
  sound: "id of a sound",
  "own-number": "one of the external numbers",
  "outside-number": "3 to 15 digits",
  trunk: "name of a trunk",
  extension: "number of an extension",
  form: "name of a form",
  time: "HH:MM",
  day: "YYYY-MM-DD",
  days: "days such as 1-5 or 1,2,6 (Monday is 1)",
  week: "hours such as 1-5 08:00-12:00,1-5 13:00-18:00,6 09:00-13:00 (Monday is 1)",
  addresses: "addresses such as 192.0.2.10,198.51.100.0/24",
  origins: "origins such as https://crm.example.com",
  words: "words with commas between them",
  "short-numbers": "numbers of 3 to 6 digits with commas between them",
  queues: "numbers of queues with commas between them",
  emails: "e-mail addresses with commas between them",
};
