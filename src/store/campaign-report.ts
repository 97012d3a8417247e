// What became of a campaign's numbers, one line a number.

import type { Db } from "./db.ts";
import { offsetOf, type Page, type Paged } from "./page.ts";
import { sql } from "./sql.ts";

export type ReportLine = {
  /** The interface's ivr_lead_id. */
  id: number;
  number: string;
  state: "waiting" | "dialling" | "finished";
  attempts: number;
  /** Of the last attempt that is over; null before there is one. */
  cause: string | null;
  answered: boolean;
  /** The last key, as the interface writes it. */
  digit: string;
  target: string | null;
  talkSeconds: number;
  abandoned: boolean;
  machine: boolean;
  cutOff: boolean;
  callUuid: string | null;
  startedAt: Date | null;
};

// The last attempt is looked up for each number of a page only: a campaign may have a hundred thousand.
const LINES = sql`select n.id, n.number, n.state, n.attempts, a.cause, a.answered_at is not null as answered,
    coalesce(a.digits[array_upper(a.digits, 1)], '') as digit, a.target, coalesce(a.talk_seconds, 0) as "talkSeconds",
    coalesce(a.abandoned, false) as abandoned, coalesce(a.machine, false) as machine,
    coalesce(a.cut_off, false) as "cutOff", a.call_uuid as "callUuid", a.started_at as "startedAt"
  from campaign_numbers n left join lateral (
    select * from campaign_attempts a where a.campaign_id = n.campaign_id and a.number_id = n.id and a.ended_at is not null order by a.attempt desc limit 1
  ) a on true`;

/** In the order in which the numbers were given. */
export async function readReport(db: Db, campaignId: number, page: Page): Promise<Paged<ReportLine>> {
  const [rows, [count]] = await Promise.all([
    db.query<ReportLine>(sql`${LINES} where n.campaign_id = $1 order by n.id limit $2 offset $3`, [
      campaignId,
      page.limit,
      offsetOf(page),
    ]),
    db.query<{ total: number }>(sql`select numbers as total from campaign_counts where campaign_id = $1`, [campaignId]),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** The whole of it, a piece at a time. */
export async function* reportPieces(db: Db, campaignId: number, piece = 5_000): AsyncGenerator<ReportLine[]> {
  for (let after = 0; ; ) {
    const rows = await db.query<ReportLine>(
      sql`${LINES} where n.campaign_id = $1 and n.id > $2 order by n.id limit $3`,
      [campaignId, after, piece],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < piece) return;
    after = rows.at(-1)!.id; // the piece is full
  }
}

export type CauseCount = { cause: string; answered: boolean; numbers: number };

/** How the finished numbers ended. */
export function countCauses(db: Db, campaignId: number): Promise<CauseCount[]> {
  return db.query<CauseCount>(
    sql`select a.cause, a.answered_at is not null as answered, count(*) as numbers
     from campaign_numbers n join campaign_attempts a
       on a.campaign_id = n.campaign_id and a.number_id = n.id and a.attempt = n.attempts
     where n.campaign_id = $1 and n.state = 'finished' group by 1, 2 order by numbers desc, cause`,
    [campaignId],
  );
}
