import { expect, test } from "vitest";
import { sql } from "../../src/store/sql.ts";
import { testClock } from "../ground/test-clock.ts";
import { AUDIO, exchangeWorld } from "../town/exchange-world.ts";

const clock = testClock();
const world = await exchangeWorld({ clock });
const { ask, ours, db } = world;

async function ticketTo(line: string): Promise<string> {
  const { status, text } = await ask(line);
  expect(status, text).toBe(200);
  return text;
}

test("a recording is fetched whole, in part, and looked at", async () => {
  const url = await ticketTo(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  const whole = await fetch(url);
  expect(whole.status).toBe(200);
  expect(whole.headers.get("content-type")).toBe("audio/mpeg");
  expect(whole.headers.get("accept-ranges")).toBe("bytes");
  expect(Buffer.from(await whole.arrayBuffer()).equals(AUDIO)).toBe(true);

  const part = await fetch(url, { headers: { range: "bytes=100-199" } });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe("bytes 100-199/1000");
  expect(Buffer.from(await part.arrayBuffer()).equals(AUDIO.subarray(100, 200))).toBe(true);

  const head = await fetch(url, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "1000", ""]);

  const beyond = await fetch(url, { headers: { range: "bytes=1000-" } });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */1000"]);
});

test("a ticket opens its recording for an hour and not a moment longer", async () => {
  const url = await ticketTo(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  clock.pass(60 * 60_000 - 1);
  expect((await fetch(url)).status).toBe(200);
  clock.pass(1);
  const late = await fetch(url);
  expect([late.status, late.headers.get("content-type"), await late.text()]).toEqual([
    400,
    "text/plain; charset=utf-8",
    "invalid or expired ticket",
  ]);
});

test("only the ticket's hash is stored", async () => {
  const url = await ticketTo(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  const [row] = await db.query<{ found: boolean }>(
    sql`select bool_or(t::text like '%' || $1 || '%') as found from tickets t`,
    [url.slice(-36)],
  );
  expect(row).toEqual({ found: false });
});

test("a message counts as heard when it is fetched, not when its length is asked", async () => {
  const unheard = async () => JSON.parse((await ask("GET /voicemail_messages?read=false")).text).pagination.total_count;
  const url = await ticketTo(`POST /voicemail_recording_url?uuid=${ours.messages.unheard}`);
  expect(await unheard()).toBe(1);
  await fetch(url, { method: "HEAD" });
  expect(await unheard()).toBe(1);
  const fetched = await fetch(url);
  expect(fetched.headers.get("content-type")).toBe("audio/wav");
  expect(Buffer.from(await fetched.arrayBuffer()).equals(AUDIO)).toBe(true);
  expect(await unheard()).toBe(0);
});

test("a ticket dies with its recording", async () => {
  const url = await ticketTo(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  await db.query(sql`update recordings set deleted_at = now() where call_uuid = $1`, [ours.calls.answered]);
  expect((await fetch(url)).status).toBe(400);
});

test("a public URL stands in front of the address when one is set", async () => {
  const { ask, ours } = await exchangeWorld({
    config: { http: { host: "127.0.0.1", port: 0 }, publicUrl: "https://exchange.example.com", trustedProxies: [] },
  });
  const { text } = await ask(`POST /recording_url?call_uuid=${ours.calls.answered}`);
  expect(text).toMatch(/^https:\/\/exchange\.example\.com\/recording\/R/);
});
