// Figures by what agents wrote about calls: by tag, and by disposition.

import { sumsOf } from "./call-sums.ts";
import type { Db } from "./db.ts";
import { literal, place, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type NotedFigures = { which: string; calls: number; answered: number; talk: number };

/** The commonest first. A call with several tags counts for each of them, and once for one that several agents gave it. */
export async function notedFigures(
  db: Db,
  stretch: Stretch,
  of: "tag" | "disposition",
  most?: number,
): Promise<NotedFigures[]> {
  const { sums, values } = await sumsOf(db, stretch);
  return db.query<NotedFigures>(
    sql`select which, sum(calls)::int as calls, sum(answered)::int as answered, sum(talk_seconds)::float8 as talk
     from ${sums} as sums where of = ${literal(of)} group by which order by sum(calls) desc, which
     limit ${place(values.length + 1)}`,
    [...values, most ?? null],
  );
}
