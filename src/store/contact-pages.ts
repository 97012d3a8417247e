// A page of what a source has, written at once: contacts made or changed, their groups, and what cannot be a contact.

import { type ContactChanges, contactColumns, typeOf } from "./contacts.ts";
import type { Db } from "./db.ts";
import { joined, quoted, sql } from "./sql.ts";

/** A person of a source, as a contact may hold him. */
export type ForeignContact = { fields: ContactChanges; groups: readonly string[] };

export type ForeignFault = {
  why: "no-phone" | "bad-phone" | "no-name" | "twice" | "a-group" | "unreadable";
  value: string;
};

/** `mark` changes there when the person does. */
export type Incoming = { foreignId: string; mark: string } & ({ contact: ForeignContact } | { fault: ForeignFault });

/** Whose run it is. A run that another one, or a change of the settings, has taken the place of writes nothing any more. */
export type Run = { exchangeId: number; sourceId: number; run: string };

export type Written = { added: number; changed: number };

/** Undefined when the run is not the one that may write. Of each foreign id there is one in a page. */
export function writePage(db: Db, run: Run, page: readonly Incoming[]): Promise<Written | undefined> {
  return db.transaction(async (db) => {
    if (!(await mayWrite(db, run))) return undefined;
    const people = page.flatMap((it) => ("contact" in it ? [it] : []));
    const written = await writeContacts(db, run, people);
    await writeGroups(db, run.exchangeId, written, new Map(people.map((it) => [it.foreignId, it.contact.groups])));
    const good = people.map(({ foreignId }) => foreignId);
    await forgetFaults(db, run, good);
    await writeFaults(db, run, page);
    const added = written.filter(({ isNew }) => isNew).length;
    return { added, changed: written.length - added };
  });
}

/** Held until the transaction is over. */
export async function mayWrite(db: Db, { exchangeId, sourceId, run }: Run): Promise<boolean> {
  const found = await db.query(
    sql`select 1 from contact_sources where exchange_id = $1 and id = $2 and run = $3 for update`,
    [exchangeId, sourceId, run],
  );
  return found.length > 0;
}

type WrittenContact = { id: number; foreignId: string; isNew: boolean };

const columnNames = joined(
  contactColumns.map((column) => quoted(column)),
  ", ",
);
const columnTypes = joined(
  contactColumns.map((column) => sql`${quoted(column)} ${typeOf(column)}`),
  ", ",
);
const columnsTaken = joined(
  contactColumns.map((column) => sql`${quoted(column)} = excluded.${quoted(column)}`),
  ", ",
);

function writeContacts(
  db: Db,
  { exchangeId, sourceId }: Run,
  people: readonly { foreignId: string; mark: string; contact: ForeignContact }[],
): Promise<WrittenContact[]> {
  if (people.length === 0) return Promise.resolve([]);
  const rows = people.map(({ foreignId, mark, contact }) => ({
    birthday_sms: false,
    weddingday_sms: false,
    ...contact.fields,
    foreign_id: foreignId,
    foreign_mark: mark,
  }));
  return db.query<WrittenContact>(
    sql`insert into contacts (exchange_id, source_id, foreign_id, foreign_mark, ${columnNames})
     select $1, $2, foreign_id, foreign_mark, ${columnNames}
     from jsonb_to_recordset($3::jsonb) as incoming (foreign_id text, foreign_mark text, ${columnTypes})
     on conflict (source_id, foreign_id) where source_id is not null
     do update set foreign_mark = excluded.foreign_mark, ${columnsTaken}
     returning id, foreign_id as "foreignId", xmax = 0 as "isNew"`,
    [exchangeId, sourceId, JSON.stringify(rows)],
  );
}

/** Groups are known by their names, and made where there is none yet. */
async function writeGroups(
  db: Db,
  exchangeId: number,
  written: readonly WrittenContact[],
  groupsOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (written.length === 0) return;
  const members = written.flatMap(({ id, foreignId }) => (groupsOf.get(foreignId) ?? []).map((name) => ({ id, name })));
  const changed = written.filter(({ isNew }) => !isNew).map(({ id }) => id);
  if (changed.length > 0)
    await db.query(sql`delete from contact_group_members where exchange_id = $1 and contact_id = any($2)`, [
      exchangeId,
      changed,
    ]);
  await joinGroups(db, exchangeId, members);
}

/** By the names of groups; inside a transaction. */
export async function joinGroups(
  db: Db,
  exchangeId: number,
  members: readonly { id: number; name: string }[],
): Promise<void> {
  if (members.length === 0) return;
  const values = [exchangeId, members.map(({ id }) => id), members.map(({ name }) => name)];
  // Two sources at once make no group twice.
  await db.query(sql`select 1 from exchanges where id = $1 for no key update`, [exchangeId]);
  await db.query(
    sql`insert into contact_groups (exchange_id, name)
     select $1::bigint, name from (select distinct name from unnest($2::text[]) as wanted (name)) as wanted
     where not exists (select from contact_groups g where g.exchange_id = $1 and g.name = wanted.name)
     limit greatest(0, ${MOST_GROUPS} - (select count(*) from contact_groups where exchange_id = $1))`,
    [exchangeId, values[2]],
  );
  await db.query(
    sql`insert into contact_group_members (exchange_id, contact_id, group_id)
     select $1, wanted.contact_id, (select min(g.id) from contact_groups g where g.exchange_id = $1 and g.name = wanted.name)
     from unnest($2::bigint[], $3::text[]) as wanted (contact_id, name)
     where exists (select from contact_groups g where g.exchange_id = $1 and g.name = wanted.name)
     on conflict do nothing`,
    values,
  );
}

/** A source that names more groups than anybody can look through makes no more of them. */
const MOST_GROUPS = 2_000;

async function forgetFaults(db: Db, { exchangeId, sourceId }: Run, foreignIds: readonly string[]): Promise<void> {
  if (foreignIds.length === 0) return;
  await db.query(
    sql`delete from contact_source_faults where exchange_id = $1 and source_id = $2 and foreign_id = any($3)`,
    [exchangeId, sourceId, foreignIds],
  );
}

async function writeFaults(db: Db, { exchangeId, sourceId }: Run, page: readonly Incoming[]): Promise<void> {
  const faults = page.flatMap((it) =>
    "fault" in it ? [{ ...it.fault, foreign_id: it.foreignId, mark: it.mark }] : [],
  );
  if (faults.length === 0) return;
  await db.query(
    sql`insert into contact_source_faults (exchange_id, source_id, foreign_id, mark, why, value)
     select $1, $2, foreign_id, mark, why, value
     from jsonb_to_recordset($3::jsonb) as incoming (foreign_id text, mark text, why text, value text)
     on conflict (source_id, foreign_id) do update set mark = excluded.mark, why = excluded.why, value = excluded.value`,
    [exchangeId, sourceId, JSON.stringify(faults)],
  );
}
