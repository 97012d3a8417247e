// Messages: how fast they are taken over HTTP, how fast they go out over SMPP, and what a million of them weigh.
//   node --expose-gc bench/run.mjs bench/sms.ts [messages=20000] [rounds=3] [queued=1000000]
//
// The yardstick is the SMPP package alone: its own server and client in one process on loopback, in the same run. Rounds
// alternate, and CPU time a message is printed beside messages a second, since the neighbours disturb it least.

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import smpp from "smpp";
import { pause, realClock } from "../src/clock.ts";
import { silentLog } from "../src/log.ts";
import { openSandbox } from "../src/sms/carriers/sandbox.ts";
import { openSmpp } from "../src/sms/carriers/smpp/smpp.ts";
import { openMessageCentre } from "../src/sms/centre.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { createCarrier } from "../src/store/sms-carriers.ts";
import { sql } from "../src/store/sql.ts";
import { secrets } from "../test/ground/secrets.ts";
import { openSmsc, type Smsc } from "../test/smsc/open-smsc.ts";
import { type Desk, newDesk, openSmsServer, sure } from "../test/town/sms-desk.ts";

const WINDOW = 100;

type Measured = { perSecond: number; cpuMicros: number };

async function measure(count: number, work: () => Promise<void>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: count / seconds, cpuMicros: (user + system) / count };
}

function show(name: string, { perSecond, cpuMicros }: Measured, more = ""): void {
  console.log(
    `${name.padEnd(44)} ${perSecond.toFixed(0).padStart(7)} messages/s  ${cpuMicros.toFixed(0).padStart(5)} µs CPU ${more}`,
  );
}

const better = (one: Measured | undefined, other: Measured): Measured => ({
  perSecond: Math.max(one?.perSecond ?? 0, other.perSecond),
  cpuMicros: Math.min(one?.cpuMicros ?? Number.POSITIVE_INFINITY, other.cpuMicros),
});

/** Both ends of the package on one event loop, as many unanswered at once as our carrier has. */
async function loopback(count: number): Promise<Measured> {
  const { createServer } = smpp as unknown as { createServer(hear: (session: Peer) => void): Listening };
  type Peer = {
    on(event: string, act: (pdu: { response(fields?: object): object }) => void): void;
    send(pdu: object): void;
  };
  type Listening = {
    listen(port: number, host: string, done: () => void): void;
    address(): { port: number };
    close(): void;
  };
  let id = 0;
  const server = createServer((session) => {
    session.on("bind_transceiver", (pdu) => session.send(pdu.response()));
    session.on("submit_sm", (pdu) => session.send(pdu.response({ message_id: String(++id) })));
    session.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = smpp.connect({ host: "127.0.0.1", port: server.address().port });
  session.on("error", () => undefined);
  await new Promise<void>((resolve) => session.on("connect", resolve));
  const short_message = Buffer.from("Merhaba dunya, mesaj numarasi 12345");
  const fields = {
    source_addr: "ACME",
    destination_addr: "905321234567",
    data_coding: 0,
    registered_delivery: 1,
    short_message,
  };
  const measured = await measure(
    count,
    () =>
      new Promise<void>((done) => {
        let sent = 0;
        let answered = 0;
        const next = () => {
          if (sent++ < count)
            session.send(new smpp.PDU("submit_sm", fields), () => {
              if (++answered === count) done();
              else next();
            });
        };
        for (let place = 0; place < WINDOW; place++) next();
      }),
  );
  session.destroy();
  server.close();
  return measured;
}

/** Never the same number twice: a text goes to a number once a day. */
let number = 0;

async function accept(db: Database, desk: Desk, { count, each }: { count: number; each: number }): Promise<Measured> {
  const server = await openSmsServer(db);
  const request = async () => {
    const messages = Array.from({ length: each }, () => ({
      dest: `9053${20_000_000 + number++}`,
      msg: `Merhaba dunya ${number}`,
    }));
    const answer = await fetch(`${server.url}/v2/send.json`, {
      method: "POST",
      body: JSON.stringify({ ...desk.login, messages }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.text();
  };
  const requests = Math.ceil(count / each);
  const measured = await measure(requests * each, async () => {
    let left = requests;
    const client = async () => {
      while (left-- > 0) await request();
    };
    await Promise.all(Array.from({ length: Math.min(8, requests) }, client));
  });
  await server.close();
  return measured;
}

type Town = { db: Database; desk: Desk; smsc: Smsc };

/** From the queue to the carrier's answer, written down; with receipts also to the end of each message. */
async function pumpOut(
  { db, desk, smsc }: Town,
  { count, receipts }: { count: number; receipts: boolean },
): Promise<Measured> {
  await db.query(sql`delete from sms_campaigns`);
  await db.query(sql`update sms_carriers set receipts = $1`, [receipts]);
  await accept(db, desk, { count, each: 10_000 });
  await db.query(sql`vacuum analyze sms_messages`);
  await smsc.manner({ keepBodies: false, receipts, receiptMs: 0 });
  await smsc.forget();
  const ended = async () =>
    (await db.query(sql`select from sms_messages where state in ('queued', 'uncertain', 'accepted') limit 1`))
      .length === 0;
  const parts = {
    db,
    clock: realClock,
    log: silentLog,
    secrets,
    carriers: { sandbox: openSandbox, smpp: openSmpp },
    chores: [],
  };
  let centre: Awaited<ReturnType<typeof openMessageCentre>> | undefined;
  const measured = await measure(count, async () => {
    centre = await openMessageCentre(parts);
    while ((await smsc.counts()).taken < count) await pause(realClock, 50);
    while (!(await ended())) await pause(realClock, 50);
  });
  await centre?.close();
  return measured;
}

async function queueMany(db: Database, desk: Desk, count: number): Promise<void> {
  await db.query(sql`delete from sms_campaigns`);
  const weigh = () => {
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().rss / 1e6;
  };
  await accept(db, desk, { count: 50_000, each: 50_000 });
  const weights = [weigh()];
  const measured = await measure(count - 50_000, async () => {
    for (let queued = 50_000; queued < count; queued += 50_000) {
      await accept(db, desk, { count: 50_000, each: 50_000 });
      weights.push(weigh());
    }
  });
  const grown = weights.at(-1)! - weights[0]!;
  show(
    `${count} messages queued, 50,000 a request`,
    measured,
    `memory ${weights[0]!.toFixed(0)} MB after the first, ${weights.at(-1)!.toFixed(0)} MB after the last (${grown >= 0 ? "+" : ""}${grown.toFixed(0)})`,
  );
}

const [messages = 20_000, rounds = 3, queued = 1_000_000] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const postgres = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(postgres.connection, realClock);
const smsc = await openSmsc();
try {
  await migrate(db, "src/store/migrations");
  const desk = await newDesk(db, { credits: 100_000_000 });
  const address = { host: "127.0.0.1", port: smsc.port, systemId: "acme", password: "secret", window: WINDOW };
  sure(await createCarrier(db, secrets, desk.exchangeId, { name: "smsc", kind: "smpp", ...address }));
  console.log(`load of the machine at the start: ${readFileSync("/proc/loadavg", "utf8").trim()}`);
  const best: Record<string, Measured> = {};
  const note = (name: string, measured: Measured) => {
    best[name] = better(best[name], measured);
  };
  const town = { db, desk, smsc };
  for (let round = 0; round < rounds; round++) {
    note("one", await accept(db, desk, { count: 50_000, each: 50_000 }));
    await db.query(sql`delete from sms_campaigns`);
    note("small", await accept(db, desk, { count: 1_000, each: 1 }));
    note("loopback", await loopback(messages));
    note("submit", await pumpOut(town, { count: messages, receipts: false }));
    note("loopback", await loopback(messages));
    note("whole", await pumpOut(town, { count: messages, receipts: true }));
  }
  show("send.json, one request of 50,000", best.one!);
  show("send.json, one message a request", best.small!);
  show("SMPP package alone, loopback (both ends)", best.loopback!);
  const ratio = (name: string) => {
    const { perSecond, cpuMicros } = best[name]!;
    const { loopback } = best;
    return `= ${(perSecond / loopback!.perSecond).toFixed(2)} of it by rate, ${(loopback!.cpuMicros / cpuMicros).toFixed(2)} by CPU`;
  };
  show("queue to SMPP, stored before and after", best.submit!, ratio("submit"));
  show("queue to SMPP and receipt, to its end", best.whole!, ratio("whole"));
  if (queued > 0) await queueMany(db, desk, queued);
} finally {
  await smsc.close();
  await db.close();
  await postgres.stop();
  await rm(folder, { recursive: true });
}
