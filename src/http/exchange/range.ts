// The two stamps that bound a list in time.

import { Type } from "typebox";
import { refuse } from "../door/answer.ts";
import type { Refused } from "../door/endpoint.ts";
import { DAYS_31, readStamp } from "../door/stamps.ts";
import { words } from "../parameters/schema.ts";

const stamp = (description: string) =>
  Type.Optional(words({ longest: 64, description, example: "2017-08-03 12:30:32 UTC" }));

export const rangeParameters = {
  start_stamp_from: stamp("`YYYY-MM-DD HH:MM:SS UTC` or ISO 8601; without a zone, in the exchange's own"),
  start_stamp_to: stamp("the last moment, itself included"),
};

type Sent = { start_stamp_from?: string; start_stamp_to?: string };
export type Range = { from: Date | undefined; before: Date | undefined };

export function readRange(
  { start_stamp_from, start_stamp_to }: Sent,
  { timeZone, now, atMost31Days }: { timeZone: string; now: number; atMost31Days: boolean },
): Range | Refused {
  const from = start_stamp_from === undefined ? undefined : readStamp(start_stamp_from, timeZone);
  if (start_stamp_from !== undefined && !from) return refuse({ refused: "malformed", field: "start_stamp_from" });
  const to = start_stamp_to === undefined ? undefined : readStamp(start_stamp_to, timeZone);
  if (start_stamp_to !== undefined && !to) return refuse({ refused: "malformed", field: "start_stamp_to" });
  if (atMost31Days && from && (to?.at ?? now) - from.at > DAYS_31)
    return refuse({ refused: "range-too-long", days: 31 });
  const before = to && new Date(to.at + to.lasts);
  // Only an end: what came in the longest range before it.
  const earliest = atMost31Days && to && !from ? new Date(to.at - DAYS_31) : undefined;
  return { from: from ? new Date(from.at) : earliest, before };
}
