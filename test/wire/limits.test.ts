import { expect, test, vi } from "vitest";
import { rates } from "../../src/http/door/rate-limit.ts";
import { revokeApiKey } from "../../src/store/api-keys.ts";
import { sql } from "../../src/store/sql.ts";
import { testClock } from "../ground/test-clock.ts";
import { type Ask, askingAt, httpTown } from "../town/http-town.ts";

const clock = testClock();
const config = { http: { host: "127.0.0.1", port: 0 }, publicUrl: undefined, trustedProxies: ["127.0.0.1"] };
const { ask, db, ours, theirs, server } = await httpTown({ clock, rates, config });

const uuid = "358c20bc-fd86-11e5-87a2-157d41a07454";

async function passed(...lines: string[]): Promise<number> {
  let count = 0;
  for (;;) {
    const { status } = await ask(lines[count % lines.length]!);
    if (status === 429) return count;
    count++;
  }
}

const pools: [lines: string[], burst: number, gapMs: number][] = [
  [["GET /caller_ids", "GET /contacts", "POST /contacts", "GET /voicemail_messages"], 10, 500],
  [["GET /user_statuses", "GET /agent_statuses"], 2, 30_000],
  [["GET /cdrs", `GET /cdrs/${uuid}`], 6, 10_000],
  [[`POST /recording_url?call_uuid=${uuid}`, `GET /recording_url/?call_uuid=${uuid}`], 5, 12_000],
];

test.each(pools)("%j share %i at once and then one every %i ms", async (lines, burst, gapMs) => {
  expect(await passed(...lines)).toBe(burst);
  clock.pass(gapMs - 1);
  expect(await passed(...lines)).toBe(0);
  clock.pass(1);
  expect(await passed(...lines)).toBe(1);
});

test("whoever asks too often is told so in plain text, and when to come back", async () => {
  await passed("GET /user_statuses");
  const refused = await ask("GET /agent_statuses");
  expect(refused).toMatchObject({ status: 429, type: "text/plain; charset=utf-8", text: "Too Many Requests" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  clock.pass(Number(refused.headers.get("retry-after")) * 1_000);
  expect((await ask("GET /agent_statuses")).status).toBe(200);
});

test("another exchange and another client have their own allowance", async () => {
  await passed("GET /user_statuses");
  expect((await askingAt(server, theirs.key)("GET /user_statuses")).status).toBe(200);
  const behindProxy = (client: string) => ask("GET /user_statuses", { headers: { "x-forwarded-for": client } });
  expect((await behindProxy("198.51.100.7")).status).toBe(200);
  expect((await behindProxy("198.51.100.8")).status).toBe(200);
  expect((await behindProxy("1.2.3.4, 198.51.100.7")).status).toBe(200);
  expect((await behindProxy("5.6.7.8, 198.51.100.7")).status).toBe(429);
});

test("guessing keys is slowed down without locking out the right one", async () => {
  clock.pass(60_000);
  const guess = () => ask("GET /caller_ids", { key: `K${crypto.randomUUID()}` });
  const statuses = new Set<number>();
  for (let count = 0; count < 120; count++) statuses.add((await guess()).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await ask("GET /caller_ids")).status).toBe(200);
});

// Another process would have to wait for one notification to travel; nothing else can end the key, since the clock of
// the server's memory stands still.
const isDead = (asking: Ask) =>
  vi.waitFor(async () => expect((await asking("GET /caller_ids")).status).toBe(401), { timeout: 15_000, interval: 5 });

test("a revoked key is dead at once, and only that key", async () => {
  clock.pass(60_000);
  const fresh = askingAt(server, theirs.key);
  expect((await fresh("GET /caller_ids")).status).toBe(200);
  expect((await fresh("GET /caller_ids")).status).toBe(200);
  const [{ id } = { id: 0 }] = await db.query<{ id: number }>(sql`select id from api_keys where exchange_id = $1`, [
    theirs.id,
  ]);
  await revokeApiKey(db, theirs.id, id);
  await isDead(fresh);
  expect((await ask("GET /caller_ids")).status).toBe(200);
});

test("a deleted exchange's key is dead at once", async () => {
  clock.pass(60_000);
  expect((await ask("GET /caller_ids")).status).toBe(200);
  await db.query(sql`delete from exchanges where id = $1`, [ours.id]);
  await isDead(ask);
});
