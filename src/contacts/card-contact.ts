// A vCard as a person: which of its properties is which field of a contact.

import type { ForeignContact, ForeignFault } from "../store/contact-pages.ts";
import { foreignContact } from "./foreign-contact.ts";
import { tidyText } from "./tidy-text.ts";
import { type Card, type Property, partsOf, textOf } from "./vcard.ts";

export function contactOnCard(card: Card): ForeignContact | ForeignFault {
  const first = (name: string) => preferred(card, name)[0];
  const text = (name: string) => textOf(first(name)?.value ?? "");
  const kind = (text("KIND") || text("X-ADDRESSBOOKSERVER-KIND")).toLowerCase();
  if (kind === "group") return { why: "a-group", value: tidyText(text("FN").slice(0, 50)) };
  const [company = ""] = partsOf(first("ORG")?.value ?? "", ";");
  const isCompany = kind === "org" || text("X-ABSHOWAS").toUpperCase() === "COMPANY";
  const called = namesOn(card, isCompany ? company : "");
  return foreignContact({
    fields: {
      ...called,
      company_name: company,
      title: text("TITLE") || text("ROLE"),
      email: text("EMAIL").replace(/^mailto:/i, ""),
      birthday: text("BDAY"),
      weddingday: text("ANNIVERSARY") || text("X-ANNIVERSARY") || text("X-EVOLUTION-ANNIVERSARY"),
      gender: partsOf(first("GENDER")?.value ?? "", ";")[0] ?? "",
      address: addressOn(first("ADR")),
      note1: text("NOTE"),
      fax: phonesOn(card, isFax)[0] ?? "",
    },
    phones: phonesOn(card, (types) => !isFax(types) && !types.has("PAGER")),
    groups: card.filter(({ name }) => name === "CATEGORIES").flatMap(({ value }) => partsOf(value, ",")),
  });
}

export function uidOn(card: Card): string {
  return tidyText(textOf(card.find(({ name }) => name === "UID")?.value ?? "").slice(0, 500));
}

function namesOn(card: Card, company: string): { name: string; surname: string; salutation: string } {
  if (company !== "") return { name: company, surname: "", salutation: "" };
  const value = (wanted: string) => card.find(({ name }) => name === wanted)?.value ?? "";
  const [family = "", given = "", additional = "", prefixes = ""] = partsOf(value("N"), ";");
  const name = [given, additional].filter((it) => it !== "").join(" ");
  if (name !== "") return { name, surname: family, salutation: prefixes };
  // Many programs fill in the whole name alone: its last word is the family's, as far as anybody can tell.
  const whole = family === "" ? textOf(value("FN")) || textOf(value("NICKNAME")) : "";
  const cut = whole.lastIndexOf(" ");
  return cut < 0
    ? { name: whole, surname: family, salutation: prefixes }
    : { name: whole.slice(0, cut), surname: whole.slice(cut + 1), salutation: prefixes };
}

type Types = ReadonlySet<string>;

const isFax = (types: Types) => types.has("FAX");

// Mobile phones are what the interface calls the first and second phone; then where people are by day.
const ORDER = ["CELL", "WORK", "MAIN", "HOME"];

function phonesOn(card: Card, isWanted: (types: Types) => boolean): string[] {
  const rank = (types: Types) => {
    const place = ORDER.findIndex((it) => types.has(it) || (it === "CELL" && types.has("IPHONE")));
    return place < 0 ? ORDER.length : place;
  };
  return preferred(card, "TEL")
    .map((tel) => ({ value: textOf(tel.value), types: typesOf(tel) }))
    .filter(({ types }) => isWanted(types))
    .toSorted((one, other) => rank(one.types) - rank(other.types))
    .map(({ value }) => value);
}

/** Those of a name, the preferred first: `TYPE=pref` in version 3.0, the lowest `PREF` in 4.0. */
function preferred(card: Card, name: string): Property[] {
  const preference = (property: Property) => {
    const given = Number(property.parameters.get("PREF")?.[0] ?? Number.NaN);
    return typesOf(property).has("PREF") ? 0 : given >= 1 && given <= 100 ? given : 101;
  };
  return card
    .filter((property) => property.name === name && property.value.trim() !== "")
    .toSorted((one, other) => preference(one) - preference(other));
}

function typesOf({ parameters }: Property): Types {
  return new Set((parameters.get("TYPE") ?? []).map((it) => it.toUpperCase()));
}

/** Post box, extended address, street, place, region, code, country. */
function addressOn(property: Property | undefined): string {
  const parts = partsOf(property?.value ?? "", ";").filter((it) => it !== "");
  return parts.map((it) => it.replaceAll("\n", ", ")).join(", ");
}
