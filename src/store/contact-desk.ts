// Where contacts of the interface are taken in: those that come at once are written together.

import type { Clock } from "../clock.ts";
import { type ContactRefusal, createContact, createContacts, type NewContact } from "./contacts.ts";
import type { Database } from "./db.ts";
import { gathering, type Written, writeTogether } from "./gathering.ts";
import type { Limit } from "./limit.ts";

export type ContactDesk = {
  create(exchangeId: number, contact: NewContact, limit: Limit): Promise<number | ContactRefusal>;
};

export function openContactDesk(db: Database, clock: Clock): ContactDesk {
  const together = gathering((exchangeId: number, waiting: readonly (Written & { contact: NewContact })[]) =>
    writeTogether({ db, clock, exchangeId }, waiting, (db, items) =>
      createContacts(
        db,
        exchangeId,
        items.map(({ contact }) => contact),
      ),
    ),
  );
  return {
    create: (exchangeId, contact, limit) =>
      contact.group_ids?.length
        ? createContact(db.forExchange(exchangeId, limit), exchangeId, contact)
        : together(exchangeId, { contact, limit }),
  };
}
