// Contacts: the telephone book of an exchange.

import { Type } from "typebox";
import {
  type ContactRefusal,
  createContact as create,
  listContacts as list,
  deleteContact as remove,
  updateContact as update,
} from "../../store/contacts.ts";
import { echo, isRefused, OK, type RefusedAnswer, refuse, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { idInPath, pageParameters } from "../parameters/schema.ts";
import { complaintAbout, optionalFields, readFields, requiredFields, showContact } from "./contact-fields.ts";
import { paged, pageOf, paginationExample, readId } from "./paging.ts";

const group = "Contacts";
const { name, surname, phone } = requiredFields;

export const INTEGRATION_IS_ON = "google contacts integration is active";

const refusals = [
  [400, "birthday can't be blank"],
  [400, "weddingday can't be blank"],
  [400, "monthly_sms_message can't be blank"],
  [400, "monthly_sms_day must be between 1 and 31"],
  [400, "invalid group_ids: 7,8"],
  [400, INTEGRATION_IS_ON],
] as const;

const notFound = [400, "cannot find group with id: 10203"] as const;

export const listContacts = endpoint({
  group,
  methods: ["GET"],
  paths: ["/contacts"],
  summary: "List contacts",
  parameters: Type.Object(pageParameters),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: {
    contacts: [{ id: 10203, name: "Ayşe", surname: "Yılmaz", phone: "05531234567", gender: "Kadın", group_ids: [1] }],
    pagination: paginationExample,
  },
  refusals: [[400, "limit must be between 10 and 100"]],
  async handle(parameters, { db, exchangeId }) {
    const page = pageOf(parameters);
    return paged("contacts", await list(db, exchangeId, page), page, showContact);
  },
});

export const createContact = endpoint({
  group,
  methods: ["POST"],
  paths: ["/contacts"],
  summary: "Create a contact",
  description: "Answers the new contact's ID. Booleans, integers and `group_ids` may come in any spelling.",
  parameters: Type.Object({ name, surname, phone, ...optionalFields }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "10203",
  refusals: [[400, "name can't be blank"], [400, "surname can't be blank"], [400, "phone can't be blank"], ...refusals],
  async handle(fields, { db, exchangeId }) {
    const contact = readFields(fields);
    if (isRefused(contact)) return contact;
    const complaint = complaintAbout(contact);
    if (complaint) return complaint;
    const created = await create(db, exchangeId, {
      ...contact,
      name: fields.name,
      surname: fields.surname,
      phone: fields.phone,
    });
    return typeof created === "number" ? text(created) : inWords(created, "");
  },
});

export const updateContact = endpoint({
  group,
  methods: ["PATCH", "PUT"],
  paths: ["/contacts/:id"],
  summary: "Change a contact",
  description:
    "What is left out stays as it is. `group_ids` names all groups of the contact; an empty JSON list leaves them.",
  parameters: Type.Object({
    id: idInPath(),
    name: Type.Optional(name),
    surname: Type.Optional(surname),
    phone: Type.Optional(phone),
    ...optionalFields,
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [notFound, ...refusals],
  async handle({ id, ...fields }, { db, exchangeId }) {
    const changes = readFields(fields);
    if (isRefused(changes)) return changes;
    const refused = await update(db, { exchangeId, id: readId(id), changes }, complaintAbout);
    if (refused === undefined) return OK;
    return isRefused(refused) ? refused : inWords(refused, id);
  },
});

export const deleteContact = endpoint({
  group,
  methods: ["DELETE"],
  paths: ["/contacts/:id"],
  summary: "Delete a contact",
  parameters: Type.Object({ id: idInPath() }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [notFound, [400, INTEGRATION_IS_ON]],
  async handle({ id }, { db, exchangeId }) {
    const refused = await remove(db, exchangeId, readId(id));
    return refused ? inWords(refused, id) : OK;
  },
});

/** The interface says "group" for a missing contact, too; clients know the sentence by heart. */
export function inWords(refusal: ContactRefusal, id: string): RefusedAnswer {
  if (refusal.refused === "external-contacts") return refuse(400, INTEGRATION_IS_ON);
  if (refusal.refused === "unknown-groups")
    return refuse(400, `invalid group_ids: ${echo(refusal.groupIds.join(","))}`);
  return refuse(400, `cannot find group with id: ${echo(id)}`);
}
