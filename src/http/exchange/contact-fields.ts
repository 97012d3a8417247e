// A contact's fields at the door: what may be sent, what it is stored as, and how it is shown again.

import { type Static, Type } from "typebox";
import { contact } from "../../nouns/contact.ts";
import { type Contact, type ContactChanges, contactColumns } from "../../store/contacts.ts";
import { refuse } from "../door/answer.ts";
import type { Refused } from "../door/endpoint.ts";
import { readDay } from "../door/stamps.ts";
import { flag, oneOf, telephone, wholeNumber, wholeNumbers, words } from "../parameters/schema.ts";

const LONG = 10_000;
const { among: genders } = contact.fields.gender;
const day = (description: string) => words({ longest: 32, example: "21.03.1980", description });

export const requiredFields = {
  name: words({ example: "Ayşe" }),
  surname: words({ example: "Yılmaz" }),
  phone: telephone({ example: "05531234567", description: "mobile 1" }),
};

export const optionalFields = {
  salutation: Type.Optional(words({ example: "Sayın", description: "form of address" })),
  tckn: Type.Optional(words({ description: "national ID number" })),
  description: Type.Optional(words({ longest: LONG })),
  phone1: Type.Optional(telephone({ description: "mobile 2" })),
  email: Type.Optional(words()),
  title: Type.Optional(words()),
  phone2: Type.Optional(telephone({ description: "extra phone" })),
  fax: Type.Optional(telephone()),
  gender: Type.Optional(
    oneOf(Object.keys(genders) as (keyof typeof genders)[], { description: "m (male) or f (female)" }),
  ),
  birthday: Type.Optional(day("dd.mm.yyyy or yyyy-mm-dd; needed with birthday_sms")),
  birthday_sms: Type.Optional(flag({ description: "an automatic message on the birthday" })),
  weddingday: Type.Optional(day("dd.mm.yyyy or yyyy-mm-dd; needed with weddingday_sms")),
  weddingday_sms: Type.Optional(flag()),
  address: Type.Optional(words({ longest: LONG })),
  note1: Type.Optional(words({ longest: LONG })),
  note2: Type.Optional(words({ longest: LONG })),
  note3: Type.Optional(words({ longest: LONG })),
  note4: Type.Optional(words({ longest: LONG })),
  company_name: Type.Optional(words()),
  monthly_sms_day: Type.Optional(wholeNumber({ least: 1, most: 31, description: "day of the monthly automatic SMS" })),
  monthly_sms_message: Type.Optional(words({ longest: LONG, description: "needed with monthly_sms_day" })),
  group_ids: Type.Optional(
    wholeNumbers({
      description: "groups the contact belongs to",
      wrong: (sent) => ({ refused: "misfit", field: "group_ids", value: sent }),
    }),
  ),
};

const anyFields = Type.Partial(Type.Object({ ...requiredFields, ...optionalFields }));
type Fields = Static<typeof anyFields>;

/** Dates in the form they are stored in, or the sentence that refuses one. */
export function readFields(fields: Fields): ContactChanges | Refused {
  const { birthday, weddingday, ...rest } = fields;
  const changes: ContactChanges = rest;
  for (const [name, sent] of Object.entries({ birthday, weddingday })) {
    if (sent === undefined) continue;
    const read = readDay(sent);
    if (read === undefined) return refuse({ refused: "malformed", field: name });
    changes[name as "birthday" | "weddingday"] = read;
  }
  return changes;
}

/** The rules between fields, for a contact as it would be stored. */
export function complaintAbout(contact: ContactChanges): Refused | undefined {
  if (contact.birthday_sms && !contact.birthday) return refuse({ refused: "blank", field: "birthday" });
  if (contact.weddingday_sms && !contact.weddingday) return refuse({ refused: "blank", field: "weddingday" });
  if (contact.monthly_sms_day && !contact.monthly_sms_message)
    return refuse({ refused: "blank", field: "monthly_sms_message" });
  return undefined;
}

export function showContact(person: Contact): object {
  const shown: Record<string, unknown> = { id: person.id };
  for (const column of contactColumns) shown[column] = person[column] ?? "";
  return {
    ...shown,
    gender: person.gender ? genders[person.gender].tr : "",
    birthday: showDay(person.birthday),
    weddingday: showDay(person.weddingday),
    monthly_sms_day: person.monthly_sms_day,
    group_ids: person.group_ids,
  };
}

function showDay(stored: string | null): string {
  return stored === null ? "" : stored.split("-").reverse().join(".");
}
