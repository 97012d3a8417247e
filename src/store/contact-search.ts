// Contacts as people look for them: by a part of a name, a company or a number.

import type { Language } from "../languages.ts";
import { type Contact, shownColumns } from "./contacts.ts";
import type { Db } from "./db.ts";
import { inOrder } from "./order-of-words.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

/** `source`: the name of the one he came from, which alone changes him. */
export type FoundContact = Contact & { source: string | null };

export async function searchContacts(
  db: Db,
  exchangeId: number,
  { about, groupId, language, ...page }: Page & { about: string; groupId: number | undefined; language: Language },
): Promise<Paged<FoundContact>> {
  const source = sql`from contacts c where c.exchange_id = $1
    and ($2 = '' or c.id in (select matching_contacts($1, $2, null)))
    and ($3::bigint is null or exists
      (select from contact_group_members m where m.contact_id = c.id and m.group_id = $3))`;
  const values = [exchangeId, about, groupId ?? null];
  const rows = await db.query<FoundContact>(
    sql`select c.id, ${shownColumns},
       (select s.name from contact_sources s where s.exchange_id = $1 and s.id = c.source_id) as source,
       array(select group_id from contact_group_members m where m.contact_id = c.id order by group_id)::int[] as group_ids
     ${source} order by ${inOrder(sql`name`, language)}, ${inOrder(sql`surname`, language)}, c.id limit $4 offset $5`,
    [...values, page.limit, offsetOf(page)],
  );
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total ${source}`, values);
  return { rows, total: count!.total }; // a count always has a row
}

export type ContactGroupRow = { id: number; name: string; people: number };

export function listContactGroupRows(db: Db, exchangeId: number): Promise<ContactGroupRow[]> {
  return db.query<ContactGroupRow>(
    sql`select id, name, (select count(*) from contact_group_members m where m.group_id = g.id) as people
     from contact_groups g where exchange_id = $1 order by lower(name), id`,
    [exchangeId],
  );
}
