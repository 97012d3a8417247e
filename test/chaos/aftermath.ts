// Once the weather is fair again: waiting until nothing is owed any more, and looking at what there is.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pause, realClock, within } from "../../src/clock.ts";
import { sql } from "../../src/store/sql.ts";
import type { Found } from "./history.ts";
import { MINUTE_PRICE, TITLE, type World } from "./world.ts";

type Asked = Pick<World, "db" | "data" | "http">;
type Seen = Pick<World, "db" | "events" | "smsc" | "firstRun">;

/** Beyond this it will never be quiet; what is still owed is then a promise that was broken. */
const PATIENCE_MS = 150_000;

/** What is still owed when patience is over; nothing, as it should be. */
export async function whenQuiet(world: Asked): Promise<string[]> {
  let owed: string[] = [];
  for (const end = within(realClock, PATIENCE_MS); realClock.ticks() < end; await pause(realClock, 500)) {
    await hurry(world);
    owed = await whatIsOwed(world).catch((error: unknown) => [`the database: ${String(error)}`]);
    if (owed.length === 0) return [];
  }
  return owed;
}

/** A receiver that failed is tried again after minutes that nobody has here; so are carriers. */
async function hurry({ db }: Asked): Promise<void> {
  await db
    .query(sql`update jobs set run_at = 'epoch' where dead_at is null and lease is null and not held`)
    .catch(() => undefined); // it is coming back
}

async function whatIsOwed({ db, data, http }: Asked): Promise<string[]> {
  const owed: string[] = [];
  const ready = await fetch(`${http}/readyz`).then(
    async (answer) => (answer.status === 200 ? undefined : await answer.text()),
    (error: unknown) => String(error),
  );
  if (ready !== undefined) owed.push(`the server is not ready: ${ready}`);
  const rows = await db.query<{ what: string; count: number }>(
    sql`select * from (
      select 'jobs ' || kind as what, count(*)::int from jobs where dead_at is null group by kind
      union all select 'calls that are up', count(*)::int from live_calls
      union all select 'messages ' || state, count(*)::int from sms_messages where done_at is null group by state
      union all select 'consents', count(*)::int from consent_campaigns where not finished
    ) as owed where count > 0`,
  );
  owed.push(...rows.map(({ what, count }) => `${count} ${what}`));
  const arrears = join(data, "arrears");
  const files = existsSync(arrears) ? readdirSync(arrears) : [];
  return [...owed, ...files.map((name) => `arrears/${name}`)];
}

export async function lookAround(world: Seen, owed: string[]): Promise<Found> {
  const { db, events, smsc, firstRun } = world;
  const ours = [firstRun.exchange.id];
  const rows = <Row>(text: Parameters<typeof db.query>[0], values: readonly unknown[] = ours) =>
    db.query<Row>(text, values);
  const up = await rows<{ uuid: string }>(sql`select call_uuid as uuid from live_calls where exchange_id = $1`);
  const [account] = await rows<{ left: number; reserved: number }>(
    sql`select credits::int as left, reserved::int from sms_accounts where exchange_id = $1`,
  );
  const [spent] = await rows<{ amount: number; legs: number }>(
    sql`select coalesce(sum(amount), 0)::double precision as amount,
       (select coalesce(sum(amount), 0)::double precision from paid_legs where exchange_id = $1) as legs
     from spending where exchange_id = $1`,
  );
  const bought = await rows<{ credits: number }>(
    sql`select credits::int from sms_credit_moves where exchange_id = $1 and why = 'bought'`,
  );
  return {
    contacts: await rows(sql`select id::int, surname from contacts where exchange_id = $1 and surname like 'Chaos %'`),
    messages: await rows(
      sql`select dest, text, state, done_at is not null as "isOver", unanswered::int, credits::int from sms_messages
       where exchange_id = $1`,
    ),
    carrier: await smsc.tally(),
    blacklist: (await rows<{ phone: string }>(sql`select phone from sms_blacklist where exchange_id = $1`)).map(
      ({ phone }) => phone,
    ),
    consents: await rows(sql`select recipient, status from consents where exchange_id = $1 and brand_code = $2`, [
      ...ours,
      TITLE.iysBrandCode,
    ]),
    credit: { left: account?.left ?? 0, reserved: account?.reserved ?? 0, bought: bought.map((it) => it.credits) },
    spending: { amount: spent?.amount ?? 0, legs: spent?.legs ?? 0, minutePrice: MINUTE_PRICE },
    calls: await callsOf(world),
    events: events.events.map((it) => ({ uuid: it.call_uuid ?? "", event: it.event_type ?? "" })),
    up: up.map(({ uuid }) => uuid),
    owed,
  };
}

/** Numbers of the outside are longer than anybody's inside. */
async function callsOf({ db, firstRun }: Seen): Promise<Found["calls"]> {
  type Row = Omit<Found["calls"][number], "recordedMs"> & { recordedMs: number | null };
  const calls = await db.query<Row>(
    sql`select c.call_uuid as uuid, c.caller_id_number as caller, c.destination_number as callee, c.hangup_cause as cause,
       c.answer_stamp is not null as answered, c.talk_seconds as "talkSeconds", r.duration_ms as "recordedMs",
       (select count(*)::int from cdr_legs l where l.call_uuid = c.call_uuid and l.answer_stamp is not null
         and length(l.destination_number) > 6) as "outsideLegs"
     from cdrs c left join recordings r using (call_uuid) where c.exchange_id = $1 order by c.id`,
    [firstRun.exchange.id],
  );
  return calls.map((call) => ({ ...call, recordedMs: call.recordedMs ?? undefined }));
}
