// Calls a second through the journal (opened, rang, answered, closed: live row, CDR, leg, three events), against single-row
// CDR inserts in the same run.

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import type { CallFacts } from "../src/exchange/calls/call-facts.ts";
import { openJournal } from "../src/exchange/journal/journal.ts";
import { silentLog } from "../src/log.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { sql } from "../src/store/sql.ts";
import { figure } from "./figure.ts";

const SINGLE = 1_000;
const CALLS = 5_000;
const AT_ONCE = 300;

const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const server = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(server.connection, realClock);
try {
  await migrate(db, "src/store/migrations");
  const baseline = await singleInserts(await newExchange(db, null));
  console.log(`bare CDR inserts, one by one          ${baseline.toFixed(0)}/s   ratio 1.00`);
  for (const url of [null, "http://192.0.2.1/crm"]) {
    const { perSecond, closeMs } = await journalled(await newExchange(db, url));
    const what = url ? "whole calls, three events each" : "whole calls, no receiver";
    console.log(
      `${what.padEnd(38)}${perSecond.toFixed(0)}/s   ratio ${(perSecond / baseline).toFixed(2)}   close p50 ${closeMs[0]} ms, p99 ${closeMs[1]} ms`,
    );
    const name = url ? "calls-written-with-events" : "calls-written";
    const beside = { yardstick: "bare inserts of a record, one by one", ratio: perSecond / baseline };
    figure({ name, value: perSecond, unit: "/s", better: "more", ...beside, with: what });
  }
} finally {
  await db.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

async function newExchange(db: Database, url: string | null): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    sql`insert into exchanges (name, sip_domain, crm_url, crm_secret) values ('Bench', $1, $2, 'secret') returning id`,
    [`${randomUUID()}.example`, url],
  );
  return row!.id;
}

async function singleInserts(exchangeId: number): Promise<number> {
  const started = performance.now();
  for (let n = 0; n < SINGLE; n++)
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, end_stamp, caller_id_number, destination_number,
         hangup_cause) values ($1, $2, 'inbound', now(), now(), '05321234567', '1001', 'NORMAL_CLEARING')`,
      [exchangeId, randomUUID()],
    );
  return SINGLE / ((performance.now() - started) / 1_000);
}

async function journalled(exchangeId: number): Promise<{ perSecond: number; closeMs: [string, string] }> {
  const journal = openJournal({
    db,
    clock: realClock,
    log: silentLog,
    node: "bench",
    keepRecording: async () => undefined,
    oweRecordingWork: async () => undefined,
  });
  const closes: number[] = [];
  let left = CALLS;
  const caller = async () => {
    while (left-- > 0) {
      const facts = newCall(exchangeId);
      journal.opened(facts);
      journal.rang(facts);
      await new Promise((resolve) => setTimeout(resolve, 20));
      facts.answerMs = realClock.wall();
      facts.connectedUser = "1001";
      journal.answered(facts);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const leg = {
        number: "1001",
        startMs: facts.startMs,
        address: "10.0.0.1",
        userAgent: "Phone",
        writeCodec: "PCMA",
        readCodec: "PCMA",
      };
      const closing = performance.now();
      await journal.closed(facts, { endMs: realClock.wall(), cause: "NORMAL_CLEARING", by: "caller", legs: [leg] });
      closes.push(performance.now() - closing);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  const perSecond = CALLS / ((performance.now() - started) / 1_000);
  await journal.close();
  closes.sort((a, b) => a - b);
  const at = (part: number) => closes[Math.floor(closes.length * part)]!.toFixed(1);
  return { perSecond, closeMs: [at(0.5), at(0.99)] };
}

function newCall(exchangeId: number): CallFacts {
  return {
    uuid: randomUUID(),
    exchangeId,
    direction: "inbound",
    origin: "phone",
    startMs: realClock.wall(),
    callerNumber: "905321234567",
    callerName: "",
    outboundCallerId: "",
    destinationNumber: "1001",
    destinationName: "Ayşe",
    dialedUser: "1001",
    connectedUser: "",
    queueWaitSeconds: 0,
    story: [{ atMs: realClock.wall(), is: "dialled", by: "908505320000", number: "1001" }],
  };
}
