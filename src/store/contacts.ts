// People outside the exchange, and the groups they are sorted into.

import { contact } from "../nouns/contact.ts";
import type { Kind, Row } from "../nouns/field.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { joined, place, quoted, type Sql, sql } from "./sql.ts";
import { updateOwn } from "./update.ts";

type Column = keyof typeof contact.fields & string;

/** Every column a caller may set, in the order in which they are shown. */
export const contactColumns = Object.keys(contact.fields) as Column[]; // of the noun's own fields

/** Named as stored and as shown. Dates are `YYYY-MM-DD`. */
export type Contact = { id: number; group_ids: number[] } & { -readonly [Name in Column]: Row<typeof contact>[Name] };

export type ContactChanges = Partial<Omit<Contact, "id">>;

export type ContactRefusal =
  | { refused: "external-contacts" }
  | { refused: "not-found" }
  | { refused: "unknown-groups"; groupIds: number[] };

export const shownColumns = joined(
  contactColumns.map((column) => sql`c.${quoted(column)}`),
  ", ",
);

const selection = sql`select c.id, ${shownColumns},
  array(select group_id from contact_group_members m where m.contact_id = c.id order by group_id)::int[] as group_ids
  from contacts c`;

export async function listContacts(db: Db, exchangeId: number, page: Page): Promise<Paged<Contact>> {
  const rows = await db.query<Contact>(sql`${selection} where c.exchange_id = $1 order by c.id limit $2 offset $3`, [
    exchangeId,
    page.limit,
    offsetOf(page),
  ]);
  const [count] = await db.query<{ total: number }>(
    sql`select count(*) as total from contacts where exchange_id = $1`,
    [exchangeId],
  );
  return { rows, total: count!.total }; // a count always has a row
}

async function findContact(db: Db, exchangeId: number, id: number): Promise<Contact | undefined> {
  const [row] = await db.query<Contact>(sql`${selection} where c.exchange_id = $1 and c.id = $2`, [exchangeId, id]);
  return row;
}

export type NewContact = ContactChanges & Pick<Contact, "name" | "surname" | "phone">;

export async function createContact(db: Db, exchangeId: number, contact: NewContact): Promise<number | ContactRefusal> {
  if (!contact.group_ids?.length) return (await createContacts(db, exchangeId, [contact]))[0]!; // one for each
  return db.transaction(async (db) => {
    const refusal = await refuseWrite(db, exchangeId, contact.group_ids);
    if (refusal) return refusal;
    const [id] = await createContacts(db, exchangeId, [contact]);
    if (typeof id === "number") await putInGroups(db, { exchangeId, contactId: id, groupIds: contact.group_ids });
    return id!; // one for each
  });
}

/** Their ids in their order. Of groups it knows nothing. */
export async function createContacts(
  db: Db,
  exchangeId: number,
  contacts: readonly NewContact[],
): Promise<(number | ContactRefusal)[]> {
  const alike = new Map<string, number[]>();
  for (const [place, contact] of contacts.entries()) {
    const columns = givenColumns(contact).join();
    alike.set(columns, [...(alike.get(columns) ?? []), place]);
  }
  const created: (number | ContactRefusal)[] = contacts.map(() => ({ refused: "external-contacts" }));
  for (const places of alike.values()) {
    const group = places.map((place) => contacts[place]!); // a place among them
    const ids = await insertContacts(db, exchangeId, group);
    for (const [nth, id] of ids.entries()) created[places[nth]!] = id; // an id for each, or none at all
  }
  return created;
}

/** That have the same columns. The condition is part of the statement, so that it takes one round trip. */
async function insertContacts(db: Db, exchangeId: number, contacts: readonly NewContact[]): Promise<number[]> {
  const given = givenColumns(contacts[0]!); // a group has somebody in it
  const names = joined(
    given.map((column) => quoted(column)),
    ", ",
  );
  const shown = joined(
    given.map((column) => sql`given.${quoted(column)}`),
    ", ",
  );
  const typed = joined(
    given.map((column, index) => sql`${place(index + 2)}::${typeOf(column)}[]`),
    ", ",
  );
  const rows = await db.query<{ id: number }>(
    sql`insert into contacts (exchange_id, ${names})
     select exchanges.id, ${shown}
     from exchanges, unnest(${typed}) with ordinality as given (${names}, place)
     where exchanges.id = $1 and not external_contacts order by place for share of exchanges returning id`,
    [exchangeId, ...given.map((column) => contacts.map((contact) => contact[column]))],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b); // ids are given in the order of writing
}

const types: { [Is in Kind["is"]]?: Sql } = { whole: sql`integer`, day: sql`date`, switch: sql`boolean` };

export function typeOf(column: Column): Sql {
  return types[contact.fields[column].is] ?? sql`text`;
}

/** `check` sees the contact as it would become and may still refuse. */
export function updateContact<No>(
  db: Db,
  { exchangeId, id, changes }: { exchangeId: number; id: number; changes: ContactChanges },
  check: (contact: Contact) => No | undefined,
): Promise<undefined | ContactRefusal | No> {
  return db.transaction(async (db) => {
    const [locked] = await db.query<{ isForeign: boolean }>(
      sql`select source_id is not null as "isForeign" from contacts where exchange_id = $1 and id = $2 for update`,
      [exchangeId, id],
    );
    const before = locked && (await findContact(db, exchangeId, id));
    if (!before) return { refused: "not-found" };
    if (locked.isForeign) return { refused: "external-contacts" };
    const refusal = (await refuseWrite(db, exchangeId, changes.group_ids)) ?? check({ ...before, ...changes });
    if (refusal) return refusal;
    const { group_ids, ...plain } = changes;
    await updateOwn(db, contact, { exchangeId, which: id, changes: plain });
    await putInGroups(db, { exchangeId, contactId: id, groupIds: group_ids });
    return undefined;
  });
}

export function deleteContact(db: Db, exchangeId: number, id: number): Promise<undefined | ContactRefusal> {
  return db.transaction(async (db) => {
    const refusal = await refuseWrite(db, exchangeId);
    if (refusal) return refusal;
    const [found] = await db.query<{ isForeign: boolean }>(
      sql`select source_id is not null as "isForeign" from contacts where exchange_id = $1 and id = $2 for update`,
      [exchangeId, id],
    );
    if (!found) return { refused: "not-found" };
    if (found.isForeign) return { refused: "external-contacts" };
    await db.query(sql`delete from contacts where exchange_id = $1 and id = $2`, [exchangeId, id]);
    return undefined;
  });
}

/** Shared with the groups: while the contacts live elsewhere, nobody writes here. Locked, so that it stays true. */
export async function refuseWrite(
  db: Db,
  exchangeId: number,
  groupIds: readonly number[] = [],
): Promise<ContactRefusal | undefined> {
  const [exchange] = await db.query<{ external: boolean }>(
    sql`select external_contacts as external from exchanges where id = $1 for share`,
    [exchangeId],
  );
  if (exchange?.external !== false) return { refused: "external-contacts" };
  if (groupIds.length === 0) return undefined;
  const known = await db.query<{ id: number }>(
    sql`select id from contact_groups where exchange_id = $1 and id = any($2) for share`,
    [exchangeId, groupIds],
  );
  const unknown = groupIds.filter((id) => !known.some((group) => group.id === id));
  return unknown.length > 0 ? { refused: "unknown-groups", groupIds: unknown } : undefined;
}

async function putInGroups(
  db: Db,
  { exchangeId, contactId, groupIds }: { exchangeId: number; contactId: number; groupIds: number[] | undefined },
): Promise<void> {
  if (groupIds === undefined) return;
  await db.query(sql`delete from contact_group_members where exchange_id = $1 and contact_id = $2`, [
    exchangeId,
    contactId,
  ]);
  if (groupIds.length === 0) return;
  await db.query(
    sql`insert into contact_group_members (exchange_id, contact_id, group_id)
     select distinct $1::bigint, $2::bigint, id from unnest($3::bigint[]) as wanted (id)`,
    [exchangeId, contactId, groupIds],
  );
}

function givenColumns(changes: ContactChanges): Column[] {
  return contactColumns.filter((column) => changes[column] !== undefined);
}
