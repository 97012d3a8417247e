// Ten thousand hostile requests: nothing but documented answers, nothing changed by what was refused, still alive.

import { createHash } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import type { Sounds } from "../../src/exchange/sounds.ts";
import { quoted, sql } from "../../src/store/sql.ts";
import { type HostileRequest, hostileRequest, randomFrom } from "../hostile/hostile.ts";
import { hostileBytes } from "../hostile/hostile-bytes.ts";
import { exchangeWorld } from "../town/exchange-world.ts";

/** No sound of this test can be decoded, and starting a converter to hear that takes all the time there is. */
const deaf: Sounds = { keep: async () => ({ refused: "undecodable" }), drop: async () => undefined };

const { db, ours, server, ask } = await exchangeWorld({ sounds: deaf });
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const [host = "", port = ""] = server.address.split(":");

const ids = [
  ...["1000", "1001", ...[ours.contactId, ours.groupId, ours.soundId].map(String)],
  ...[...Object.values(ours.calls), ...Object.values(ours.messages)],
];

const documented = new Set([200, 206, 400, 401, 404, 405, 413, 414, 416, 429, 431]);
const REFUSED = 4_000;
const ALLOWED = 5_000;
const RAW = 1_500;
/** Ten seconds each on a quiet machine. */
const PATIENCE_MS = 240_000;

type Heard = { status: number; headers: IncomingHttpHeaders; body: string };

function hear(said: HostileRequest): Promise<Heard> {
  const { method, path, headers, body } = said;
  return new Promise((resolve, reject) => {
    // Without a length Node would send a GET's body as if it were the next request.
    const sized = body ? { ...headers, "content-length": body.length } : headers;
    const sending = request({ host, port, method, path, headers: sized, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts).toString() }),
      );
    });
    // A line that both keep open may be hung up just when it is used again; on a new one there is no such excuse.
    sending.on("error", (error) => (sending.reusedSocket ? resolve(hear(said)) : reject(error)));
    sending.end(body);
  });
}

function check(sent: HostileRequest, { status, headers, body }: Heard, allowed: ReadonlySet<number>): void {
  const told = `${sent.method} ${sent.path.slice(0, 300)} ${JSON.stringify(sent.headers)} ${sent.body?.toString().slice(0, 300)}`;
  expect(allowed.has(status), `${status} ${body.slice(0, 200)} for ${told}`).toBe(true);
  expect(headers["set-cookie"], told).toBeUndefined();
  expect(headers["x-injected"], told).toBeUndefined();
  if (status >= 400) {
    if (sent.method !== "HEAD") expect(headers["content-type"], told).toBe("text/plain; charset=utf-8");
    expect(body.length, told).toBeLessThan(1_000);
    expect(
      /\bat .*:\d+:\d+|node_modules|node:internal|syntax error|violates|\.ts\b/.test(body),
      `${body} for ${told}`,
    ).toBe(false);
  }
}

async function flood(
  count: number,
  make: () => HostileRequest,
  allowed: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const sent = make();
      const heard = await hear(sent);
      check(sent, heard, allowed);
      seen.set(heard.status, (seen.get(heard.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return seen;
}

async function checksum(): Promise<string> {
  const tables = await db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const sum = createHash("sha256");
  for (const { name } of tables)
    for (const { row } of await db.query<{ row: string }>(sql`select t::text as row from ${quoted(name)} t order by 1`))
      sum.update(`${name} ${row}\n`);
  return sum.digest("hex");
}

test(`${REFUSED} requests with keys that are none change nothing`, { timeout: PATIENCE_MS }, async () => {
  const random = randomFrom(1);
  const before = await checksum();
  const badKeys = [
    "",
    "x",
    "K",
    `${ours.key}x`,
    ours.key.slice(1),
    ours.key.toUpperCase(),
    "K%00",
    "' or 1=1 --",
    "%ff",
  ];
  const seen = await flood(
    REFUSED,
    () => hostileRequest(random, encodeURIComponent(random.pick(badKeys)), ids),
    documented,
  );
  expect(await checksum()).toBe(before);
  expect(seen.get(401)).toBeGreaterThan(REFUSED / 2);
  // Only what needs no key may have been answered: the reference pages.
  expect(seen.get(200) ?? 0).toBeLessThan(REFUSED / 10);
});

test(`${ALLOWED} hostile requests with the right key are answered as documented`, {
  timeout: PATIENCE_MS,
}, async () => {
  const random = randomFrom(2);
  const seen = await flood(ALLOWED, () => hostileRequest(random, ours.key, ids), documented);
  expect(seen.get(400)).toBeGreaterThan(100);
  expect(seen.get(200)).toBeGreaterThan(100);
});

test("requests whose values are all out of bounds change nothing", { timeout: PATIENCE_MS }, async () => {
  const random = randomFrom(3);
  const before = await checksum();
  const wrong = [
    "POST /contacts?name=a%00&surname=b&phone=1",
    "POST /contacts?name=a&surname=b",
    "POST /contacts?name=a&surname=b&phone=1&group_ids=99999999999999999999",
    "POST /contacts?name=a&surname=b&phone=1&monthly_sms_day=40",
    "PATCH /contacts/99999999999999999999?name=a",
    "DELETE /contacts/0",
    "DELETE /announcements/-1",
    "POST /blocked_numbers?number=drop%20table",
    "DELETE /blocked_numbers/delete?number=0",
    "GET /dnd/1000?state=%F0%9F%92%A5",
    "GET /queue/manage_users?queue_number=200&user_list=1000,%27",
    "POST /crm_integrations?ringing=on&notification_url=gopher://x",
    "GET /update_outbound_caller_id?extension=1000&caller_id=1",
    "GET /cdrs?page=-1",
    "POST /announcements?name=x&sounddata=AAAA",
  ];
  for (let count = 0; count < 200; count++) {
    const line = random.pick(wrong);
    const { status } = await ask(line);
    expect([400, 404], line).toContain(status);
  }
  expect(await checksum()).toBe(before);
});

test(`${RAW} connections that do not speak HTTP, or speak it badly, end in a 4xx or a closed line`, {
  timeout: PATIENCE_MS,
}, async () => {
  const random = randomFrom(4);
  let left = RAW;
  const worker = async () => {
    while (left-- > 0) {
      const bytes = hostileBytes(random);
      const said = await converse(bytes);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(said)?.[1];
      const told = `${said.slice(0, 100)} for ${JSON.stringify(bytes.toString("latin1").slice(0, 200))}`;
      expect(said === "" || (status !== undefined && Number(status) < 500), told).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect((await ask("GET /caller_ids")).status).toBe(200);
});

/** Says everything, hangs up its own half, and listens until the other half is hung up. */
function converse(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(Number(port), host, () => socket.end(bytes));
    socket.on("data", (part) => {
      said += part.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(said));
  });
}

test("after all of it the exchange still answers", async () => {
  expect(JSON.parse((await ask("GET /caller_ids")).text)).toEqual(ours.callerIds);
  agent.destroy();
});
