// What an exchange says about all of its campaigns: channels, retries, legal hours, holidays.

import type { Db } from "./db.ts";
import { sql } from "./sql.ts";

export type DialSettings = {
  timeZone: string;
  /** Calls of campaigns at once. */
  campaignChannels: number;
  retrySeconds: number;
  cutOff: "finish" | "retry";
  /** Commercial calls are made only between these. */
  commercialFrom: string;
  commercialUntil: string;
};

export type CreationRules = { multiLine: boolean; strictTargets: boolean };

export async function readDialSettings(db: Db, exchangeId: number): Promise<DialSettings | undefined> {
  const [row] = await db.query<DialSettings>(
    sql`select time_zone as "timeZone", campaign_channels as "campaignChannels",
       campaign_retry_seconds as "retrySeconds", campaign_cut_off as "cutOff",
       commercial_calls_from as "commercialFrom", commercial_calls_until as "commercialUntil"
     from exchanges where id = $1`,
    [exchangeId],
  );
  return row;
}

export async function readCreationRules(db: Db, exchangeId: number): Promise<CreationRules> {
  const [row] = await db.query<CreationRules>(
    sql`select multi_line_campaigns as "multiLine", strict_campaign_targets as "strictTargets"
     from exchanges where id = $1`,
    [exchangeId],
  );
  return row!; // the exchange whose key was just looked up
}

/** A holiday of the whole exchange has no number; one of a number of ours is a holiday for campaigns that show it. */
export type CampaignHoliday = { day: string; number: string | null };

export function listHolidaysFrom(db: Db, exchangeId: number, day: string): Promise<CampaignHoliday[]> {
  return db.query<CampaignHoliday>(
    sql`select day, number from holidays where exchange_id = $1 and day >= $2 order by day limit 5000`,
    [exchangeId, day],
  );
}
