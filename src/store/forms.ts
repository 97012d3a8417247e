// Forms as they are defined: names, versions of their fields, and who uses them.

import { areSame, type FormField, type WantedField, withIds } from "../forms/definition.ts";
import type { Db } from "./db.ts";
import { type SetupRefusal, type User, unlessTaken } from "./refusal.ts";
import { sql } from "./sql.ts";

export type Form = {
  id: number;
  name: string;
  active: boolean;
  version: number;
  fields: FormField[];
  /** Calls that have its form, and those of them without answers. */
  filled: number;
  owed: number;
};

const current = sql`select f.id, f.name, f.active, v.version, v.fields,
    (select count(*) from call_forms c where c.form_id = f.id and c.answers is not null) as filled,
    (select count(*) from call_forms c where c.form_id = f.id and c.answers is null) as owed
  from forms f cross join lateral (select version, fields from form_versions where form_id = f.id
    order by version desc limit 1) v`;

export function listForms(db: Db, exchangeId: number): Promise<Form[]> {
  return db.query<Form>(sql`${current} where f.exchange_id = $1 order by lower(f.name), f.id`, [exchangeId]);
}

export async function findForm(db: Db, exchangeId: number, id: number): Promise<Form | undefined> {
  const [form] = await db.query<Form>(sql`${current} where f.exchange_id = $1 and f.id = $2`, [exchangeId, id]);
  return form;
}

export async function formCalled(db: Db, exchangeId: number, name: string): Promise<Form | undefined> {
  const [form] = await db.query<Form>(sql`${current} where f.exchange_id = $1 and f.name = $2`, [exchangeId, name]);
  return form;
}

/** Whether any form may be asked for at all. */
export async function asksForms(db: Db, exchangeId: number): Promise<boolean> {
  const active = await db.query(sql`select 1 from forms where exchange_id = $1 and active limit 1`, [exchangeId]);
  return active.length > 0;
}

export type FormVersion = { version: number; fields: FormField[]; createdAt: Date };

/** The newest first. */
export function formVersions(db: Db, exchangeId: number, id: number): Promise<FormVersion[]> {
  return db.query<FormVersion>(
    sql`select version, fields, created_at as "createdAt" from form_versions
     where exchange_id = $1 and form_id = $2 order by version desc`,
    [exchangeId, id],
  );
}

type NewForm = { exchangeId: number; name: string; active: boolean; fields: readonly WantedField[] };

export function createForm(db: Db, { exchangeId, name, active, fields }: NewForm): Promise<number | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "form", name }, async (db) => {
    const [row] = await db.query<{ id: number }>(
      sql`insert into forms (exchange_id, name, active) values ($1, $2, $3) returning id`,
      [exchangeId, name, active],
    );
    await writeVersion(db, { exchangeId, id: row!.id, version: 1, fields: withIds(fields, []) });
    return row!.id; // just made
  });
}

type FormChanges = { exchangeId: number; id: number } & {
  [Name in Exclude<keyof NewForm, "exchangeId">]?: NewForm[Name] | undefined;
};

/** A version that some call has is never changed: other fields make the next one. Answers with the version it has now. */
export function updateForm(
  db: Db,
  { exchangeId, id, name, active, fields }: FormChanges,
): Promise<{ version: number } | SetupRefusal> {
  return unlessTaken(db, { refused: "name-taken", what: "form", name: name ?? "" }, async (db) => {
    // Two who change it at once do so one after the other.
    const [form] = await db.query(sql`select 1 from forms where exchange_id = $1 and id = $2 for update`, [
      exchangeId,
      id,
    ]);
    if (!form) return { refused: "not-found", what: "form", which: String(id) };
    await db.query(
      sql`update forms set name = coalesce($3, name), active = coalesce($4, active) where exchange_id = $1 and id = $2`,
      [exchangeId, id, name ?? null, active ?? null],
    );
    const versions = await formVersions(db, exchangeId, id);
    const last = versions[0]!; // it was made with one
    if (!fields) return { version: last.version };
    const next = withIds(
      fields,
      versions.map((version) => version.fields),
    );
    if (areSame(next, last.fields)) return { version: last.version };
    const isUsed = await isVersionUsed(db, { exchangeId, id, version: last.version });
    const version = isUsed ? last.version + 1 : last.version;
    await writeVersion(db, { exchangeId, id, version, fields: next });
    return { version };
  });
}

/** Locked while it is asked: a call that takes the version meanwhile waits, and has what was written. */
async function isVersionUsed(
  db: Db,
  { exchangeId, id, version }: { exchangeId: number; id: number; version: number },
): Promise<boolean> {
  await db.query(sql`select 1 from form_versions where exchange_id = $1 and form_id = $2 and version = $3 for update`, [
    exchangeId,
    id,
    version,
  ]);
  const used = await db.query(
    sql`select 1 from call_forms where exchange_id = $1 and form_id = $2 and version = $3 limit 1`,
    [exchangeId, id, version],
  );
  return used.length > 0;
}

async function writeVersion(
  db: Db,
  { exchangeId, id, version, fields }: { exchangeId: number; id: number; version: number; fields: FormField[] },
): Promise<void> {
  await db.query(
    sql`insert into form_versions (exchange_id, form_id, version, fields) values ($1, $2, $3, $4::jsonb)
     on conflict (form_id, version) do update set fields = excluded.fields, created_at = now()`,
    [exchangeId, id, version, JSON.stringify(fields)],
  );
}

/** One that calls have, or that is chosen somewhere, stays; it can be switched off. */
export async function deleteForm(db: Db, exchangeId: number, id: number): Promise<SetupRefusal | undefined> {
  return db.transaction(async (db) => {
    const [form] = await db.query<{ name: string }>(
      sql`select name from forms where exchange_id = $1 and id = $2 for update`,
      [exchangeId, id],
    );
    if (!form) return { refused: "not-found", what: "form", which: String(id) };
    const [by] = await usersOfForm(db, exchangeId, id);
    if (by) return { refused: "in-use", what: "form", which: form.name, by };
    await db.query(sql`delete from forms where exchange_id = $1 and id = $2`, [exchangeId, id]);
    return undefined;
  });
}

export function usersOfForm(db: Db, exchangeId: number, id: number): Promise<User[]> {
  return db.query<User>(
    sql`select 'queue' as noun, number as which from queues where exchange_id = $1 and form_id = $2
     union all select 'group', number from ring_groups where exchange_id = $1 and form_id = $2
     union all select 'exchange', name from exchanges where id = $1 and $2 in (inbound_form_id, outbound_form_id)
     union all (select 'call', call_uuid::text from call_forms where exchange_id = $1 and form_id = $2 limit 1)`,
    [exchangeId, id],
  );
}
