// What was filled in and what is owed, for the report about forms. Every statement looks at one exchange and some days.

import { type CallForm, callFormColumns, callFormSource } from "./call-forms.ts";
import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { seenExtensions, type Within } from "./scope.ts";
import { joined, place, type Sql, sql } from "./sql.ts";

export type FormFilter = {
  from: Date;
  before: Date;
  /** With answers, or owed. */
  filled: boolean;
  form?: number | undefined;
  extension?: string | undefined;
  queues?: string[] | undefined;
  /** Part of an answer, of the number or of the name. */
  about?: string | undefined;
  /** Only what somebody sees who does not see everything. */
  within?: Within | undefined;
};

const conditions: { [Name in keyof FormFilter]-?: (value: Sql) => Sql } = {
  from: (value) => sql`c.at >= ${value}`,
  before: (value) => sql`c.at < ${value}`,
  filled: (value) => sql`(c.answers is not null) = ${value}`,
  form: (value) => sql`c.form_id = ${value}`,
  extension: (value) => sql`c.extension = ${value}`,
  queues: (value) => sql`c.queue = any(${value})`,
  about: (value) => sql`(c.number ilike ${value} or c.name ilike ${value} or exists (
    select from jsonb_path_query(c.answers, 'strict $.**') as said
    where jsonb_typeof(said) in ('string', 'number') and said #>> '{}' ilike ${value}))`,
  within: (value) => seenExtensions(sql`c.extension`, value),
};

function wanted(exchangeId: number, filter: FormFilter): { where: Sql; values: unknown[] } {
  const values: unknown[] = [exchangeId];
  const where = [sql`c.exchange_id = $1`];
  for (const [name, condition] of Object.entries(conditions)) {
    const value = filter[name as keyof FormFilter];
    if (value === undefined || value === "") continue;
    values.push(asSent(name as keyof FormFilter, value));
    where.push(condition(place(values.length)));
  }
  return { where: joined(where, " and "), values };
}

function asSent(name: keyof FormFilter, value: unknown): unknown {
  if (name === "within") return JSON.stringify(value);
  return name === "about" ? `%${String(value).replace(/[\\%_]/g, "\\$&")}%` : value;
}

export type ReportedForm = CallForm & { agent: string };

export async function reportForms(
  db: Db,
  exchangeId: number,
  filter: FormFilter,
  page: Page,
): Promise<Paged<ReportedForm>> {
  const { where, values } = wanted(exchangeId, filter);
  const counting = db.query<{ total: number }>(sql`select count(*) as total from call_forms c where ${where}`, values);
  const reading = db.query<ReportedForm>(
    sql`select ${callFormColumns}, coalesce(e.name, '') as agent from ${callFormSource}
     left join extensions e on e.exchange_id = c.exchange_id and e.number = c.extension
     where ${where} order by c.at desc, c.id desc
     limit ${place(values.length + 1)} offset ${place(values.length + 2)}`,
    [...values, page.limit, offsetOf(page)],
  );
  const [[count], rows] = await Promise.all([counting, reading]);
  return { rows, total: count!.total }; // a count always has a row
}

/** All of them in portions, newest first, each found behind the last of the one before, however many there are. */
export async function* walkForms(
  db: Db,
  exchangeId: number,
  filter: FormFilter,
  { atOnce }: { atOnce: number },
): AsyncGenerator<ReportedForm[]> {
  const { where, values } = wanted(exchangeId, filter);
  const [at, id, limit] = [1, 2, 3].map((further) => place(values.length + further)) as [Sql, Sql, Sql]; // of three
  // As text: the database tells microseconds apart, and a Date does not.
  let older = { mark: "infinity", id: 0 };
  for (;;) {
    const rows = await db.query<ReportedForm & typeof older>(
      sql`select ${callFormColumns}, coalesce(e.name, '') as agent, c.id, c.at::text as mark from ${callFormSource}
       left join extensions e on e.exchange_id = c.exchange_id and e.number = c.extension
       where ${where} and (c.at, c.id) < (${at}::timestamptz, ${id}::bigint) order by c.at desc, c.id desc limit ${limit}`,
      [...values, older.mark, older.id, atOnce],
    );
    yield rows.map(({ id: _, mark: __, ...row }) => row);
    const end = rows.at(-1);
    if (!end || rows.length < atOnce) return;
    older = end;
  }
}

/** The first moment of a day there. */
export async function beginningOf(db: Db, day: string, timeZone: string): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`select $1::timestamp at time zone $2 as at`, [day, timeZone]);
  return row!.at; // one row of one value
}

export type ChoiceCount = { field: string; choice: string; count: number };

/** How often each choice of these fields was taken, in all versions. */
export function countChoices(
  db: Db,
  exchangeId: number,
  filter: FormFilter,
  fields: readonly string[],
): Promise<ChoiceCount[]> {
  const { where, values } = wanted(exchangeId, filter);
  return db.query<ChoiceCount>(
    sql`select said.key as field, one as choice, count(*) as count
     from call_forms c cross join lateral jsonb_each(c.answers) as said
     cross join lateral jsonb_array_elements_text(
       case jsonb_typeof(said.value) when 'array' then said.value else jsonb_build_array(said.value) end) as one
     where ${where} and said.key = any(${place(values.length + 1)})
     group by said.key, one order by said.key, count(*) desc, one limit 4000`,
    [...values, fields],
  );
}
