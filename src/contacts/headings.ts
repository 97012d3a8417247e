// How people head the columns of a table of contacts, and what each column then is.

import { contact } from "../nouns/contact.ts";
import type { ContactField } from "./foreign-contact.ts";

/** Besides its fields a contact has groups, and in the place that it comes from an id. */
export type ColumnField = ContactField | "group" | "id";

/** In Turkish and English, and as Google's table of contacts has them. The interface's own names are known anyway. */
const headings: { readonly [Field in ColumnField]?: readonly string[] } = {
  phone: ["numara", "telefon", "tel", "gsm", "cep", "phone", "number", "mobile", "phone 1 - value"],
  phone1: ["telefon 2", "ikinci telefon", "phone 2", "second phone", "phone 2 - value"],
  phone2: ["telefon 3", "ucuncu telefon", "phone 3", "third phone", "phone 3 - value"],
  name: ["ad", "adi", "isim", "name", "first name", "firstname", "given name"],
  surname: ["soyad", "soyadi", "surname", "last name", "lastname", "family name"],
  company_name: ["sirket", "firma", "company", "company name", "company_name", "organization name"],
  group: ["grup", "group", "groups", "labels", "group membership"],
  email: ["e-posta", "eposta", "e-mail", "mail", "e-mail 1 - value"],
  title: ["unvan", "job title", "organization title"],
  fax: ["faks"],
  birthday: ["dogum gunu", "dogum tarihi"],
  gender: ["cinsiyet"],
  address: ["adres", "address 1 - formatted"],
  note1: ["not", "note", "notes", "notlar"],
  id: ["id", "uid", "kimlik"],
};

const known = new Map<string, ColumnField>([
  ...(Object.keys(contact.fields) as ContactField[]).map((field): [string, ColumnField] => [field, field]),
  ...Object.entries(headings).flatMap(([field, words]) =>
    words.map((word): [string, ColumnField] => [word, field as ColumnField]),
  ),
]);

/** As it is compared: in small letters, without dots and hooks. */
export function plainHeading(heading: string): string {
  return heading.toLocaleLowerCase("tr").normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i").trim();
}

/** What is said by hand goes before what the heading says. */
export function fieldOfHeading(heading: string, said: ReadonlyMap<string, ColumnField>): ColumnField | undefined {
  return said.get(plainHeading(heading)) ?? known.get(plainHeading(heading));
}

/** `phone:Mobile No`; undefined when one of them names no field. */
export function readColumns(columns: readonly string[]): ReadonlyMap<string, ColumnField> | undefined {
  const fields = new Set<string>([...Object.keys(contact.fields), "group", "id"]);
  const said = new Map<string, ColumnField>();
  for (const column of columns) {
    const [, field = "", heading = ""] = /^\s*([a-z0-9_]+)\s*:\s*(.+)$/s.exec(column) ?? [];
    if (!fields.has(field)) return undefined;
    said.set(plainHeading(heading), field as ColumnField);
  }
  return said;
}
