// Which way a part of a name or number is looked for among calls: what is rare by its letters, what is common among the
// newest, of which no list needs all.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

/** Of what is common nobody counts more, or turns to a later page. */
export const MOST_SOUGHT = 10_000;

/** Of what somebody sees who does not see everything: nobody keeps a count of it. */
export const MOST_SEEN = 2_000;

/** As the index has it. */
export const CALL_IN_WORDS = sql`call_search_form(caller_id_number, caller_id_name, destination_number, destination_name)`;

export type Sought = {
  /** A part of a name or number, and the time it is looked for in. */
  about?: [about: string, from: Date | null, before: Date | null] | undefined;
  /** The same, where it is in very many of them. */
  commonPart?: string | undefined;
};

export async function sought<Filter extends Sought>(db: Db, exchangeId: number, filter: Filter): Promise<Filter> {
  if (!filter.about) return filter;
  const [part, from, before] = filter.about;
  const [found] = await db.query<{ calls: number }>(
    sql`select count(*) as calls from matching_calls($1, $2, $3, $4, $5)`,
    [exchangeId, part, from, before, MOST_SOUGHT + 1],
  );
  const isCommon = found!.calls > MOST_SOUGHT; // a count always has a row
  return isCommon ? { ...filter, about: undefined, commonPart: part } : filter;
}
