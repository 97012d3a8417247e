import { beforeAll, expect, test } from "vitest";
import type { Baresip } from "../baresip.ts";
import { expectHeard, recordOf, talking } from "./call-story.ts";
import { eventually } from "./eventually.ts";
import { CLEAR, type RealTown, realTown, toneIn } from "./real-town.ts";

let town: RealTown;
let ann: Baresip;
let boss: Baresip;

const PATIENCE_MS = 30_000;

beforeAll(async () => {
  town = await realTown();
  await town.command("queue", "set", "200", "strategy=longest-idle", "wrap-up-seconds=0");
  await town.command("queue", "members", "200", "1000,1001");
  await town.command("extension", "set", "1002", "may-supervise=yes");
  ann = await town.phone("1000", 660);
  boss = await town.phone("1002", 1000);
}, 180_000);

type Waiting = { queue_number: string; uuid: string; call_uuid: string; caller_id: string; joined_at: string };
type AgentStatus = { agent: string; status: string; queues: string[]; break_description?: string };

const pending = async () => JSON.parse(await town.ask("/queues/pending")) as Waiting[];
const statusOf = async (agent: string) =>
  (JSON.parse(await town.ask("/agent_statuses", { agent })) as AgentStatus[])[0];

async function dials(phone: Baresip, code: string): Promise<void> {
  phone.forget();
  await phone.dial(code);
  await phone.event("CALL_CLOSED", PATIENCE_MS);
  phone.forget();
}

test("an agent logs in and takes a break by phone, and the interface says so", { timeout: 120_000 }, async () => {
  expect(await statusOf("1000")).toMatchObject({ status: "LOGGED_OUT", queues: ["200"] });
  await dials(ann, "*20");
  expect(await statusOf("1000")).toMatchObject({ status: "AVAILABLE" });
  await dials(ann, "*221");
  expect(await statusOf("1000")).toMatchObject({ status: "ON_BREAK", break_description: "Kahve" });
  expect(await town.command("agent", "list")).toContain("ON_BREAK");
});

test("a caller waits, is listed, is answered, and each hears the other while a supervisor hears both", {
  timeout: 180_000,
}, async () => {
  await town.command("sandbox", "call", "--from", "905000000002", "--to", "908505320001");
  const entry = await eventually("somebody waits", async () => (await pending())[0]);
  expect(entry).toMatchObject({ queue_number: "200", caller_id: "05000000002" });
  expect(Number(entry.joined_at)).toBeGreaterThan(1_600_000_000);
  ann.forget();
  await town.command("agent", "resume", "1000");
  await ann.event("CALL_INCOMING", PATIENCE_MS);
  await ann.command("accept");
  await ann.event("CALL_ESTABLISHED", PATIENCE_MS);
  await eventually("nobody waits", async () => (await pending()).length === 0);
  expect(await statusOf("1000")).toMatchObject({ status: "TALKING" });
  await talking(3_000);
  boss.forget();
  await boss.dial("*301000");
  await boss.event("CALL_ESTABLISHED", PATIENCE_MS);
  await talking(3_000);
  await ann.hangUp();
  await boss.event("CALL_CLOSED", PATIENCE_MS);
  await expectHeard(ann, 440);
  const heardByBoss = (await boss.recordings("dec")).at(-1)!;
  expect(toneIn(heardByBoss, 440), "the caller").toBeGreaterThan(CLEAR / 2);
  expect(toneIn(heardByBoss, 660), "the agent").toBeGreaterThan(CLEAR / 2);
  const { cdr } = await recordOf(town, entry.call_uuid, PATIENCE_MS);
  expect(cdr).toMatchObject({ direction: "Gelen", result: "Cevaplandı" });
  expect(cdr.queue_wait_seconds).toMatch(/^00:00:(?!00)/);
  const story = await town.command("call", entry.call_uuid);
  expect(story).toContain("is offered to 1000 of queue 200, longest-idle among 1000");
  await eventually("free again", async () => (await statusOf("1000"))?.status === "AVAILABLE");
});

test("staff sees the floor move, and nobody else does", { timeout: 120_000 }, async () => {
  const url = `http://${town.santral.run.http}/console/panel`;
  const { email, password } = (town.firstRun as unknown as { console: { email: string; password: string } }).console;
  const as = (who: string) => ({ authorization: `Basic ${Buffer.from(who).toString("base64")}` });
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, { headers: as(`${email}:wrong`) })).status).toBe(401);
  const stop = new AbortController();
  const answer = await fetch(url, { headers: as(`${email}:${password}`), signal: stop.signal });
  expect(answer.status).toBe(200);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const reads = async (word: string) => {
    while (!text.includes(word)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without ${word}`);
      text += value;
    }
  };
  await reads("event: snapshot");
  await reads('"what":"queue"');
  text = "";
  await town.command("agent", "break", "1000", "Toplantı");
  await reads("Toplantı");
  expect(text).toContain("event: changes");
  stop.abort();
});
