// What looking on costs: node bench/run.mjs bench/sip-trace.ts
//
// Calls refused by the stack inside one process, without sockets, once with nobody looking and once with ladders
// gathered and stored. Over UDP a call costs the stack about four times as much, and looking on the same.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { openTrace, type Trace } from "../src/exchange/signalling/trace/trace.ts";
import { silentLog } from "../src/log.ts";
import { openStack } from "../src/sip/stack.ts";
import { openRandom } from "../src/sip/transport/random.ts";
import type { Receiver, Source, Transport } from "../src/sip/transport/transport.ts";
import { type Database, openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { sql } from "../src/store/sql.ts";
import { figure } from "./figure.ts";

const ROUNDS = 5;
const SECONDS = 4;
const CALLS_PER_TICK = 20;

const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const server = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(server.connection, realClock);
await migrate(db, "src/store/migrations");
await run(db, false); // warm
const costs: Record<"off" | "on", number[]> = { off: [], on: [] };
for (let round = 0; round < ROUNDS; round++) {
  costs.off.push(await run(db, false));
  costs.on.push(await run(db, true));
}
const median = (list: number[]) => list.toSorted((one, other) => one - other)[list.length >> 1]!;
const [off, on] = [median(costs.off), median(costs.on)];
const [stored] = await db.query<{ rows: number; octets: number }>(
  sql`select count(*) as rows, coalesce(sum(octets), 0) as octets from sip_traces`,
);
console.log(
  `${off.toFixed(1)} us a call without, ${on.toFixed(1)} us with ladders: ${((on / off - 1) * 100).toFixed(1)} % more`,
);
const beside = { yardstick: "the same without ladders", ratio: on / off };
figure({ name: "call-with-ladder", value: on / 1_000, unit: "ms", better: "less", ...beside, with: "ladders kept" });
console.log(`${stored?.rows} dialogs stored, ${((stored?.octets ?? 0) / 1e6).toFixed(1)} MB`);
await db.close();
await server.stop();
await rm(folder, { recursive: true, force: true });

/** CPU time of this process per call, the writing of ladders included. */
async function run(db: Database, keepLadders: boolean): Promise<number> {
  const trace: Trace = openTrace({ db, clock: realClock, log: silentLog, keepLadders });
  let receiver: Receiver | undefined;
  const transport: Transport = {
    name: "udp",
    reliable: false,
    family: 4,
    listener: "udp x",
    sentBy: { host: "127.0.0.1", port: 5060 },
    start(given) {
      receiver = given;
    },
    send: () => undefined,
    holds: () => false,
    connections: () => 0,
    close: async () => undefined,
  };
  const stack = openStack({ clock: realClock, random: openRandom(), transports: [transport], observe: trace.observe });
  stack.onRequest((incoming) => {
    trace.keep(incoming.request.headers.find(({ name }) => name === "Call-ID")?.value ?? "");
    incoming.reply(180);
    incoming.reply(486);
  });
  const source: Source = { transport: "udp", address: "127.0.0.1", port: 40_000, listener: "udp x" };
  const before = process.cpuUsage();
  const end = performance.now() + SECONDS * 1_000;
  let calls = 0;
  while (performance.now() < end) {
    for (let call = 0; call < CALLS_PER_TICK; call++) {
      const id = `${calls++}x${Math.random()}`;
      for (const method of ["INVITE", "ACK"]) receiver?.receive(message(method, id), source);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await trace.close();
  await stack.close();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

function message(method: string, id: string): string {
  return (
    `${method} sip:1001@bench.example SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:40000;branch=z9hG4bK${id};rport\r\n` +
    `Max-Forwards: 70\r\nFrom: <sip:1000@bench.example>;tag=${id}\r\nTo: <sip:1001@bench.example>\r\n` +
    `Call-ID: ${id}@bench\r\nCSeq: 1 ${method}\r\nContact: <sip:1000@127.0.0.1:40000>\r\nContent-Type: application/sdp\r\n\r\n` +
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8 0 101\r\na=rtpmap:8 PCMA/8000\r\n"
  );
}
