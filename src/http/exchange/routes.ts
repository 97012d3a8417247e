// The exchange API's table of contents.

import type { Endpoint } from "../endpoint.ts";
import { changeOutboundCallerId, listCallerIds } from "./caller-ids.ts";
import { createContact, deleteContact, listContacts, updateContact } from "./contacts.ts";

export const exchangeApi: readonly Endpoint[] = [
  listCallerIds,
  changeOutboundCallerId,
  listContacts,
  createContact,
  updateContact,
  deleteContact,
];
