// How long lists of calls and reports take over a year of many records:
// node bench/run.mjs bench/report-pages.ts [records [folder [names]]]
//
// In `folder` the database is kept, and found again by the next run; `names` are what to ask, with commas.
//
// Each is asked again and again by a tenant, behind the walls, as a page asks it; the yardstick is the same without them.

import { realClock } from "../src/clock.ts";
import { type Database, type Db, openDatabase } from "../src/store/db.ts";
import { createExchange } from "../src/store/exchanges.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";
import { END, now, overTime, YEAR } from "./report-looks.ts";
import { openWalledDatabase } from "./walled-database.ts";

const [, , records = "10000000", kept, names] = process.argv;
const RECORDS = Number(records);
/** Nothing is asked but these, if any are named. */
const wanted = names?.split(",");
const ROUNDS = 100;
/** Of any page. */
const GOAL_MS = 300;

const { urls, owner, close } = await openWalledDatabase({ settings: ["synchronous_commit=off"], kept });
const db = openDatabase(urls, realClock);
try {
  const id = (await filledBefore(owner)) ?? (await filled());
  await fillPaidLegs(owner, id);
  for (const [name, look] of Object.entries(overTime))
    for (const days of [7, YEAR]) await compare(`${name}-${days}-days`, (db) => look(db, id, days));
  for (const [name, look] of Object.entries(now)) await compare(name, (db) => look(db, id));

  async function filled(): Promise<number> {
    const made = await createExchange(db, secrets, { name: "reports", sipDomain: "reports.example.com" });
    if ("refused" in made) throw new Error(made.refused);
    await fill(owner, made.id);
    return made.id;
  }

  async function compare(name: string, look: (db: Db) => Promise<unknown>): Promise<void> {
    if (wanted && !wanted.some((part) => name.startsWith(part))) return;
    const value = await slowest(() => look(db.forExchange(id)));
    const ratio = value / (await slowest(() => look(owner)));
    console.log(`${name.padEnd(36)} ${value.toFixed(1).padStart(9)} ms   ${ratio.toFixed(2)}`);
    const about = { yardstick: "the same without walls", ratio, with: `${RECORDS.toLocaleString("en")} records` };
    figure({ name: `${name}-p99`, value, unit: "ms", better: "less", goal: GOAL_MS, ...about });
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

/** By a run before this one that kept its database. */
async function filledBefore(db: Database): Promise<number | undefined> {
  const [found] = await db.query<{ id: number }>(sql`select id from exchanges where name = 'reports'`, []);
  return found?.id;
}

/** A day at a time, and its sums with it; indexes are made when all is there, which takes a fraction of the time. */
async function fill(db: Database, exchangeId: number): Promise<void> {
  const began = performance.now();
  const perDay = Math.ceil(RECORDS / YEAR);
  await db.query(
    sql`insert into extensions (exchange_id, number, name, ha1_md5, ha1_sha256)
     select $1, (1000 + n)::text, 'Extension ' || n, '', '' from generate_series(0, 49) as n`,
    [exchangeId],
  );
  await db.query(
    sql`create table indexes_to_make as select indexname, indexdef from pg_indexes
     where tablename in ('cdrs', 'cdr_legs', 'call_others') and indexname not in (select conname from pg_constraint)`,
  );
  await db.query(
    sql`do $$ declare name text; begin
       for name in select indexname from indexes_to_make loop execute format('drop index %I', name); end loop;
     end $$`,
  );
  const days = Array.from({ length: YEAR }, (_, past) => past + 1).values();
  const fillDays = async () => {
    for (const day of days) await fillDay(db, exchangeId, day, perDay);
  };
  await Promise.all([fillDays(), fillDays()]);
  await db.query(
    sql`do $$ declare definition text; begin
       set local maintenance_work_mem = '512MB';
       for definition in select indexdef from indexes_to_make loop execute definition; end loop;
     end $$`,
  );
  await db.query(
    sql`insert into call_notes (exchange_id, call_uuid, extension, queue, peer, at, note, tags, disposition)
     select exchange_id, call_uuid, connected_user, queue, peer, end_stamp, 'Wants an offer by ' || to_char(start_stamp, 'Day'),
       array[(array['offer', 'complaint', 'return'])[1 + id % 3]], (array['Sold', 'No interest'])[1 + id % 2]
     from cdrs where id % 97 = 0 and connected_user <> ''`,
  );
  await fillMoves(db, exchangeId);
  for (const table of [
    sql`cdrs`,
    sql`audit_lines`,
    sql`agent_times`,
    sql`cdr_legs`,
    sql`call_sums`,
    sql`wait_sums`,
    sql`call_notes`,
    sql`call_others`,
  ])
    await db.query(sql`vacuum analyze ${table}`);
  console.log(
    `${(perDay * YEAR).toLocaleString("en")} records, made in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
}

/** Two hundred agents who come, go and have three breaks a day: half a million moves. */
async function fillMoves(db: Database, exchangeId: number): Promise<void> {
  await db.query(sql`alter table audit_lines disable trigger audit_lines_agent_times`);
  await db.query(
    sql`insert into audit_lines (exchange_id, at, doer, who, did, details)
     select $1, $2::timestamptz - day * interval '1 day' + (480 + 73 * move) * interval '1 minute' + agent * interval '1 second',
       'extension', agent::text, 'agent-moved', jsonb_build_object('extension', agent::text, 'to', case
         when move = 7 then 'LOGGED_OUT' when move % 2 = 1 then 'AVAILABLE' else 'ON_BREAK' end)
         || case when move in (2, 4, 6) then jsonb_build_object('break', (array['Lunch', 'Tea', 'Training'])[move / 2]) else '{}' end
     from generate_series(1, $3::int) as day, generate_series(1, 7) as move, generate_series(1000, 1199) as agent`,
    [exchangeId, new Date(END), YEAR],
  );
  await db.query(sql`alter table audit_lines enable trigger audit_lines_agent_times`);
  await db.query(sql`select count_agent_times($1, null)`, [exchangeId]);
}

/** What left was paid for, once. */
async function fillPaidLegs(db: Database, exchangeId: number): Promise<void> {
  if ((await db.query(sql`select from paid_legs limit 1`)).length > 0) return;
  await db.query(sql`alter table paid_legs disable trigger paid_legs_added`);
  await db.query(
    sql`insert into paid_legs (exchange_id, month, leg, at, kind, call_uuid, number, prefix, trunk, extension, calls, minutes, amount)
     select exchange_id, date_trunc('month', start_stamp at time zone 'Europe/Istanbul')::date, call_uuid, start_stamp,
       case when id % 31 = 0 then 'fax' else 'call' end, call_uuid, '90532' || id % 10000000, (array['', '90', '905', '00'])[1 + id % 4],
       'Trunk ' || id % 3, caller_id_number, 1, 2, 0.5
     from cdrs where exchange_id = $1 and direction = 'outbound'`,
    [exchangeId],
  );
  await db.query(sql`alter table paid_legs enable trigger paid_legs_added`);
  await db.query(sql`vacuum analyze paid_legs`);
}

async function fillDay(db: Database, exchangeId: number, day: number, perDay: number): Promise<void> {
  await db.query(
    sql`with calls as materialized (
       select n, gen_random_uuid() as uuid, $3::timestamptz - $4 * interval '1 day' + n * interval '1 day' / $2::int as at
       from generate_series(0, $2::int - 1) as n),
     legs as (
       insert into cdr_legs (call_uuid, position, destination_number, start_stamp, answer_stamp, end_stamp, hangup_cause)
       select uuid, rang, (1000 + (n + 7 * (rang - 1)) % 50)::text, at,
         case when n % 5 > 0 and rang = 1 then at + interval '5 seconds' end, at + interval '2 minutes', 'NO_ANSWER'
       from calls, generate_series(1, 2) as rang where n % 4 = 0)
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
}
