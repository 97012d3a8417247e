import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { freshDatabase } from "../../test/ground/database.ts";
import { secrets } from "../../test/ground/secrets.ts";
import { changeAgent, maySupervise, QUEUES_CHANNEL, readFloorPlan } from "./agents.ts";
import { listAuditLines } from "./audit.ts";
import {
  beginCallback,
  endCallback,
  exchangesOwingCallbacks,
  keepCallback,
  keepSurveyAnswer,
  listOwedCallbacks,
} from "./callbacks.ts";
import { createExchange } from "./exchanges.ts";
import { createExtension } from "./extensions.ts";
import { createQueue, setQueueMembers } from "./queues.ts";
import { sql } from "./sql.ts";
import { createStaffAccount } from "./staff.ts";
import { hashPassword } from "./staff-password.ts";
import { signIn } from "./staff-sign-in.ts";

const { db } = await freshDatabase();

async function made(name: string) {
  const exchange = await createExchange(db, secrets, { name, sipDomain: `${name}.example` });
  if ("refused" in exchange) throw new Error("no exchange");
  const exchangeId = exchange.id;
  for (const number of ["1000", "1001", "1002"])
    await createExtension(db, { exchangeId, number, name: `Desk ${number}`, password: "a-long-enough-password" });
  await createQueue(db, { exchangeId, number: "200", name: "Support", members: ["1001", "1000"] });
  return exchangeId;
}

const exchangeId = await made("ours");
const neighbour = await made("theirs");

const available = () => ({ status: "AVAILABLE", description: null }) as const;

test("a floor plan knows queues with their members in order, and agents as they are", async () => {
  const { queues, agents } = await readFloorPlan(db, exchangeId);
  expect(queues).toMatchObject([
    {
      number: "200",
      members: ["1001", "1000"],
      strategy: "sequential",
      mostMisses: 3,
      survey: false,
      followsForwards: false,
      language: "tr-TR",
    },
  ]);
  expect(agents.map(({ number, status }) => `${number} ${status}`).sort()).toEqual([
    "1000 LOGGED_OUT",
    "1001 LOGGED_OUT",
  ]);
});

test("an agent's change is kept with its audit line, and whoever is no agent has none", async () => {
  const by = { doer: "staff", who: "a test" } as const;
  const changed = await changeAgent(db, { exchangeId, extension: "1001", by, change: available });
  expect(changed).toEqual({ before: { status: "LOGGED_OUT", description: null }, after: available() });
  expect(await changeAgent(db, { exchangeId, extension: "1001", by, change: () => undefined })).toMatchObject({
    after: undefined,
  });
  expect(await changeAgent(db, { exchangeId, extension: "1002", by, change: available })).toBeUndefined();
  const { agents } = await readFloorPlan(db, exchangeId);
  expect(agents.find(({ number }) => number === "1001")?.status).toBe("AVAILABLE");
  expect((await readFloorPlan(db, neighbour)).agents.every(({ status }) => status === "LOGGED_OUT")).toBe(true);
  expect(await listAuditLines(db, exchangeId)).toMatchObject([
    { did: "agent-moved", details: { extension: "1001", from: "LOGGED_OUT", to: "AVAILABLE" } },
  ]);
});

test("changes of members, agents and extensions are told", async () => {
  const heard: string[] = [];
  const stop = await db.listen(QUEUES_CHANNEL, (payload) => heard.push(payload));
  await setQueueMembers(db, { exchangeId, number: "200", members: ["1000", "1001"] });
  await changeAgent(db, { exchangeId, extension: "1000", by: { doer: "staff", who: "a test" }, change: available });
  await db.query(sql`update extensions set dnd = true where exchange_id = $1 and number = '1000'`, [exchangeId]);
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(3);
  expect(new Set(heard)).toEqual(new Set([String(exchangeId)]));
  await stop();
});

test("a callback is owed until it has ended, with its attempts", async () => {
  const id = randomUUID();
  const joinedMs = Date.UTC(2026, 0, 5, 9);
  const callback = {
    id,
    queue: "200",
    callUuid: randomUUID(),
    caller: "05321234567",
    isInside: false,
    callerName: "Ayşe",
    priority: 2,
    joinedMs,
    attempts: 0,
    nextTryMs: joinedMs,
  };
  expect(await keepCallback(db, exchangeId, callback)).toBe(true);
  expect(await keepCallback(db, exchangeId, { ...callback, id: randomUUID(), queue: "299" })).toBe(false);
  expect(await exchangesOwingCallbacks(db)).toEqual([exchangeId]);
  expect(await listOwedCallbacks(db, neighbour)).toEqual([]);
  expect(await listOwedCallbacks(db, exchangeId)).toMatchObject([{ ...callback, nextTryMs: expect.any(Number) }]);
  await beginCallback(db, { exchangeId, id, againMs: joinedMs + 1_000 });
  expect(await listOwedCallbacks(db, exchangeId)).toMatchObject([{ attempts: 1, nextTryMs: joinedMs + 1_000 }]);
  await endCallback(db, { exchangeId: neighbour, id, outcome: "talked" });
  expect(await listOwedCallbacks(db, exchangeId)).toHaveLength(1);
  await endCallback(db, { exchangeId, id, outcome: "talked" });
  expect(await listOwedCallbacks(db, exchangeId)).toEqual([]);
});

test("a survey's score is kept", async () => {
  const answer = { callUuid: randomUUID(), queue: "200", extension: "1001", score: 5, atMs: Date.UTC(2026, 0, 5) };
  await keepSurveyAnswer(db, exchangeId, answer);
  const rows = await db.query(sql`select queue, extension, score from survey_answers where exchange_id = $1`, [
    exchangeId,
  ]);
  expect(rows).toEqual([{ queue: "200", extension: "1001", score: 5 }]);
});

test("whoever may supervise: by a switch of the extension, or as an administrator", async () => {
  expect(await maySupervise(db, exchangeId, "1000")).toBe(false);
  const staff = {
    exchangeId,
    name: "Boss",
    email: "boss@example.com",
    role: "administrator",
    extension: "1000",
  } as const;
  await createStaffAccount(db, { ...staff, password: await hashPassword("a staff member's password") });
  expect(await maySupervise(db, exchangeId, "1000")).toBe(true);
  expect(await maySupervise(db, neighbour, "1000")).toBe(false);
  await db.query(sql`update extensions set may_supervise = true where exchange_id = $1 and number = '1002'`, [
    exchangeId,
  ]);
  expect(await maySupervise(db, exchangeId, "1002")).toBe(true);
  const trySignIn = (email: string, password: string) => signIn(db, secrets, { email, password }, 0);
  expect(await trySignIn("Boss@example.com", "a staff member's password")).toMatchObject({ exchangeId });
  expect(await trySignIn("boss@example.com", "another password")).toEqual({ refused: "wrong-password" });
  expect(await trySignIn("nobody@example.com", "a staff member's password")).toEqual({ refused: "wrong-password" });
});
