// Groups of contacts.

import { Type } from "typebox";
import {
  createContactGroup as create,
  listContactGroups as list,
  deleteContactGroup as remove,
  renameContactGroup as rename,
} from "../../store/contact-groups.ts";
import { json, OK, text } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { idInPath, words } from "../parameters/schema.ts";
import { INTEGRATION_IS_ON, inWords } from "./contacts.ts";
import { readId } from "./paging.ts";

const group = "Contact groups";
const name = words({ example: "Müşteriler" });
const blank = [400, "name can't be blank"] as const;
const notFound = [400, "cannot find group with id: 20212"] as const;
const integration = [400, INTEGRATION_IS_ON] as const;

export const listContactGroups = endpoint({
  group,
  methods: ["GET"],
  paths: ["/contact_groups"],
  summary: "List contact groups",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: [{ id: 20212, name: "Müşteriler" }],
  async handle(_, { db, exchangeId }) {
    return json(await list(db, exchangeId));
  },
});

export const createContactGroup = endpoint({
  group,
  methods: ["POST"],
  paths: ["/contact_groups"],
  summary: "Create a contact group",
  parameters: Type.Object({ name }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "20212",
  refusals: [blank, integration],
  async handle({ name }, { db, exchangeId }) {
    const created = await create(db, exchangeId, name);
    return typeof created === "number" ? text(created) : inWords(created, "");
  },
});

export const updateContactGroup = endpoint({
  group,
  methods: ["PATCH", "PUT"],
  paths: ["/contact_groups/:id"],
  summary: "Rename a contact group",
  parameters: Type.Object({ id: idInPath(), name }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [blank, notFound, integration],
  async handle({ id, name }, { db, exchangeId }) {
    const refused = await rename(db, { exchangeId, id: readId(id), name });
    return refused ? inWords(refused, id) : OK;
  },
});

export const deleteContactGroup = endpoint({
  group,
  methods: ["DELETE"],
  paths: ["/contact_groups/:id"],
  summary: "Delete a contact group",
  description: "Its contacts stay; the group leaves their `group_ids`.",
  parameters: Type.Object({ id: idInPath() }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [notFound, integration],
  async handle({ id }, { db, exchangeId }) {
    const refused = await remove(db, exchangeId, readId(id));
    return refused ? inWords(refused, id) : OK;
  },
});
