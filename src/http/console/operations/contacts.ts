// Contacts and their groups.

import { Type } from "typebox";
import { firstLanguage } from "../../../languages.ts";
import { contact } from "../../../nouns/contact.ts";
import type { Fields } from "../../../nouns/field.ts";
import { createContactGroup, deleteContactGroup, renameContactGroup } from "../../../store/contact-groups.ts";
import { listContactGroupRows, searchContacts } from "../../../store/contact-search.ts";
import { type ContactRefusal, deleteContact } from "../../../store/contacts.ts";
import { createContact as createEndpoint, updateContact as updateEndpoint } from "../../exchange/contacts.ts";
import { forward } from "../operation/forward.ts";
import { operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { id, idOrNothing, name, nothing, pageFields, readersLanguage, text } from "./fields.ts";
import { optionalSchemas, wholeSchemas } from "./noun-schema.ts";

const { name: called, surname, phone } = wholeSchemas(contact);
const optional = { ...optionalSchemas(contact), group_ids: Type.Optional(Type.Array(id(), { maxItems: 1_000 })) };

export const contacts = {
  "contacts.list": operation({
    right: "see-contacts",
    reads: true,
    parameters: Type.Object({
      ...pageFields,
      about: text(),
      groupId: idOrNothing(),
      language: readersLanguage(),
    }),
    handle: ({ groupId, language = firstLanguage.console, ...wanted }, { db, exchangeId }) =>
      searchContacts(db, exchangeId, { ...wanted, language, groupId: groupId ?? undefined }),
  }),

  "contacts.create": operation({
    right: "edit-contacts",
    parameters: Type.Object({ ...optional, name: called, surname, phone }),
    handle: (contact, context) => forward(createEndpoint, sent(contact), context),
  }),

  "contacts.update": operation({
    right: "edit-contacts",
    parameters: Type.Object({ id: id(), changes: Type.Object(optional) }),
    handle: ({ id, changes }, context) => forward(updateEndpoint, { ...sent(changes), id: String(id) }, context),
  }),

  "contacts.delete": operation({
    right: "manage-contacts",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { db, exchangeId }) {
      const refused = await deleteContact(db, exchangeId, id);
      return refused ? inWords(refused, id) : {};
    },
  }),

  "contactGroups.list": operation({
    right: "see-contacts",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listContactGroupRows(db, exchangeId),
  }),

  "contactGroups.create": operation({
    right: "manage-contacts",
    parameters: Type.Object({ name: name() }),
    async handle({ name }, { db, exchangeId }) {
      const made = await createContactGroup(db, exchangeId, name);
      return typeof made === "number" ? { id: made } : inWords(made, 0);
    },
  }),

  "contactGroups.rename": operation({
    right: "manage-contacts",
    parameters: Type.Object({ id: id(), name: name() }),
    async handle({ id, name }, { db, exchangeId }) {
      const refused = await renameContactGroup(db, { exchangeId, id, name });
      return refused ? inWords(refused, id) : {};
    },
  }),

  "contactGroups.delete": operation({
    right: "manage-contacts",
    parameters: Type.Object({ id: id() }),
    async handle({ id }, { db, exchangeId }) {
      const refused = await deleteContactGroup(db, exchangeId, id);
      return refused ? inWords(refused, id) : {};
    },
  }),
};

/** What is empty was not filled in; a text that is empty was taken away. */
function sent(filled: Record<string, unknown>): Record<string, unknown> {
  const fields: Fields = contact.fields;
  const isText = (name: string) => ["text", "area", "email"].includes(fields[name]?.is ?? "");
  return Object.fromEntries(
    Object.entries(filled)
      .map(([name, value]): [string, unknown] => [name, value ?? ""])
      .filter(([name, value]) => value !== "" || isText(name)),
  );
}

function inWords(refusal: ContactRefusal, id: number): ConsoleRefusal {
  if (refusal.refused === "external-contacts") return { refused: "external-contacts" };
  return { refused: "not-found", what: "contact", which: String(id) };
}
