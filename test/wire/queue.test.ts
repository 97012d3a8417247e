import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { askServer } from "../../src/server/control-client.ts";
import { eventually } from "../ground/eventually.ts";
import type { Baresip } from "../phones/baresip.ts";
import { earOf, talked } from "../phones/ear.ts";
import { keyPressed } from "../phones/listening.ts";
import { type SoftCall, type SoftPhone, softPhone } from "../phones/soft-phone.ts";
import { expectHeard, recordOf } from "../town/call-story.ts";
import { CLEAR, type RealTown, realTown } from "../town/real-town.ts";

let town: RealTown;
let ann: Baresip;
let boss: Baresip;
let dora: SoftPhone;

const PATIENCE_MS = 60_000;

beforeAll(async () => {
  town = await realTown();
  await town.command("queue", "set", "200", "strategy=longest-idle", "wrap-up-seconds=0");
  await town.command("queue", "members", "200", "1000,1001");
  await town.command("extension", "set", "1002", "may-supervise=yes");
  ann = await town.phone("1000", 660);
  boss = await town.phone("1002", 1000);
  dora = await softPhone(town, "1003", 880);
});

type Waiting = { queue_number: string; uuid: string; call_uuid: string; caller_id: string; joined_at: string };
type AgentStatus = { agent: string; status: string; queues: string[]; break_description?: string };

const pending = async () => JSON.parse(await town.ask("/queues/pending")) as Waiting[];
const soon = (agent: string) => expect.poll(() => statusOf(agent), { interval: 200 });
const statusOf = async (agent: string) =>
  (JSON.parse(await town.ask("/agent_statuses", { agent })) as AgentStatus[])[0];

async function dials(phone: Baresip, code: string): Promise<void> {
  phone.forget();
  await phone.dial(code);
  await phone.event("CALL_CLOSED", PATIENCE_MS);
  phone.forget();
}

test("an agent logs in and takes a break by phone, and the interface says so", { timeout: 300_000 }, async () => {
  // A first run has its agents at their desks, so that a stranger's first call is answered.
  await soon("1000").toMatchObject({ status: "AVAILABLE", queues: ["200"] });
  await dials(ann, "*21");
  await soon("1000").toMatchObject({ status: "LOGGED_OUT" });
  await dials(ann, "*20");
  await soon("1000").toMatchObject({ status: "AVAILABLE" });
  await dials(ann, "*221");
  await soon("1000").toMatchObject({ status: "ON_BREAK", break_description: "Kahve" });
  expect(await town.command("agent", "list")).toContain("ON_BREAK");
});

test("a caller waits, is listed, is answered, and each hears the other while a supervisor hears both", {
  timeout: 300_000,
}, async () => {
  await town.command("sandbox", "call", "--from", "905000000002", "--to", "908505320001");
  const entry = await eventually("somebody waits", async () => (await pending())[0]);
  expect(entry).toMatchObject({ queue_number: "200", caller_id: "905000000002" });
  expect(Number(entry.joined_at)).toBeGreaterThan(1_600_000_000);
  await eventually("she has waited", async () => Date.now() / 1_000 - Number(entry.joined_at) > 2);
  const [anns, bosss] = await Promise.all([earOf(ann), earOf(boss)]);
  ann.forget();
  await town.command("agent", "resume", "1000");
  await ann.event("CALL_INCOMING", PATIENCE_MS);
  await ann.command("accept");
  await ann.event("CALL_ESTABLISHED", PATIENCE_MS);
  await eventually("nobody waits", async () => (await pending()).length === 0);
  await soon("1000").toMatchObject({ status: "TALKING" });
  await anns.hears(440);
  boss.forget();
  await boss.dial("*301000");
  await boss.event("CALL_ESTABLISHED", PATIENCE_MS);
  await bosss.hearsWhat("both", ({ level }) => level(440) > CLEAR / 2 && level(660) > CLEAR / 2);
  await ann.hangUp();
  await boss.event("CALL_CLOSED", PATIENCE_MS);
  const { cdr } = await recordOf(town, entry.call_uuid, PATIENCE_MS);
  expect(cdr).toMatchObject({ direction: "Gelen", result: "Cevaplandı" });
  expect(cdr.queue_wait_seconds).toMatch(/^00:\d\d:\d\d$/);
  expect(cdr.queue_wait_seconds).not.toBe("00:00:00");
  const story = await town.command("call", entry.call_uuid);
  expect(story).toContain("is offered to 1000 of queue 200, longest-idle among 1000");
  await eventually("free again", async () => (await statusOf("1000"))?.status === "AVAILABLE");
});

async function waits(phone: SoftPhone): Promise<SoftCall> {
  const call = await phone.call("200");
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  await eventually("she waits", async () => (await pending()).length === 1);
  return call;
}

const list = async (path: string, parameters: Record<string, string> = {}) =>
  JSON.parse(await town.ask(path, parameters)) as Record<string, unknown>[];

test("every operation about queues, agents and statuses tells what is so at this moment", {
  timeout: 300_000,
}, async () => {
  await town.command("agent", "break", "1000", "Toplantı");
  expect(await list("/queues")).toContainEqual({ number: 200, name: "Destek" });
  expect(await list("/queue/user_list", { queue_number: "200" })).toEqual([
    { user: 1000, name: "Ayşe Yılmaz" },
    { user: 1001, name: "Mehmet Demir" },
  ]);
  await expect.poll(() => list("/user_statuses", { user: "1000" })).toEqual([{ user: 1000, status: "AVAILABLE" }]);
  expect(await list("/user_statuses", { user: "1001" })).toEqual([{ user: 1001, status: "UNREGISTERED" }]);
  const call = await waits(dora);
  expect(await list("/user_statuses", { user: "1003" })).toEqual([{ user: 1003, status: "TALKING" }]);
  expect(await list("/agent_statuses", { status: "ON_BREAK" })).toEqual([
    { agent: "1000", status: "ON_BREAK", queues: ["200"], break_description: "Toplantı" },
  ]);
  // Somebody who is free becomes a member: the one who waits is offered to her at once.
  boss.forget();
  await town.command("agent", "login", "1002");
  expect(await town.ask("/queue/manage_users", { queue_number: "200", user_list: "1001,1002" })).toBe("OK");
  await boss.event("CALL_INCOMING", PATIENCE_MS);
  await boss.command("accept");
  await boss.event("CALL_ESTABLISHED", PATIENCE_MS);
  await eventually("nobody waits", async () => (await pending()).length === 0);
  await soon("1002").toMatchObject({ status: "TALKING", queues: ["200"] });
  await expect
    .poll(() => list("/user_statuses", { status: "TALKING" }))
    .toEqual([
      { user: 1002, status: "TALKING" },
      { user: 1003, status: "TALKING" },
    ]);
  await call.hangUp();
  await boss.event("CALL_CLOSED", PATIENCE_MS);
  await eventually("free again", async () => (await statusOf("1002"))?.status === "AVAILABLE");
  expect(await town.ask("/dnd/1002", { state: "on" })).toBe("Changed DND of 1002 to on.");
  await expect.poll(() => list("/user_statuses", { user: "1002" })).toEqual([{ user: 1002, status: "SS_DND" }]);
  expect(await town.ask("/dnd/1002", { state: "off" })).toBe("Changed DND of 1002 to off.");
  expect(await town.ask("/queue/manage_users", { queue_number: "200", user_list: "1000,1001" })).toBe("OK");
});

test("a caller hangs up and keeps her place: the agent's phone rings, then hers, and they talk", {
  timeout: 300_000,
}, async () => {
  await town.command("queue", "set", "200", "callback-key=5", "survey=yes");
  const call = await waits(dora);
  const [entry] = await pending();
  const kept = await eventually("her place is kept", async () => {
    await call.voice.press("5");
    return (await pending()).find(({ uuid }) => uuid !== entry?.uuid);
  });
  await call.hangUp();
  expect(kept).toMatchObject({ queue_number: "200", caller_id: "1003", call_uuid: entry?.call_uuid });
  expect(Number(kept.joined_at) - Number(entry?.joined_at)).toBeLessThanOrEqual(1);
  ann.forget();
  await town.command("agent", "resume", "1000");
  await ann.event("CALL_INCOMING", PATIENCE_MS);
  await ann.command("accept");
  const called = await (await dora.incoming()).answer();
  expect(await called.voice.soonHears(660)).toBeGreaterThan(CLEAR);
  await talked([ann, 880]);
  await called.hangUp();
  await ann.event("CALL_CLOSED", PATIENCE_MS);
  await expectHeard(ann, 880);
  await expect.poll(pending).toEqual([]);
  await recordOf(town, entry?.call_uuid ?? "");
  expect(await town.command("call", entry?.call_uuid ?? "")).toContain("keeps the place in queue 200");
});

test("when the agent hangs up first the caller is asked how it was", { timeout: 300_000 }, async () => {
  ann.forget();
  const call = await dora.call("200");
  if ("refused" in call) throw new Error(`refused: ${call.refused}`);
  await ann.event("CALL_INCOMING", PATIENCE_MS);
  await ann.command("accept");
  await ann.event("CALL_ESTABLISHED", PATIENCE_MS);
  expect(await call.voice.soonHears(660)).toBeGreaterThan(CLEAR);
  await talked([ann, 880]);
  const up = await eventually("theirs is the only call", async () => {
    const calls = (await askServer(join(town.data, "control.sock"), "calls")) as { callUuid: string }[];
    return calls.length === 1 && calls[0];
  });
  await ann.hangUp();
  await ann.event("CALL_CLOSED", PATIENCE_MS);
  await expectHeard(ann, 880);
  await keyPressed(call.voice, "4", call.over);
  await recordOf(town, up.callUuid, PATIENCE_MS);
  expect(await town.command("call", up.callUuid)).toContain("gives extension 1000 4 of 5");
});

test("staff sees the floor move, and nobody else does", { timeout: 300_000 }, async () => {
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
