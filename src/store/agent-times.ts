// How long agents were available and how long on which break, as the database adds it up while they come and go: of a year
// it is read as quickly as of a day.

import type { Db } from "./db.ts";
import { seenExtensions } from "./scope.ts";
import { place, type Sql, sql } from "./sql.ts";
import type { Stretch } from "./stretch.ts";

export type AgentTime = { extension: string; name: string; status: string; break: string; seconds: number };

/** How long all of a kind had lasted by a moment. */
const lastedBy = (moment: Sql) => sql`(
  select earlier + (least(coalesce(ended, ${moment}), ${moment}) - began) from agent_times as it
  where exchange_id = $1 and it.extension = kinds.extension and it.status = kinds.status and it.break = kinds.break
    and began < ${moment} order by began desc, line desc limit 1)`;

/** A line for each status, and each break by its name, that an agent ever had until then. What has not passed yet counts for nothing. */
export async function agentTimes(
  db: Db,
  { exchangeId, from, before, within }: Stretch,
  nowMs: number,
): Promise<AgentTime[]> {
  const until = new Date(Math.min(before.getTime(), nowMs));
  const since = new Date(Math.min(from.getTime(), until.getTime()));
  const and = within === undefined ? sql`` : sql`and ${seenExtensions(sql`kinds.extension`, place(4))}`;
  return db.query<AgentTime>(
    sql`with recursive kinds as (
       (select extension, status, break from agent_times where exchange_id = $1
        order by extension, status, break limit 1)
       union all select next.* from kinds cross join lateral (
         select extension, status, break from agent_times where exchange_id = $1
           and (extension, status, break) > (kinds.extension, kinds.status, kinds.break)
         order by extension, status, break limit 1) as next),
     lasted as (
       select kinds.*, ${lastedBy(place(2))} as former, ${lastedBy(place(3))} as latter from kinds where true ${and})
     select lasted.extension, status, break, coalesce(e.name, '') as name,
       round(extract(epoch from latter - coalesce(former, interval '0')))::int as seconds
     from lasted left join extensions e on e.exchange_id = $1 and e.number = lasted.extension
     where latter is not null order by length(lasted.extension), lasted.extension, seconds desc, break`,
    [exchangeId, since, until, ...(within === undefined ? [] : [JSON.stringify(within)])],
  );
}
