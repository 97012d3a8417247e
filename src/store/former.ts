// How that stands which is about to be changed: the fields of a noun, and what other tables hold of it.

import type { Field, Noun } from "../nouns/field.ts";
import type { Db } from "./db.ts";
import { joined, quoted, type Sql, sql } from "./sql.ts";
import { columnOf, fieldOf, shownColumn } from "./update.ts";

/** What another table holds, by the table of the noun and the name of the field. */
const elsewhere: Readonly<Record<string, Sql>> = {
  "staff.queues": sql`array(select q.number from staff_queues s join queues q on q.id = s.queue_id
    where s.staff_id = staff.id order by length(q.number), q.number)`,
  "queues.members": sql`array(select e.number from queue_members m join extensions e on e.id = m.extension_id
    where m.queue_id = queues.id order by m.position)`,
  "ring_groups.members": sql`array(select coalesce(e.number, m.external_number) from ring_group_members m
    left join extensions e on e.id = m.extension_id where m.group_id = ring_groups.id order by m.position)`,
  "special_day_settings.title": sql`(select name from sms_titles where sms_titles.id = special_day_settings.title_id)`,
  "contacts.group_ids": sql`array(select m.group_id::text from contact_group_members m
    where m.contact_id = contacts.id order by m.group_id)`,
};

/** What stands there now, of the fields named; of a secret nothing. */
export async function readFormer(
  db: Db,
  noun: Noun,
  { exchangeId, which, names }: { exchangeId: number; which: string | number | undefined; names: readonly string[] },
): Promise<Record<string, unknown> | undefined> {
  const wanted = names.filter((name) => isReadBefore(noun, name));
  if (wanted.length === 0) return undefined;
  const columns = joined(
    wanted.map((name) => formerColumn(noun, fieldOf(noun, name))),
    ", ",
  );
  const owner = noun.table === "exchanges" ? sql`id` : sql`exchange_id`;
  const rows = sql`select ${columns} from ${quoted(noun.table)} where ${owner} = $1`;
  const [row] =
    which === undefined
      ? await db.query<Record<string, unknown>>(sql`${rows} ${inUse(noun)}`, [exchangeId])
      : await db.query<Record<string, unknown>>(sql`${rows} and ${knownAs(noun)}`, [exchangeId, which]);
  return row;
}

function isReadBefore(noun: Noun, name: string): boolean {
  const field = Object.hasOwn(noun.fields, name) ? noun.fields[name] : undefined;
  if (!field || field.is === "secret") return false;
  return field.column !== null || elsewhere[`${noun.table}.${name}`] !== undefined;
}

/** Of several that an exchange has had, the one that counts. */
function inUse({ table }: Noun): Sql {
  return table === "archives" ? sql`and active` : sql``;
}

/** A mailbox goes by its extension's number. */
function knownAs({ knownBy }: Noun): Sql {
  if (knownBy !== "extension_id") return sql`${quoted(knownBy)} = $2`;
  return sql`extension_id = (select id from extensions where exchange_id = $1 and number = $2)`;
}

function formerColumn({ table }: Noun, [name, field]: [name: string, field: Field]): Sql {
  const there = elsewhere[`${table}.${name}`];
  if (there) return sql`${there} as ${quoted(name)}`;
  if (field.is !== "extension") return shownColumn(name, field);
  return sql`(select number from extensions where extensions.id = ${columnOf(name, field)}) as ${quoted(name)}`;
}
