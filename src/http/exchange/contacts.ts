// Contacts: the telephone book of an exchange.

import { Type } from "typebox";
import {
  type ContactRefusal,
  listContacts as list,
  deleteContact as remove,
  updateContact as update,
} from "../../store/contacts.ts";
import { isRefused, OK, refuse, text } from "../door/answer.ts";
import { endpoint, type Refused } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { idInPath, pageParameters } from "../parameters/schema.ts";
import { complaintAbout, optionalFields, readFields, requiredFields, showContact } from "./contact-fields.ts";
import { paged, pageOf, paginationExample, readId } from "./paging.ts";

const group = "Contacts";
const { name, surname, phone } = requiredFields;

const refusals = [
  { refused: "blank", field: "birthday" },
  { refused: "blank", field: "weddingday" },
  { refused: "blank", field: "monthly_sms_message" },
  { refused: "out-of-range", field: "monthly_sms_day", least: 1, most: 31 },
  { refused: "misfit", field: "group_ids", value: "7,8" },
  { refused: "external-contacts" },
] as const;

const notFound = { refused: "contact-not-found", id: "10203" } as const;

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
  refusals: [{ refused: "out-of-range", field: "limit", least: 10, most: 100 }],
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
  refusals: [
    { refused: "blank", field: "name" },
    { refused: "blank", field: "surname" },
    { refused: "blank", field: "phone" },
    ...refusals,
  ],
  async handle(fields, { contacts, exchangeId, limit }) {
    const contact = readFields(fields);
    if (isRefused(contact)) return contact;
    const complaint = complaintAbout(contact);
    if (complaint) return complaint;
    const { name, surname, phone } = fields;
    const created = await contacts.create(exchangeId, { ...contact, name, surname, phone }, limit);
    return typeof created === "number" ? text(created) : refusedContact(created, "");
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
    return isRefused(refused) ? refused : refusedContact(refused, id);
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
  refusals: [notFound, { refused: "external-contacts" }],
  async handle({ id }, { db, exchangeId }) {
    const refused = await remove(db, exchangeId, readId(id));
    return refused ? refusedContact(refused, id) : OK;
  },
});

export function refusedContact(refusal: ContactRefusal, id: string): Refused {
  if (refusal.refused === "external-contacts") return refuse(refusal);
  if (refusal.refused === "unknown-groups")
    return refuse({ refused: "misfit", field: "group_ids", value: refusal.groupIds.join(",") });
  return refuse({ refused: "contact-not-found", id });
}
