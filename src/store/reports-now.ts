// Figures of today and of the last half hour, for the boards, the alarms and the agents' desks.

import type { LevelStretch } from "../nouns/choices.ts";
import type { Db } from "./db.ts";
import { directionCounts, type QueueFigures, queueFigures, type Stretch } from "./reports.ts";
import { sql } from "./sql.ts";

export type Today = { calls: number; inbound: number; outbound: number; missed: number; talk: number };

type Whose = Pick<Stretch, "exchangeId" | "timeZone" | "within">;

/** From midnight to midnight at the exchange. */
export async function stretchOfToday(db: Db, whose: Whose): Promise<Stretch> {
  const [day] = await db.query<{ from: Date; before: Date }>(
    sql`select date_trunc('day', now(), $1) as from,
       (date_trunc('day', now() at time zone $1) + interval '1 day') at time zone $1 as before`,
    [whose.timeZone],
  );
  return { ...day!, ...whose }; // one row
}

export async function callsToday(db: Db, whose: Whose): Promise<Today> {
  const today = await stretchOfToday(db, whose);
  const { inbound, outbound, internal, missed, talk } = await directionCounts(db, today);
  return { calls: inbound + outbound + internal, inbound, outbound, missed, talk };
}

const HALF_HOUR_MS = 1_800_000;

/** Queues as they do now: since midnight, or in the half hour before this moment. */
export async function queuesOfLate(
  db: Db,
  { over, nowMs, ...whose }: Whose & { over: LevelStretch; nowMs: number },
): Promise<QueueFigures[]> {
  if (over === "day") return queueFigures(db, await stretchOfToday(db, whose));
  const stretch = { from: new Date(nowMs - HALF_HOUR_MS), before: new Date(nowMs + 1) };
  return queueFigures(db, { ...whose, ...stretch }, "exact");
}
