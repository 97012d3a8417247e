// Calls by the queues and ring groups that they came to: the last one stands in the record, those before in `call_passes`.
// How long it stayed and what became of it are asked of the same one.

import type { Became } from "../nouns/became.ts";
import { TAKEN } from "./outcomes.ts";
import { joined, type Sql, sql } from "./sql.ts";

export type CameTo = {
  queues?: string[] | undefined;
  became?: Became | undefined;
  /** Seconds there: more than the one, at most the other. */
  queueWaitedOver?: number | undefined;
  queueWaitedUpTo?: number | undefined;
};

/** At the last one, seconds. */
const STAYED = sql`coalesce(cdrs.queue_stay_seconds, cdrs.queue_wait_seconds)`;

const atTheLast: { [Is in Became]: Sql } = {
  answered: sql`(cdrs.queue_end is null and ${TAKEN})`,
  abandoned: sql`(cdrs.queue_end is distinct from 'passed-on' and not (cdrs.queue_end is null and ${TAKEN}))`,
  "passed-on": sql`cdrs.queue_end = 'passed-on'`,
};
/** Nobody gives up at one and comes to another. */
const before: { [Is in Became]: Sql } = {
  answered: sql`pass.answered`,
  abandoned: sql`false`,
  "passed-on": sql`not pass.answered`,
};

/** Undefined where nothing of the kind is asked. `put` makes a place for a value. */
export function cameTo(
  { queues, became, queueWaitedOver: over, queueWaitedUpTo: upTo }: CameTo,
  put: (value: unknown) => Sql,
): Sql | undefined {
  if ([queues, became, over, upTo].every((it) => it === undefined)) return undefined;
  const [which, more, most] = [queues, over, upTo].map((it) => it !== undefined && put(it));
  const at = (queue: Sql, waited: Sql, end: Sql | undefined) =>
    joined(
      [
        which ? sql`${queue} = any(${which})` : sql`${queue} is not null`,
        ...(end ? [end] : []),
        ...(more ? [sql`${waited} > ${more}::int`] : []),
        ...(most ? [sql`${waited} <= ${most}::int`] : []),
      ],
      " and ",
    );
  const last = at(sql`cdrs.queue`, STAYED, became && atTheLast[became]);
  const former = at(sql`pass.queue`, sql`pass.wait_seconds`, became && before[became]);
  if (became === "abandoned") return sql`(${last})`;
  return sql`((${last}) or exists (select from call_passes as pass
    where pass.call_id = cdrs.id and pass.queue <> cdrs.queue and ${former} offset 0))`;
}

/** The records that came to one of these, each once, by the indexes of both; `where` is what else is asked of them. */
export function everyThatCameTo(queues: Sql, { where, from, before }: { where: Sql; from?: Sql; before?: Sql }): Sql {
  const since = from ? sql`and start_stamp >= ${from}` : sql``;
  const until = before ? sql`and start_stamp < ${before}` : sql``;
  return sql`(select cdrs.* from cdrs where ${where} and cdrs.queue = any(${queues})
    union all select cdrs.* from cdrs where ${where} and not cdrs.queue = any(${queues}) and cdrs.id in (
      select call_id from call_passes where exchange_id = $1 and queue = any(${queues}) ${since} ${until})) as cdrs`;
}
