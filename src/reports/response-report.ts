// How long callers waited for a person, as somebody asks for it: narrowed down, and with the seconds that are promised.

import { spellingsOf } from "../exchange/plan/spellings.ts";
import { queuesCalled } from "../store/cdrs.ts";
import type { Db } from "../store/db.ts";
import type { ResponseFilter } from "../store/report-plans.ts";
import type { Stretch } from "../store/reports.ts";
import { type ResponseTimes, responseTimes } from "../store/response-times.ts";

const DEFAULT_PROMISE = 20;

export type ResponseReport = ResponseTimes & { promisedSeconds: number };

export async function responseReport(
  db: Db,
  { exchangeId, timeZone, from, before, within }: Stretch,
  wanted: ResponseFilter,
): Promise<ResponseReport> {
  const { promisedSeconds = DEFAULT_PROMISE, direction = "inbound", queue, extension, ownNumber } = wanted;
  const filter = {
    from,
    before,
    direction,
    within,
    listening: false, // no call of its own to whoever reads reports
    queues: queue ? await queuesCalled(db, exchangeId, queue) : undefined,
    extension: extension || undefined,
    ownNumbers: ownNumber ? spellingsOf(ownNumber) : undefined,
  };
  const times = await responseTimes(db, { exchangeId, timeZone, filter, promisedSeconds });
  return { promisedSeconds, ...times };
}
