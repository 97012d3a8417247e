// Rows as contacts of the exchange's own book.

import { foreignContact, type Told } from "../contacts/foreign-contact.ts";
import { phoneNumber } from "../exchange/plan/numbers.ts";
import { contact } from "../nouns/contact.ts";
import type { Field } from "../nouns/field.ts";
import { type ForeignContact, joinGroups } from "../store/contact-pages.ts";
import { createContacts, type NewContact, refuseWrite } from "../store/contacts.ts";
import type { Db } from "../store/db.ts";
import { knownPhones, spellingsOf } from "../store/known-phones.ts";
import { importFields } from "./columns.ts";
import { plainDate } from "./dates.ts";
import {
  type Cells,
  fault,
  type Importing,
  type ImportParts,
  type ImportRefusal,
  type ImportSettings,
  type ReadRow,
  type RowFault,
} from "./importing.ts";

const PHONES = ["phone", "phone1", "phone2"] as const;
const plainFields = importFields("contacts").filter((it) => it !== "group" && !PHONES.some((phone) => phone === it));

export async function importContacts(
  { db, exchangeId }: ImportParts,
  { known }: ImportSettings,
): Promise<Importing<ForeignContact> | ImportRefusal> {
  const refused = await refuseWrite(db, exchangeId);
  if (refused) return { refused: "external-contacts" };
  return {
    read,
    async write(db, people) {
      const left = known === "add" ? new Map<number, RowFault>() : await thoseKnown(db, exchangeId, people);
      const taken = people.filter((_, place) => !left.has(place));
      const ids = await createContacts(
        db,
        exchangeId,
        taken.map(({ fields }) => fields as NewContact), // read with a name and a number
      );
      const members = taken.flatMap(({ groups }, place) => {
        const id = ids[place];
        return typeof id === "number" ? groups.map((name) => ({ id, name })) : [];
      });
      await joinGroups(db, exchangeId, members);
      return { madeId: null, left };
    },
  };
}

function read(cells: Cells): ReadRow<ForeignContact> {
  const fields: Record<string, string> = {};
  for (const name of plainFields) {
    const field: Field | undefined = (contact.fields as Record<string, Field>)[name];
    const text = cells.get(name);
    if (text !== "") fields[name] = field?.is === "day" ? plainDate(text) : text;
  }
  const groups = cells.get("group").split(/:::|[,;|]/);
  const told = foreignContact({
    fields: fields as Told["fields"], // of the names above
    phones: PHONES.map((it) => cells.get(it)),
    groups,
  });
  if ("why" in told)
    return fault(told.why === "no-phone" || told.why === "bad-phone" ? told.why : "no-name", told.value);
  // A short number is somebody's to dial, and nobody's to be known by.
  const number = phoneNumber(told.fields.phone ?? "");
  if (number?.is !== "national" && number?.is !== "international") return fault("bad-phone", cells.get("phone"));
  const kept: Record<string, unknown> = told.fields;
  // A value that its field cannot hold is told, and not dropped.
  const lost = Object.entries(fields).find(([name]) => kept[name] === undefined || kept[name] === null);
  if (lost) return fault("bad-value", lost[1]);
  const { phone = "", name = "", surname = "", company_name } = told.fields;
  return {
    item: told,
    key: phone,
    shown: [phone, `${name} ${surname}`.trim(), company_name ?? "", told.groups.join(", ")],
  };
}

async function thoseKnown(
  db: Db,
  exchangeId: number,
  people: readonly ForeignContact[],
): Promise<Map<number, RowFault>> {
  const known = await knownPhones(
    db,
    exchangeId,
    people.map(({ fields }) => fields.phone ?? ""),
  );
  return new Map(
    people.flatMap(({ fields: { phone = "" } }, place): [number, RowFault][] =>
      spellingsOf(phone).some((it) => known.has(it)) ? [[place, fault("known", phone)]] : [],
    ),
  );
}
