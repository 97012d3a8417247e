// How long lists of calls and reports take over a year of many records: node bench/run.mjs bench/report-pages.ts [records]
//
// Each is asked again and again by a tenant, behind the walls, as a page asks it; the yardstick is the same without them.

import { realClock } from "../src/clock.ts";
import { listCdrs } from "../src/store/cdrs.ts";
import { type Database, type Db, openDatabase } from "../src/store/db.ts";
import { createExchange } from "../src/store/exchanges.ts";
import * as reports from "../src/store/reports.ts";
import { responseTimes } from "../src/store/response-times.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";
import { openWalledDatabase } from "./walled-database.ts";

const RECORDS = Number(process.argv[2] ?? 10_000_000);
const DAYS = 365;
const ROUNDS = 100;
const timeZone = "Europe/Istanbul";
const END = Date.parse("2026-10-31T21:00:00Z");

const last = (exchangeId: number, days: number) => ({
  exchangeId,
  from: new Date(END - days * 86_400_000),
  before: new Date(END),
  timeZone,
});
/** As pages ask for calls: without those who listened. */
const asked = (id: number, days: number) => {
  const { from, before } = last(id, days);
  return { from, before, listening: false };
};
const inbound = (id: number, days: number) => ({ ...asked(id, days), direction: "inbound" as const });
const page = { page: 1, limit: 50 };

/** Each over the last week, as pages open, and over the year. */
const looks: Record<string, (db: Db, id: number, days: number) => Promise<unknown>> = {
  calls: (db, id, days) => listCdrs(db, id, asked(id, days), page),
  "calls-missed": (db, id, days) => listCdrs(db, id, { ...inbound(id, days), missed: true }, page),
  "calls-of-a-queue": (db, id, days) => listCdrs(db, id, { ...asked(id, days), queues: ["200"] }, page),
  summary: (db, id, days) => reports.directionCounts(db, last(id, days)),
  hours: (db, id, days) => reports.callsByHour(db, last(id, days)),
  days: (db, id, days) => reports.callsByDay(db, last(id, days)),
  queues: (db, id, days) => reports.queueFigures(db, last(id, days)),
  agents: (db, id, days) => reports.agentCalls(db, last(id, days)),
  numbers: (db, id, days) => reports.numberFigures(db, last(id, days)),
  extensions: (db, id, days) => reports.extensionFigures(db, last(id, days)),
  "response-times": (db, id, days) =>
    responseTimes(db, { exchangeId: id, timeZone, filter: inbound(id, days), promisedSeconds: 20 }),
};

const { urls, owner, close } = await openWalledDatabase({ settings: ["synchronous_commit=off"] });
const db = openDatabase(urls, realClock);
try {
  const made = await createExchange(db, secrets, { name: "reports", sipDomain: "reports.example.com" });
  if ("refused" in made) throw new Error(made.refused);
  await fill(owner, made.id);
  for (const [name, look] of Object.entries(looks))
    for (const days of [7, DAYS]) {
      const walled = await slowest(() => look(db.forExchange(made.id), made.id, days));
      const alone = await slowest(() => look(owner, made.id, days));
      const ratio = walled / alone;
      console.log(
        `${name.padEnd(20)}${String(days).padStart(4)} days ${walled.toFixed(1).padStart(9)} ms   ${ratio.toFixed(2)}`,
      );
      const about = { yardstick: "the same without walls", ratio, with: `${RECORDS.toLocaleString("en")} records` };
      figure({ name: `${name}-${days}-days-p99`, value: walled, unit: "ms", better: "less", ...about });
    }
} finally {
  await db.close();
  await close();
}

/** All but one of a hundred are quicker; what takes long is asked less often. */
async function slowest(look: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  const began = performance.now();
  for (let round = 0; round < ROUNDS && (round < 5 || performance.now() - began < 4_000); round++) {
    const before = performance.now();
    await look();
    if (round > 0) took.push(performance.now() - before);
  }
  took.sort((a, b) => a - b);
  return took[Math.ceil(took.length * 0.99) - 1] ?? Number.NaN;
}

/** A day at a time, and its sums with it. */
async function fill(db: Database, exchangeId: number): Promise<void> {
  const began = performance.now();
  const perDay = Math.ceil(RECORDS / DAYS);
  await db.query(
    sql`insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256)
     select $1, (1000 + n)::text, 'Extension ' || n, '', '' from generate_series(0, 49) as n`,
    [exchangeId],
  );
  for (let day = 1; day <= DAYS; day++)
    await db.query(
      sql`with calls as materialized (
         select n, gen_random_uuid() as uuid, $3::timestamptz - $4 * interval '1 day' + n * interval '1 day' / $2::int as at
         from generate_series(0, $2::int - 1) as n),
       legs as (
         insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
         select uuid, 1, (1000 + n % 50)::text, at, case when n % 5 > 0 then at + interval '5 seconds' end,
           at + interval '2 minutes', 'NO_ANSWER' from calls where n % 4 = 0)
       insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
         destination_number, dialed_user, connected_user, duration_seconds, talk_seconds, queue, queue_wait_seconds, missed,
         hangup_cause, peer)
       select $1, uuid, (array['inbound', 'outbound', 'internal'])[1 + n % 3], at,
         case when n % 5 > 0 then at + interval '5 seconds' end, at + interval '2 minutes',
         case when n % 3 = 0 then '0532' || lpad((n % 30011)::text, 7, '0') else (1000 + n % 47)::text end,
         case when n % 3 = 0 then '9085053200' || lpad((n % 10)::text, 2, '0') else (1000 + n % 50)::text end,
         (1000 + n % 50)::text, case when n % 5 > 0 then (1000 + n % 50)::text else '' end, 120, 115,
         case when n % 4 = 0 then '200' end, n % 90, n % 5 = 0, 'NORMAL_CLEARING', '9053' || n % 30011
       from calls`,
      [exchangeId, perDay, new Date(END), day],
    );
  for (const table of [sql`cdrs`, sql`cdr_legs`, sql`call_sums`, sql`wait_sums`])
    await db.query(sql`vacuum analyze ${table}`);
  console.log(
    `${(perDay * DAYS).toLocaleString("en")} records, made in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
}
