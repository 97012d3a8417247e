// Which columns each kind of import knows, how people head them, and what a file's columns are taken for at first.

import { type ColumnField, fieldOfHeading, plainHeading } from "../contacts/headings.ts";
import { phoneNumber } from "../exchange/plan/numbers.ts";
import { contact } from "../nouns/contact.ts";
import type { ImportKind } from "../store/imports.ts";

const recipients = {
  phone: ["numara", "telefon", "tel", "gsm", "cep", "phone", "number", "mobile", "alici", "recipient"],
  text: ["mesaj", "metin", "text", "message"],
} as const;

const consents = {
  recipient: [
    "alici",
    "recipient",
    ...recipients.phone.filter((it) => it !== "alici" && it !== "recipient"),
    "e-posta",
    "eposta",
    "email",
    "e-mail",
  ],
  type: ["tur", "izin turu", "kanal", "type", "channel"],
  status: ["durum", "izin durumu", "status"],
  recipientType: ["alici turu", "alici tipi", "recipient type", "recipienttype"],
  source: ["kaynak", "izin kaynagi", "source"],
  date: ["tarih", "izin tarihi", "date", "consent date", "consentdate"],
} as const;

const campaign = {
  phone: recipients.phone,
  phrase: ["cumle", "metin", "okunacak metin", "phrase", "text", "sentence"],
  language: ["dil", "lang", "language"],
} as const;

const headingsOf = { recipients, consents, campaign } as const;

export type ContactColumn = Exclude<ColumnField, "id">;
export type ImportField = ContactColumn | keyof typeof recipients | keyof typeof consents | keyof typeof campaign;

const fieldsOf: { readonly [Kind in ImportKind]: readonly ImportField[] } = {
  contacts: [...(Object.keys(contact.fields) as ContactColumn[]), "group"], // of the noun's own fields
  recipients: ["phone", "text"],
  consents: ["recipient", "type", "status", "recipientType", "source", "date"],
  campaign: ["phone", "phrase", "language"],
};

/** The column without which no row can be taken. */
export const mainField: { readonly [Kind in ImportKind]: ImportField } = {
  contacts: "phone",
  recipients: "phone",
  consents: "recipient",
  campaign: "phone",
};

export const importFields = (kind: ImportKind): readonly ImportField[] => fieldsOf[kind];

export const isFieldOf = (kind: ImportKind, field: string): field is ImportField =>
  fieldsOf[kind].some((it) => it === field);

const none: ReadonlyMap<string, ColumnField> = new Map();

function fieldFor(kind: ImportKind, heading: string): ImportField | undefined {
  if (kind === "contacts") {
    const field = fieldOfHeading(heading, none);
    return field === "id" ? undefined : field;
  }
  const plain = plainHeading(heading);
  const known = Object.entries(headingsOf[kind]) as [ImportField, readonly string[]][]; // of the record above
  return known.find(([field, words]) => field.toLowerCase() === plain || words.includes(plain))?.[0];
}

/** Each field once, groups apart; in a list without a heading the first column that holds a number is it. */
export function guessFields(kind: ImportKind, heading: readonly string[], first: readonly string[]): (string | null)[] {
  const taken = new Set<string>();
  const fields: (string | null)[] = heading.map((it) => {
    const field = fieldFor(kind, it);
    if (field === undefined || (taken.has(field) && field !== "group")) return null;
    taken.add(field);
    return field;
  });
  if (taken.has(mainField[kind])) return fields;
  const place = first.findIndex((it, index) => fields[index] === null && phoneNumber(it) !== undefined);
  if (place >= 0) fields[place] = mainField[kind];
  return fields;
}
