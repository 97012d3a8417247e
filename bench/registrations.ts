// What a digest registration costs, whatever else the machine does: node bench/run.mjs bench/registrations.ts [phones=5000] [rounds=6]
//
// Phones in this same process speak to the switchboard by way of memory, REGISTER, 401, REGISTER, 200, a few hundred at
// once, every binding committed to a real database. What the phones themselves cost is measured by a registrar that
// knows them all and is taken off; the socket's part is not in it: `sip-registrar.ts` has that, and a quiet machine.
// The first rounds make bindings, and get everybody warm; then each phone refreshes, with a new Call-ID, as after a power cut.

import { hash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../src/clock.ts";
import { openSwitchboard } from "../src/exchange/signalling/switchboard.ts";
import { openLog } from "../src/log.ts";
import type { Receiver, Transport } from "../src/sip/transport/transport.ts";
import { openDatabase } from "../src/store/db.ts";
import { startEmbeddedServer } from "../src/store/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { secrets } from "../test/ground/secrets.ts";
import { figure } from "./figure.ts";
import { cpuMsOfTree } from "./process-cpu.ts";
import { addUsers, DOMAIN, FIRST_USER, passwordOf } from "./registrar-server.ts";

const AT_ONCE = 300;

type Phone = { user: number; callId: string; answered(octets: string): void };
type Registrar = { hear(octets: string, port: number): void };

/** Who asks, by port: each phone has one of its own. */
const phones = new Map<number, Phone>();

function say(octets: string, port: number): void {
  phones.get(port)?.answered(octets);
}

function register(registrar: Registrar, user: number, round: number): Promise<void> {
  const port = 20_000 + (user - FIRST_USER);
  return new Promise((resolve) => {
    const callId = `${round}-${user}@phone`;
    phones.set(port, {
      user,
      callId,
      answered(octets) {
        if (octets.startsWith("OPTIONS")) return registrar.hear(stillThere(octets), port);
        if (octets.startsWith("SIP/2.0 200")) return resolve();
        if (!octets.startsWith("SIP/2.0 401")) throw new Error(octets);
        const nonce = /nonce="([^"]+)", ?algorithm=MD5/.exec(octets)?.[1] ?? /nonce="([^"]+)"/.exec(octets)?.[1] ?? "";
        registrar.hear(request(user, port, { callId, cseq: 2, authorization: answerTo(nonce, user) }), port);
      },
    });
    registrar.hear(request(user, port, { callId, cseq: 1, authorization: "" }), port);
  });
}

/** The registrar asks its phones now and then. */
function stillThere(octets: string): string {
  const kept = octets.split("\r\n").filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line));
  return ["SIP/2.0 200 OK", ...kept, "Content-Length: 0", "", ""].join("\r\n");
}

const ha1s = new Map<number, string>();

function answerTo(nonce: string, user: number): string {
  const ha1 = ha1s.get(user) ?? hash("md5", `${user}:${DOMAIN}:${passwordOf(user)}`);
  ha1s.set(user, ha1);
  const ha2 = hash("md5", `REGISTER:sip:${DOMAIN}`);
  const response = hash("md5", `${ha1}:${nonce}:00000001:abcdef:auth:${ha2}`);
  return `Authorization: Digest username="${user}",realm="${DOMAIN}",uri="sip:${DOMAIN}",nonce="${nonce}",response="${response}",algorithm=MD5,cnonce="abcdef",qop=auth,nc=00000001\r\n`;
}

type Asked = { callId: string; cseq: number; authorization: string };

function request(user: number, port: number, { callId, cseq, authorization }: Asked): string {
  return (
    `REGISTER sip:${DOMAIN} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK-${callId}-${cseq};rport\r\n` +
    `From: <sip:${user}@${DOMAIN}>;tag=x${callId}\r\nTo: <sip:${user}@${DOMAIN}>\r\nCall-ID: ${callId}\r\n` +
    `CSeq: ${cseq} REGISTER\r\nContact: <sip:${user}@127.0.0.1:${port};transport=UDP>\r\n${authorization}` +
    `User-Agent: Bench 1.0\r\nExpires: 300\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n`
  );
}

/** Knows everybody: what is left is the phones' own part. */
const pushover: Registrar = {
  hear(octets, port) {
    const answer = octets.includes("Authorization:")
      ? "SIP/2.0 200 OK\r\n\r\n"
      : 'SIP/2.0 401 Unauthorized\r\nWWW-Authenticate: Digest realm="bench", nonce="abcdefghijklmnopqrstuvwxyz012345", algorithm=MD5\r\n\r\n';
    queueMicrotask(() => say(answer, port));
  },
};

function inMemory(): { transport: Transport; registrar: Registrar } {
  let receiver: Receiver | undefined;
  const listener = "udp 127.0.0.1:5060";
  const transport: Transport = {
    name: "udp",
    reliable: false,
    family: 4,
    listener,
    sentBy: { host: "127.0.0.1", port: 5060 },
    start(given) {
      receiver = given;
    },
    send: (octets, { port }) => queueMicrotask(() => say(octets, port)),
    holds: () => false,
    connections: () => 0,
    emptied: async () => undefined,
    close: async () => undefined,
  };
  const hear = (octets: string, port: number) =>
    receiver?.receive(octets, { transport: "udp", address: "127.0.0.1", port, listener });
  return { transport, registrar: { hear } };
}

type Cost = { ownMicros: number; databaseMicros: number };

async function measure(
  registrar: Registrar,
  { count, round, postmaster }: { count: number; round: number; postmaster: number },
): Promise<Cost> {
  const own = process.cpuUsage();
  const database = cpuMsOfTree(postmaster);
  let next = 0;
  const line = async () => {
    while (next < count) {
      await register(registrar, FIRST_USER + next++, round);
      await new Promise((resolve) => setImmediate(resolve)); // as from a socket: another turn of the event loop
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  const { user, system } = process.cpuUsage(own);
  return { ownMicros: (user + system) / count, databaseMicros: ((cpuMsOfTree(postmaster) - database) * 1_000) / count };
}

const [count = 5_000, rounds = 6] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), "santral-bench-"));
const server = await startEmbeddedServer(join(folder, "pg"), realClock);
const db = openDatabase(server.connection, realClock);
await migrate(db, "src/store/migrations");
await addUsers(db, count);
const log = openLog("warn");
const { transport, registrar } = inMemory();
const unexpected = (what: object) => log.warn(what, "unexpected");
const board = await openSwitchboard({ db, secrets, clock: realClock, log, unexpected, transports: [transport] });
const best = { phones: Number.POSITIVE_INFINITY, own: Number.POSITIVE_INFINITY, database: Number.POSITIVE_INFINITY };
for (let round = 0; round < rounds; round++) {
  const { ownMicros: phonesMicros } = await measure(pushover, { count, round, postmaster: server.pid });
  const { ownMicros, databaseMicros } = await measure(registrar, { count, round, postmaster: server.pid });
  console.log(
    `round ${round}: ${(ownMicros - phonesMicros).toFixed(0)} µs a registration, ${databaseMicros.toFixed(0)} µs of the database, ${phonesMicros.toFixed(0)} µs of the phone`,
  );
  best.phones = Math.min(best.phones, phonesMicros);
  best.own = Math.min(best.own, ownMicros);
  best.database = Math.min(best.database, databaseMicros);
}
const each = best.own - best.phones + best.database;
figure({
  name: "registration-digest",
  value: 1e6 / each,
  unit: "/s",
  better: "more",
  goal: 10_000,
  yardstick: "the phones' own digests",
  ratio: each / best.phones,
  with: "every binding committed, database on the same core, without the socket",
});
await board.close();
await db.close();
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
