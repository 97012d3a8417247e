// What lists of calls and reports cost while records pile up: node bench/run.mjs bench/growth-records.ts [few] [many]
//
// The same thousand calls a day for ten times as long, in the database alone, behind its walls. CPU time is that of the
// database and of this process; what is flat costs the same over many records as over few.

import { realClock } from "../src/clock.ts";
import { agentTimes } from "../src/store/agent-times.ts";
import { listCdrs, walkCdrs } from "../src/store/cdrs.ts";
import { type Database, type Db, openDatabase } from "../src/store/db.ts";
import { createExchange } from "../src/store/exchanges.ts";
import { callsByDay, callsByHour, extensionFigures, queueFigures } from "../src/store/reports.ts";
import { callsToday } from "../src/store/reports-now.ts";
import { responseTimes } from "../src/store/response-times.ts";
import { sql } from "../src/store/sql.ts";
import { recentCalls } from "../src/store/webphone-people.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";
import { cpuMsOfTree } from "./process-cpu.ts";
import { openWalledDatabase } from "./walled-database.ts";

const [FEW = 100_000, MANY = FEW * 10] = process.argv.slice(2).map(Number);
const CALLS_A_DAY = 1_000;
const DAY_MS = 24 * 3_600_000;
const LEAST_MS = 400;
const MOST_ROUNDS = 30;
/** Costs of less than this differ by chance. */
const NOTHING_MS = 2;

const timeZone = "Europe/Istanbul";
const now = Date.now();
const stretch = (exchangeId: number, days: number) => ({
  exchangeId,
  from: new Date(now - days * DAY_MS),
  before: new Date(now),
  timeZone,
});

/** What people look at; each takes the same whatever lies behind it. */
const looks: Record<string, (db: Db, exchangeId: number) => Promise<unknown>> = {
  "calls-first-page": (db, id) => listCdrs(db, id, {}, { page: 1, limit: 100 }),
  "calls-missed-page": (db, id) => listCdrs(db, id, { missed: true }, { page: 1, limit: 100 }),
  "calls-of-a-month": (db, id) => listCdrs(db, id, stretch(id, 31), { page: 3, limit: 100 }),
  "calls-of-a-number": (db, id) => listCdrs(db, id, { callerNumbers: ["05320001234"] }, { page: 1, limit: 100 }),
  "calls-of-a-queue": (db, id) => listCdrs(db, id, { queues: ["200"] }, { page: 1, limit: 100 }),
  "calls-of-an-extension": (db, id) => listCdrs(db, id, { extension: "1007" }, { page: 1, limit: 100 }),
  "calls-downloaded": (db, id) => drain(walkCdrs(db, id, stretch(id, 31), { atOnce: 1_000, most: 10_000 })),
  "calls-today": (db, id) => callsToday(db, { exchangeId: id, timeZone }),
  "report-hours": (db, id) => callsByHour(db, stretch(id, 31)),
  "report-days": (db, id) => callsByDay(db, stretch(id, 31)),
  "report-queues": (db, id) => queueFigures(db, stretch(id, 31)),
  "report-extensions": (db, id) => extensionFigures(db, stretch(id, 31)),
  "report-agents": (db, id) => agentTimes(db, stretch(id, 31), now),
  "report-response-times": (db, id) =>
    responseTimes(db, { exchangeId: id, timeZone, filter: stretch(id, 31), promisedSeconds: 20 }),
  "web-phone-recent": (db, id) => recentCalls(db, { exchangeId: id, extension: "1007", most: 20 }),
};

const { pid, urls, owner, close } = await openWalledDatabase({ settings: ["synchronous_commit=off"] });
const db = openDatabase(urls, realClock);
try {
  const made = await createExchange(db, secrets, { name: "growth", sipDomain: "growth.example.com" });
  if ("refused" in made) throw new Error(made.refused);
  await furnish(owner, made.id);
  await fill(owner, made.id, { from: 0, to: FEW });
  const few = await measure(db.forExchange(made.id), made.id);
  await fill(owner, made.id, { from: FEW, to: MANY });
  const many = await measure(db.forExchange(made.id), made.id);
  for (const [name, before] of few) tell(name, before, many.get(name) ?? Number.NaN);
} finally {
  await db.close();
  await close();
}

function tell(name: string, few: number, many: number): void {
  const ratio = Math.max(many, NOTHING_MS) / Math.max(few, NOTHING_MS);
  console.log(
    `${name.padEnd(24)}${few.toFixed(1).padStart(9)} ms ${many.toFixed(1).padStart(9)} ms   ${ratio.toFixed(2)}`,
  );
  const about = { yardstick: `the same over ${FEW.toLocaleString("en")}`, ratio };
  const what = `${MANY.toLocaleString("en")} records, ${CALLS_A_DAY} calls a day`;
  figure({ name: `${name}-of-${MANY}`, value: many, unit: "ms", better: "less", ...about, with: what });
}

async function measure(db: Db, exchangeId: number): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  for (const [name, look] of Object.entries(looks)) {
    for (let warm = 0; warm < 6; warm++) await look(db, exchangeId); // from the sixth on plans may be kept
    const before = spent();
    let rounds = 0;
    while (rounds < MOST_ROUNDS && (rounds < 3 || spent() - before < LEAST_MS)) {
      await look(db, exchangeId);
      rounds += 1;
    }
    costs.set(name, (spent() - before) / rounds);
  }
  return costs;
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return cpuMsOfTree(pid) + (user + system) / 1_000;
}

async function drain(portions: AsyncIterable<unknown[]>): Promise<number> {
  let rows = 0;
  for await (const portion of portions) rows += portion.length;
  return rows;
}

async function furnish(db: Database, exchangeId: number): Promise<void> {
  await db.query(
    sql`insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256)
     select $1, (1000 + n)::text, 'Extension ' || n, '', '' from generate_series(0, 49) as n`,
    [exchangeId],
  );
}

/** Older than what is there, so that the last month is the same for both. A tenth as many moves of agents. */
async function fill(db: Database, exchangeId: number, { from, to }: { from: number; to: number }): Promise<void> {
  const began = performance.now();
  const values = [exchangeId, from, to - 1, CALLS_A_DAY, new Date(now)];
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
       destination_number, dialed_user, connected_user, duration_seconds, talk_seconds, queue, queue_wait_seconds, missed,
       recording, hangup_cause, peer)
     select $1, gen_random_uuid(), (array['inbound', 'outbound', 'internal'])[1 + n % 3], at,
       case when n % 5 = 0 then null else at + interval '5 seconds' end, at + interval '2 minutes',
       case when n % 3 = 0 then '0532' || lpad((n % 30011)::text, 7, '0') else (1000 + n % 47)::text end,
       (1000 + n % 50)::text, (1000 + n % 50)::text,
       case when n % 5 = 0 then '' else (1000 + n % 50)::text end, 120, 115, case when n % 4 = 0 then '200' end, 5,
       n % 5 = 0, case when n % 5 = 0 then 'none' else 'present' end, 'NORMAL_CLEARING', '9053' || n % 30011
     from (select n, $5::timestamptz - n * interval '1 day' / $4::int as at
       from generate_series($2::int, $3::int) as n) as calls`,
    values,
  );
  await db.query(sql`alter table audit_lines disable trigger audit_lines_agent_times`);
  await db.query(
    sql`insert into audit_lines (exchange_id, at, doer, who, did, details)
     select $1, $5::timestamptz - n * 10 * interval '1 day' / $4::int, 'extension', (1000 + n % 50)::text, 'agent-moved',
       jsonb_build_object('extension', (1000 + n % 50)::text, 'to', (array['AVAILABLE', 'ON_BREAK'])[1 + n / 50 % 2])
     from generate_series($2::int / 10, $3::int / 10) as n`,
    values,
  );
  await db.query(sql`alter table audit_lines enable trigger audit_lines_agent_times`);
  await db.query(sql`select count_agent_times($1, null)`, [exchangeId]);
  await db.query(sql`vacuum analyze cdrs`);
  await db.query(sql`vacuum analyze audit_lines`);
  console.log(`${to.toLocaleString("en")} records, made in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
