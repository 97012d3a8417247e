// Which way a part of a name or number is looked for among calls: what is rare by its letters, what is common among the
// newest, of which no list needs all.

import type { Db } from "./db.ts";
import { literal, type Sql, sql } from "./sql.ts";

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
  /** What an agent gave it as, tagged it with, or wrote about it in part. */
  disposition?: string | undefined;
  tag?: string | undefined;
  note?: string | undefined;
  /** One of these records, or calls: all that something rare was found in. */
  among?: number[] | undefined;
  amongCalls?: string[] | undefined;
};

type Searched = Sought & { from?: Date | undefined; before?: Date | undefined; listening?: boolean | undefined };

/**
 * What is rare is looked for here, once for a list, its count and its pages. So are the newest of what is common, where a
 * list is about nothing else and no more than `most` of them are to be seen: then there is more than is told.
 */
export async function sought<Filter extends Searched>(
  db: Db,
  exchangeId: number,
  filter: Filter,
  { most }: { most: number },
): Promise<{ filter: Filter; isMore: boolean }> {
  const result: Filter = { ...filter };
  // Some of them may be of those that listened.
  const enough = most + 1_000;
  const isAlone = isAboutOneThing(filter);
  let isMore = false;
  const newest = async <One>(finding: Sql, values: unknown[]): Promise<One[] | undefined> => {
    const rows = await db.query<{ one: One }>(sql`select one from ${finding}`, [...values, MOST_SOUGHT + 1]);
    const isCommon = rows.length > MOST_SOUGHT;
    isMore = isCommon && isAlone;
    if (isCommon && !(isAlone && enough < MOST_SOUGHT)) return undefined;
    return rows.slice(0, isCommon ? enough : MOST_SOUGHT).map(({ one }) => one);
  };
  if (filter.about) {
    const found = await newest<number>(sql`matching_calls($1, $2, $3, $4, $5) as found (one)`, [
      exchangeId,
      ...filter.about,
    ]);
    Object.assign(result, { about: undefined }, found ? { among: found } : { commonPart: filter.about[0] });
  }
  for (const of of WRITTEN) {
    const which = filter[of];
    if (which === undefined) continue;
    const asked = [exchangeId, which, filter.from ?? null, filter.before ?? null];
    const found = await newest<string>(sql`noted_calls($1, ${literal(of)}, $2, $3, $4, $5) as found (one)`, asked);
    if (found) Object.assign(result, { [of]: undefined, amongCalls: inBoth(result.amongCalls, found) });
  }
  return { filter: result, isMore };
}

/** By agents, which has an index of its own (`noted_calls`). */
export const WRITTEN = ["note", "tag", "disposition"] as const;
export type Written = (typeof WRITTEN)[number];

/** Beside the time. */
function isAboutOneThing({ from: _, before: __, listening, ...things }: Searched): boolean {
  return listening !== true && Object.values(things).filter((thing) => thing !== undefined).length === 1;
}

function inBoth<One>(some: One[] | undefined, others: One[]): One[] {
  const known = new Set(some);
  return some ? others.filter((one) => known.has(one)) : others;
}
