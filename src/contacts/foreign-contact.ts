// A person as a source tells of him, made into what a contact here may hold, or the reason why he cannot be one.

import { createHash } from "node:crypto";
import { nationally, phoneNumber } from "../exchange/plan/numbers.ts";
import { contact } from "../nouns/contact.ts";
import type { Field } from "../nouns/field.ts";
import type { ForeignContact, ForeignFault } from "../store/contact-pages.ts";
import type { ContactChanges } from "../store/contacts.ts";
import { tidyText, withoutHalves } from "./tidy-text.ts";

export type ContactField = keyof typeof contact.fields;

/** What is told, field by field, as texts. */
export type Told = {
  fields: Partial<Record<Exclude<ContactField, "phone" | "phone1" | "phone2">, string>>;
  /** The likeliest first. */
  phones: readonly string[];
  groups: readonly string[];
};

const PHONE_FIELDS = ["phone", "phone1", "phone2"] as const;
const MOST_GROUPS = 20;
const LONGEST_GROUP = 255;
const LONGEST_SHOWN = 50;
/** More than a number and all that people write around it. */
const LONGEST_TELEPHONE = 500;

export function foreignContact({ fields, phones, groups }: Told): ForeignContact | ForeignFault {
  const given = phones.filter((it) => it.trim() !== "");
  const numbers = [...new Set(given.flatMap((it) => readablePhone(it) ?? []))];
  if (given.length === 0) return { why: "no-phone", value: nameIn(fields).slice(0, LONGEST_SHOWN) };
  if (numbers.length === 0) return { why: "bad-phone", value: tidyText(given[0] ?? "").slice(0, LONGEST_SHOWN) };
  const name = nameIn(fields);
  if (name === "") return { why: "no-name", value: numbers[0] ?? "" };
  const kept: Record<string, unknown> = { name: cut("name", name), surname: "" };
  for (const [field, text] of Object.entries(fields) as [ContactField, string][]) {
    const value = field === "name" ? undefined : valueFor(field, tidyText(text));
    if (value !== undefined) kept[field] = value;
  }
  // Who took the only name there is as his name has no other one.
  if (kept.surname === kept.name && !fields.name) kept.surname = "";
  for (const [index, field] of PHONE_FIELDS.entries()) if (numbers[index]) kept[field] = numbers[index];
  return { fields: consistent(kept as ContactChanges), groups: groupsIn(groups) };
}

/** The same for the same person, another one as soon as something about him is another. */
export function markOf(told: ForeignContact): string {
  return createHash("sha256").update(JSON.stringify(told)).digest("base64url").slice(0, 22);
}

/** In the form in which people in the country dial it, and in which callers are looked up. */
function readablePhone(text: string): string | undefined {
  const bare = tidyText(text.slice(0, LONGEST_TELEPHONE))
    .replace(/^tel:/i, "")
    .replace(/;.*$/s, "")
    .replace(/(?:x|ext\.?|dahili|#)\s{0,20}\d{1,6}$/i, "");
  const number = phoneNumber(bare.trimEnd());
  const written = number && nationally(number);
  return written && written.length <= 32 ? written : undefined;
}

function nameIn({ name, surname, company_name, email }: Told["fields"]): string {
  for (const text of [name, surname, company_name, email]) if (text && tidyText(text) !== "") return tidyText(text);
  return "";
}

function groupsIn(groups: readonly string[]): string[] {
  const names = groups.map((it) => tidyText(it).slice(0, LONGEST_GROUP)).filter((it) => it !== "");
  return [...new Set(names)].slice(0, MOST_GROUPS);
}

/** A message on a day that is not known cannot be sent. */
function consistent(fields: ContactChanges): ContactChanges {
  const monthly = fields.monthly_sms_day && fields.monthly_sms_message ? fields : undefined;
  return {
    ...fields,
    birthday_sms: Boolean(fields.birthday && fields.birthday_sms),
    weddingday_sms: Boolean(fields.weddingday && fields.weddingday_sms),
    monthly_sms_day: monthly?.monthly_sms_day ?? null,
    monthly_sms_message: monthly?.monthly_sms_message ?? null,
  };
}

/** Undefined for what the field cannot hold: the rest of the person is worth having. */
function valueFor(name: ContactField, text: string): unknown {
  const field: Field = contact.fields[name];
  if (text === "") return undefined;
  if (name === "fax") return readablePhone(text);
  if (name === "gender") return genderOf(text);
  switch (field.is) {
    case "day":
      return dayIn(text);
    case "switch":
      return /^(1|true|t|yes|y|on|evet|e)$/i.test(text);
    case "whole":
      return /^\d{1,4}$/.test(text) && Number(text) >= field.least && Number(text) <= field.most
        ? Number(text)
        : undefined;
    case "email":
      return /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/.test(text) ? text : undefined;
    default:
      return cut(name, text);
  }
}

function cut(name: ContactField, text: string): string {
  const field: Field = contact.fields[name];
  const longest = "longest" in field && field.longest !== undefined ? field.longest : 255;
  return withoutHalves(text.slice(0, longest)).trim();
}

function genderOf(text: string): "m" | "f" | undefined {
  if (/^(m|male|e|erkek|bay)$/i.test(text)) return "m";
  return /^(f|female|k|kadin|kadın|bayan)$/i.test(text) ? "f" : undefined;
}

/** `1985-04-12`, `19850412`, `1985-04-12T…` or `12.04.1985`; a day without its year is none here. */
function dayIn(text: string): string | undefined {
  const turned = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text);
  const straight = /^(\d{4})-?(\d{2})-?(\d{2})(?:T.*)?$/.exec(text);
  const [year = "", month = "", day = ""] = turned ? [turned[3], turned[2], turned[1]] : (straight?.slice(1) ?? []);
  const written = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(written)) return undefined;
  const read = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written) ? written : undefined;
}
