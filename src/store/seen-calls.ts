// Which calls somebody sees who does not see everything: those that came to some queues, and those that some extensions were part of.
// Part of a call is who made it from inside, who was rung, who took it, and on whose phone it was for a while; a number
// that a caller from outside shows proves nothing. The same is said in two ways, each quick for what is asked.
//
// `within` is the place of a `Within` as JSON, and $1 the exchange.

import { listed } from "./scope.ts";
import { joined, PLANNED_ANEW, place, type Sql, sql } from "./sql.ts";

/** Of a stretch of time, where it is known: places of its ends. */
export type Bounds = { from?: Sql; before?: Sql };

const people = (within: Sql): Sql => listed(within, sql`'extensions'`);

const queues = (within: Sql): Sql => listed(within, sql`'calledAt'`);

/** As the record itself names them. */
const isNamed = (within: Sql): Sql => sql`cdrs.queue = ${queues(within)}
    or cdrs.connected_user = ${people(within)} or cdrs.dialed_user = ${people(within)}
    or (cdrs.direction <> 'inbound' and cdrs.caller_id_number = ${people(within)})`;

/** Each record is looked at by itself: for those that something else narrows down. */
export function isSeen(within: Sql): Sql {
  return sql`(${PLANNED_ANEW} ${isNamed(within)}
    or exists (select from call_passes as pass where pass.call_id = cdrs.id and pass.queue = ${queues(within)} offset 0)
    or exists (select from call_others as other where other.call_id = cdrs.id and other.extension = ${people(within)} offset 0))`;
}

/**
 * All that are seen of a stretch, as what a statement selects from: who was part of a call beside those its record names is
 * read at once, which takes a third of the time that looking for each does.
 */
export function allSeen(within: Sql, { from, before, where }: Required<Bounds> & { where: Sql }): Sql {
  const during = sql`exchange_id = $1 and start_stamp >= ${from} and start_stamp < ${before}`;
  return sql`(select ${PLANNED_ANEW} cdrs.* from cdrs left join (
      select call_id from call_passes where ${during} and queue = ${queues(within)}
      union select call_id from call_others where ${during} and extension = ${people(within)}) as other on other.call_id = cdrs.id
    where cdrs.exchange_id = $1 and cdrs.start_stamp >= ${from} and cdrs.start_stamp < ${before} and ${where}
      and (${isNamed(within)} or other.call_id is not null)) as cdrs`;
}

/**
 * The newest that are seen, however few there are among however many: the newest of each queue and extension, by their
 * indexes. `where` is what else is asked of the records, `most` the place of how many there may be.
 */
export function newestSeen(within: Sql, { where, most, from, before }: Bounds & { where: Sql; most: Sql }): Sql {
  const during = (table: Sql) =>
    sql`${from ? sql`and ${table}.start_stamp >= ${from}` : sql``} ${before ? sql`and ${table}.start_stamp < ${before}` : sql``}`;
  const newest = (whom: Sql, how: Sql, join = sql``) =>
    sql`select found.* from jsonb_array_elements_text(${within}::jsonb -> ${whom}) as whose (number) cross join lateral (
      select cdrs.start_stamp, cdrs.id from cdrs ${join} where ${where} and ${how}
      order by cdrs.start_stamp desc, cdrs.id desc limit ${most}) as found`;
  const ways = [
    newest(sql`'calledAt'`, sql`cdrs.queue = whose.number`),
    newest(
      sql`'calledAt'`,
      sql`pass.exchange_id = $1 and pass.queue = whose.number ${during(sql`pass`)}`,
      sql`join call_passes as pass on pass.call_id = cdrs.id and pass.start_stamp = cdrs.start_stamp`,
    ),
    newest(sql`'extensions'`, sql`cdrs.connected_user <> '' and cdrs.connected_user = whose.number`),
    newest(sql`'extensions'`, sql`cdrs.dialed_user <> '' and cdrs.dialed_user = whose.number`),
    newest(sql`'extensions'`, sql`cdrs.direction <> 'inbound' and cdrs.caller_id_number = whose.number`),
    newest(
      sql`'extensions'`,
      sql`other.exchange_id = $1 and other.extension = whose.number ${during(sql`other`)}`,
      sql`join call_others as other on other.call_id = cdrs.id and other.start_stamp = cdrs.start_stamp`,
    ),
  ];
  return sql`(select ${PLANNED_ANEW} distinct start_stamp, id from (${joined(ways, " union all ")}) as ways
    order by start_stamp desc, id desc limit ${most})`;
}

/** The last of the values, as JSON. */
export function withinAt(values: unknown[], within: unknown): Sql {
  values.push(JSON.stringify(within));
  return place(values.length);
}
