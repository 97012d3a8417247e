// Rows of a table as contacts: which column is what, and what is wrong with each row that cannot be one.

import { headings, plainHeading } from "../../../contacts/headings.ts";
import { readNumber, written } from "../../../exchange/plan/numbers.ts";

export type ReadContact = { name: string; surname: string; phone: string; company_name: string | null; group: string };

/** `row` is counted as the spreadsheet counts it: the heading is row 1. */
export type RowFault = { row: number; why: "no-name" | "no-phone" | "bad-phone" | "twice"; value: string };

export type ReadRows = { columns: string[]; contacts: ReadContact[]; faults: RowFault[] };

type Field = keyof ReadContact;

const fields: readonly Field[] = ["phone", "name", "surname", "company_name", "group"];

export function readContacts([heading = [], ...rows]: string[][]): ReadRows {
  const at = Object.fromEntries(
    fields.map((field) => [field, heading.findIndex((it) => headings[field]?.includes(plainHeading(it)))]),
  ) as Record<Field, number>;
  const contacts: ReadContact[] = [];
  const faults: RowFault[] = [];
  const seen = new Set<string>();
  for (const [index, cells] of rows.entries()) {
    const value = (field: Field) => cells[at[field]]?.slice(0, 255) ?? "";
    const fault = (why: RowFault["why"], text = "") => faults.push({ row: index + 2, why, value: text.slice(0, 50) });
    const number = readNumber(value("phone"));
    const name = value("name") || value("company_name") || value("surname");
    if (value("phone") === "") fault("no-phone");
    else if (number.is !== "national" && number.is !== "international") fault("bad-phone", value("phone"));
    else if (name === "") fault("no-name");
    else if (seen.has(written(number))) fault("twice", value("phone"));
    else {
      seen.add(written(number));
      const company = value("company_name") || null;
      contacts.push({
        name,
        surname: value("surname"),
        phone: value("phone"),
        company_name: company,
        group: value("group"),
      });
    }
  }
  const columns = Object.entries(at).flatMap(([field, column]) => (column >= 0 ? [field] : []));
  return { columns, contacts, faults };
}
