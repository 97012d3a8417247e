import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { pause, realClock } from "../../src/clock.ts";
import type { Exchange } from "../../src/exchange/exchange.ts";
import { rates } from "../../src/http/door/rate-limit.ts";
import { openDatabase } from "../../src/store/db.ts";
import { connectionTo } from "../../src/store/embedded.ts";
import { sql } from "../../src/store/sql.ts";
import { testClock } from "../ground/test-clock.ts";
import { whenOver } from "../ground/when-over.ts";
import { httpTown } from "../town/http-town.ts";

// What customers ask about queues, agents, statuses and messages: how often they may, and what they are told while the
// database is away. What the answers say while calls are up is in queue.test.ts, with real phones.

const clock = testClock();
// Only what these operations ask of it.
const exchange = { waiting: () => [] } as unknown as Exchange;
const { ask, db, ours, objects } = await httpTown({ clock, rates, exchange });

const uuid = randomUUID();
await objects.put(`voicemail/${uuid}.wav`, { bytes: new Uint8Array(100) });
await db.query(
  sql`insert into voicemail_messages (uuid, exchange_id, extension_id, caller_id_number, caller_id_name, start_stamp,
     duration_seconds, object_key, media_type)
   select $1, $2, id, '05321234567', '', now(), 10, $3, 'audio/wav' from extensions where exchange_id = $2 limit 1`,
  [uuid, ours.id, `voicemail/${uuid}.wav`],
);

const operations: [line: string, burst: number, gapMs: number][] = [
  ["GET /queues", 10, 500],
  ["GET /queues/pending", 10, 6_000],
  ["GET /queue/user_list?queue_number=200", 10, 500],
  ["GET /queue/manage_users?queue_number=200&user_list=1000,1001", 10, 500],
  ["GET /agent_statuses", 2, 30_000],
  ["GET /user_statuses", 2, 30_000],
  ["GET /dnd/1000?state=off", 10, 500],
  ["GET /voicemail_messages", 10, 500],
  [`POST /voicemail_recording_url?uuid=${uuid}`, 10, 500],
];

test.each(operations)("%s may be asked %i times at once, then every %i ms, and is answered again", async (...of) => {
  const [line, burst, gapMs] = of;
  clock.pass(600_000);
  for (let times = 0; times < burst; times++) expect((await ask(line)).status).toBe(200);
  const refused = await ask(line);
  expect(refused).toMatchObject({ status: 429, type: "text/plain; charset=utf-8", text: "Too Many Requests" });
  expect(refused.headers.get("retry-after")).toBe(String(Math.ceil(gapMs / 1_000)));
  clock.pass(gapMs);
  expect((await ask(line)).status).toBe(200);
  expect((await ask(line)).status).toBe(429);
});

test("while the database is away each says so and when to come again; what is known without it goes on", async () => {
  clock.pass(600_000);
  const [{ name } = { name: "" }] = await db.query<{ name: string }>(sql`select current_database() as name`);
  const other = openDatabase(connectionTo(inject("databaseFolder"), name), realClock, { connections: 2 });
  whenOver(() => other.close());
  const fromMemory = ["GET /user_statuses", "GET /queues/pending"];
  const asking = operations.map(([line]) => line).filter((line) => line !== "GET /agent_statuses");
  for (const line of fromMemory) expect((await ask(line)).status).toBe(200);
  const answers = new Map<string, { status: number; text: string; after: string | null }>();
  await other.transaction(async (held) => {
    await held.query(sql`lock table extensions, queues, voicemail_messages in access exclusive mode`);
    const waiting = asking.map(async (line) => {
      const { status, text, headers } = await ask(line);
      answers.set(line, { status, text, after: headers.get("retry-after") });
    });
    while (answers.size < asking.length) {
      await other.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      await pause(realClock, 20);
    }
    await Promise.all(waiting);
  });
  for (const line of asking) {
    const known = fromMemory.includes(line);
    if (known) expect(answers.get(line), line).toMatchObject({ status: 200 });
    else expect(answers.get(line), line).toEqual({ status: 503, text: "Service Unavailable", after: "5" });
  }
  clock.pass(600_000);
  for (const line of asking) expect((await ask(line)).status, line).toBe(200);
});
