// Forms of calls: owed by each agent who took one, filled in by him or by who may, and shown with the call.

import type { Answers } from "../forms/answers.ts";
import type { FormField } from "../forms/definition.ts";
import type { Direction } from "./cdrs.ts";
import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** Noted with a call when an agent takes it. */
export type OwedForm = {
  extension: string;
  formId: number;
  version: number;
  atMs: number;
  direction: Direction;
  number: string;
  name: string;
  queue: string | null;
};

/** Written with the call's journal, as often as that is: it is kept once. A form that is gone meanwhile is not owed. */
export async function oweForms(
  db: Db,
  owed: readonly (OwedForm & { exchangeId: number; callUuid: string })[],
): Promise<void> {
  if (owed.length === 0) return;
  // The lock keeps the version until we are done: a call must not fail because somebody deletes a form.
  await db.query(
    sql`insert into call_forms (exchange_id, call_uuid, extension, form_id, version, at, direction, number, name, queue)
     select owed."exchangeId", owed."callUuid", owed.extension, held.form_id, held.version,
       to_timestamp(owed."atMs" / 1000), owed.direction, owed.number, owed.name, owed.queue
     from json_to_recordset($1::json) as owed ("exchangeId" bigint, "callUuid" uuid, extension text, "formId" bigint,
       version integer, "atMs" double precision, direction text, number text, name text, queue text)
     join (select exchange_id, form_id, version from form_versions where form_id = any($2) for key share) held
       on held.exchange_id = owed."exchangeId" and held.form_id = owed."formId" and held.version = owed.version
     on conflict (exchange_id, call_uuid, extension) do nothing`,
    [JSON.stringify(owed), [...new Set(owed.map(({ formId }) => formId))]],
  );
}

export type CallForm = {
  callUuid: string;
  extension: string;
  formId: number;
  form: string;
  version: number;
  fields: FormField[];
  at: Date;
  direction: Direction;
  number: string;
  name: string;
  queue: string | null;
  answers: Answers | null;
  putAside: boolean;
  filledAt: Date | null;
  filledBy: string | null;
  changedAt: Date | null;
  changedBy: string | null;
};

export const callFormColumns = sql`c.call_uuid as "callUuid", c.extension, c.form_id as "formId", f.name as form,
  c.version, v.fields, c.at, c.direction, c.number, c.name, c.queue, c.answers, c.put_aside as "putAside",
  c.filled_at as "filledAt", c.filled_by as "filledBy", c.changed_at as "changedAt", c.changed_by as "changedBy"`;

export const callFormSource = sql`call_forms c join forms f on f.exchange_id = c.exchange_id and f.id = c.form_id
  join form_versions v on v.exchange_id = c.exchange_id and v.form_id = c.form_id and v.version = c.version`;

/** In the order in which agents took the call. */
export function formsOfCall(db: Db, exchangeId: number, callUuid: string): Promise<CallForm[]> {
  return db.query<CallForm>(
    sql`select ${callFormColumns} from ${callFormSource} where c.exchange_id = $1 and c.call_uuid = $2 order by c.at, c.id`,
    [exchangeId, callUuid],
  );
}

export async function findCallForm(
  db: Db,
  { exchangeId, callUuid, extension }: { exchangeId: number; callUuid: string; extension: string },
): Promise<CallForm | undefined> {
  const [found] = await db.query<CallForm>(
    sql`select ${callFormColumns} from ${callFormSource}
     where c.exchange_id = $1 and c.call_uuid = $2 and c.extension = $3`,
    [exchangeId, callUuid, extension],
  );
  return found;
}

/** What an agent has not filled in yet, the newest first, and whether its call goes on. */
export function formsOwedBy(
  db: Db,
  { exchangeId, extension, since, most }: { exchangeId: number; extension: string; since: Date; most: number },
): Promise<(CallForm & { isUp: boolean })[]> {
  return db.query<CallForm & { isUp: boolean }>(
    sql`select ${callFormColumns}, exists (select from live_calls up
       where up.exchange_id = c.exchange_id and up.call_uuid = c.call_uuid) as "isUp"
     from ${callFormSource} where c.exchange_id = $1 and c.extension = $2 and c.answers is null and c.at >= $3
     order by c.at desc, c.id desc limit $4`,
    [exchangeId, extension, since, most],
  );
}

/** Of answers that were checked. The first who fills it in stays known when another changes it. */
export async function fillCallForm(
  db: Db,
  filled: { exchangeId: number; callUuid: string; extension: string; answers: Answers; by: string; at: Date },
): Promise<boolean> {
  const { exchangeId, callUuid, extension, answers, by, at } = filled;
  const rows = await db.query(
    sql`update call_forms set answers = $4::jsonb, filled_at = coalesce(filled_at, $6),
       filled_by = coalesce(filled_by, $5),
       changed_at = case when filled_at is null then null else $6::timestamptz end,
       changed_by = case when filled_at is null then null else $5 end
     where exchange_id = $1 and call_uuid = $2 and extension = $3 returning 1`,
    [exchangeId, callUuid, extension, JSON.stringify(answers), by, at],
  );
  return rows.length > 0;
}

export async function putFormAside(
  db: Db,
  { exchangeId, callUuid, extension }: { exchangeId: number; callUuid: string; extension: string },
): Promise<boolean> {
  const rows = await db.query(
    sql`update call_forms set put_aside = true
     where exchange_id = $1 and call_uuid = $2 and extension = $3 and answers is null returning 1`,
    [exchangeId, callUuid, extension],
  );
  return rows.length > 0;
}
