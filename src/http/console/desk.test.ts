// The agent's desk: what one writes about his own calls, what is told of it, and missed callers for one agent at a time.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { readFloorPlan } from "../../store/agents.ts";
import { oweDisposition } from "../../store/call-notes.ts";
import { type ClosedCall, closeCalls } from "../../store/live-calls.ts";
import { updateQueue } from "../../store/queues.ts";
import { sql } from "../../store/sql.ts";
import type { CallEvent } from "../../webhooks/events.ts";
import { oweTo, wantedBy } from "../../webhooks/tell.ts";

const { db, ours, theirs, member } = await consoleTown();
const exchangeId = ours.id;
const MINUTE_MS = 60_000;

await updateQueue(db, {
  exchangeId,
  number: "200",
  changes: { dispositions: ["Sold", "No interest"], disposition_required: true },
});

type Had = {
  number: string;
  by?: string;
  queue?: string;
  before?: string;
  agoMs?: number;
  direction?: "inbound" | "outbound";
};

/** A call there was, written as the journal writes it; without `by` nobody took it. */
async function had(
  { number, by, queue = "200", before, agoMs = MINUTE_MS, direction = "inbound" }: Had,
  at = exchangeId,
) {
  const callUuid = randomUUID();
  const startStamp = new Date(Date.now() - agoMs);
  const isOut = direction === "outbound";
  const cdr: ClosedCall["cdr"] = {
    ...{ exchangeId: at, callUuid, direction, origin: "phone", startStamp, endStamp: new Date(+startStamp + 30_000) },
    ...{ answerStamp: by === undefined ? null : startStamp, callerIdName: "", destinationName: "", endedBy: null },
    ...{ callerIdNumber: isOut ? (by ?? "") : `0${number}`, destinationNumber: isOut ? `0${number}` : "908505320000" },
    ...{ outboundCallerIdNumber: "", dialedUser: "", connectedUser: isOut ? "" : (by ?? ""), durationSeconds: 30 },
    ...{ talkSeconds: by === undefined ? 0 : 30, queue: isOut ? null : queue, queueWaitSeconds: 7, missed: !by },
    ...{ recording: "none", sipHangupDisposition: "caller", hangupCause: "NORMAL_CLEARING", peer: `90${number}` },
    ...{ failureStatus: null, failurePhrase: null },
  };
  const passes = before ? [{ queue: before, waitSeconds: 120, answered: false, talkSeconds: 0 }] : [];
  await db.transaction((db) => closeCalls(db, [{ cdr, legs: [], story: [], passes }]));
  return callUuid;
}

async function agent(extension: string, at = exchangeId) {
  const visitor = await member("agent", at);
  await db.query(
    sql`update staff set exports = 'yes',
       extension_id = (select id from extensions where exchange_id = $1 and number = $3) where id = $2`,
    [at, visitor.id, extension],
  );
  return visitor;
}

const [ann, bob, stranger] = [await agent("1000"), await agent("1001"), await agent("1000", theirs.id)];
const nothing = { note: "", tags: [], disposition: null, open: false };

test("what is written about a call stays with it, and is found, exported and shown with the next call", async () => {
  const uuid = await had({ number: "5321110001", by: "1000" });
  await ann.ask("desk.note", {
    uuid,
    note: "  İade istiyor ",
    tags: ["iade", "iade "],
    disposition: "Sold",
    open: true,
  });
  const next = await had({ number: "5321110001", by: "1001", agoMs: 0 });
  const card = await bob.ask("desk.card", { uuid: next });
  expect(card).toMatchObject({
    queue: { number: "200", dispositions: ["Sold", "No interest"] },
    open: [{ callUuid: uuid, note: "İade istiyor" }],
    calls: [{ callUuid: uuid, extension: "1000", notes: [{ disposition: "Sold", tags: ["iade"] }] }],
  });
  // What is told of a colleague's call leads nowhere for an agent, and to its page for whoever may open it.
  expect(await bob.refused("calls.show", { uuid })).toMatchObject({ refused: "not-found" });
  expect(card.calls.map(({ isOpen }) => isOpen)).toEqual([false]);
  const again = await had({ number: "5321110001", by: "1000", agoMs: 0, queue: "201" });
  expect((await ann.ask("desk.card", { uuid: again })).calls).toMatchObject([
    { callUuid: next, isOpen: false },
    { callUuid: uuid, isOpen: true },
  ]);
  for (const by of [{ note: "IADE" }, { tag: "iade" }, { disposition: "Sold" }])
    expect((await ann.ask("calls.list", { ...by, page: 1, limit: 9 })).rows.map((row) => row.callUuid)).toEqual([uuid]);
  expect((await ann.ask("calls.list", { note: "sold", page: 1, limit: 9 })).rows).toEqual([]);
  const table = await (await ann.get("/console/calls.csv?lang=tr&tag=iade")).text();
  expect(table).toMatch(/;Görüşme sonucu;Etiketler;Not;Sonuç\r\n.*;Sold;iade;İade istiyor;Cevaplandı\r\n$/);

  await bob.ask("desk.closeNote", { uuid, about: next, extension: "1000" });
  expect((await bob.ask("desk.card", { uuid: next })).open).toEqual([]);
});

test("nobody writes about a call that is not his, or gives what the queue does not have", async () => {
  const uuid = await had({ number: "5321110002", by: "1000" });
  expect(await bob.refused("desk.note", { uuid, ...nothing })).toMatchObject({ refused: "not-found" });
  expect(await bob.refused("desk.note", { uuid, ...nothing, extension: "1000" })).toMatchObject({
    refused: "not-your-role",
  });
  for (const name of ["desk.card", "desk.note"] as const)
    expect(await stranger.refused(name, { uuid, ...(name === "desk.card" ? {} : nothing) } as never)).toMatchObject({
      refused: "not-found",
    });
  const foreign = { uuid, ...nothing, disposition: "Stolen" };
  expect(await ann.refused("desk.note", foreign)).toMatchObject({ refused: "not-a-disposition" });
  const boss = await member("administrator");
  await boss.ask("desk.note", { uuid, ...nothing, extension: "1000", disposition: "No interest" });
  expect((await ann.ask("desk.card", { uuid })).notes).toMatchObject([
    { extension: "1000", disposition: "No interest" },
  ]);
});

test("what is owed is owed until it is given, and no longer than the queue wants it", async () => {
  const uuid = await had({ number: "5321110003", by: "1000" });
  const owes = async () => (await readFloorPlan(db, exchangeId)).agents.find((it) => it.number === "1000")?.owes;
  const debt = { exchangeId, callUuid: uuid, extension: "1000", queue: "200", peer: "905321110003", atMs: Date.now() };
  await oweDisposition(db, debt);
  expect([await owes(), (await ann.ask("desk.show", {})).owed]).toMatchObject([true, [{ callUuid: uuid }]]);
  await updateQueue(db, { exchangeId, number: "200", changes: { disposition_required: false } });
  expect(await owes()).toBe(false);
  await updateQueue(db, { exchangeId, number: "200", changes: { disposition_required: true } });
  await ann.ask("desk.note", { uuid, ...nothing, note: "only a note" });
  expect(await owes()).toBe(true);
  await ann.ask("desk.note", { uuid, ...nothing, disposition: "Sold" });
  await oweDisposition(db, debt); // asked once more, after a kill
  expect([await owes(), (await ann.ask("desk.show", {})).owed]).toEqual([false, []]);
});

const told = async () =>
  (
    await db.query<{ body: string }>(
      sql`delete from jobs where kind = 'webhook.deliver' returning payload ->> 'body' as body`,
    )
  ).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

test("receivers are told what agents write only where that is on, and what comes after the call by itself", async () => {
  await db.query(sql`update exchanges set crm_url = 'https://crm.example.com/', crm_notes = $2 where id = $1`, [
    exchangeId,
    false,
  ]);
  const uuid = await had({ number: "5321110004", by: "1000" });
  const ended: CallEvent = {
    is: "hangup",
    direction: "inbound",
    hangupDisposition: "caller",
    ...{ exchangeId, callUuid: uuid, callerIdNumber: "05321110004" },
    ...{ outboundCallerIdNumber: "", destinationNumber: "1000", dialedUser: "1000", startMs: 0, endMs: 0 },
    ...{ talkSeconds: 0, recordingPresent: false, answered: true, connectedUser: "1000" },
    hangupCause: "NORMAL_CLEARING",
  };
  const hangsUp = async () => db.transaction(async (db) => oweTo(db, await wantedBy(db, [ended]), [ended]));
  await ann.ask("desk.note", { uuid, ...nothing, note: "first" });
  await hangsUp();
  const [plain, ...others] = await told();
  expect([Object.keys(plain ?? {}).includes("note"), others]).toEqual([false, []]);

  await db.query(sql`update exchanges set crm_notes = true where id = $1`, [exchangeId]);
  await ann.ask("desk.note", { uuid, note: "second & last", tags: ["a", "b"], disposition: "Sold", open: false });
  await ann.ask("desk.note", { uuid, note: "second & last", tags: ["a", "b"], disposition: "Sold", open: true }); // no news
  await hangsUp();
  const written = { disposition: "Sold", tags: "a,b", note: "second & last" };
  expect(await told()).toMatchObject([
    { event_type: "call_note", call_uuid: uuid, number: "05321110004", queue: "200", extension: "1000", ...written },
    { event_type: "hangup", call_uuid: uuid, ...written },
  ]);
});

test("a missed caller is taken by one agent, and settled by a talk or by hand", async () => {
  const seen = async (who = ann) => (await who.ask("desk.missed", {})).map(({ peer, takenBy }) => [peer, takenBy]);
  await had({ number: "5322220001", agoMs: 3 * MINUTE_MS });
  await had({ number: "5322220001", agoMs: 2 * MINUTE_MS });
  await had({ number: "5322220002", agoMs: MINUTE_MS });
  await had({ number: "5322220003", queue: "201" });
  await had({ number: "5322220004", queue: "700", before: "200", agoMs: 4 * MINUTE_MS });
  const [one, two, passedOn] = ["905322220001", "905322220002", "905322220004"];
  expect(await ann.ask("desk.missed", {})).toMatchObject([
    { peer: two, calls: 1 },
    { peer: one, calls: 2, tries: 0, waitSeconds: 7 },
    { peer: passedOn, calls: 1, queue: "200", waitSeconds: 120 },
  ]);
  expect(await stranger.ask("desk.missed", {})).toEqual([]);
  expect(await stranger.refused("desk.takeMissed", { peer: one })).toMatchObject({ refused: "not-found" });

  const at = (who: typeof ann) => who.post("/console/api/desk.takeMissed", { peer: one }).then(({ status }) => status);
  const both = await Promise.all([at(ann), at(bob)]);
  expect(both.sort()).toEqual([200, 400]);
  const [[, holder] = []] = (await seen()).filter(([peer]) => peer === one);
  const [has, hasNot] = holder === "1000" ? [ann, bob] : [bob, ann];
  expect(await hasNot.refused("desk.settleMissed", { peer: one })).toMatchObject({ refused: "caller-taken" });
  expect(await hasNot.refused("desk.leaveMissed", { peer: one })).toMatchObject({ refused: "not-found" });
  await has.ask("desk.leaveMissed", { peer: one });
  await hasNot.ask("desk.takeMissed", { peer: one });
  await db.query(sql`update missed_callers set leased_until = now() where peer = $1`, [one]);
  await has.ask("desk.takeMissed", { peer: one }); // whoever forgot him keeps him no longer

  await had({ number: "5322220001", by: "1000", direction: "outbound", agoMs: 0 });
  for (const peer of [two, passedOn]) await has.ask("desk.settleMissed", { peer });
  expect(await seen()).toEqual([]);
  await had({ number: "5322220002", agoMs: -MINUTE_MS });
  expect(await seen()).toEqual([[two, null]]);
});

test("the figures of the day are one's own", async () => {
  expect(await ann.ask("desk.figures", {})).toMatchObject({ made: 1, breaks: [] });
  expect(await bob.ask("desk.figures", {})).toMatchObject({ made: 0 });
});

test("only what the exchange opens with its calls comes into a frame", async () => {
  const pop = (link: string, who = ann) => who.get(`/console/pop?${new URLSearchParams({ link })}`);
  expect((await pop("https://crm.example.com/?tel=1")).status).toBe(404);
  await db.query(
    sql`update exchanges set screen_pop = 'https://crm.example.com/?tel={number}', screen_pop_in = 'frame' where id = $1`,
    [exchangeId],
  );
  const page = await pop(`https://crm.example.com/?tel="><script>`);
  expect(page.headers.get("content-security-policy")).toContain("frame-src https://crm.example.com;");
  expect(await page.text()).not.toContain("<script>");
  for (const link of [
    "https://crm.example.com.evil.example/",
    "javascript:alert(1)",
    "https://crm.example.com@evil.example/",
  ])
    expect((await pop(link)).status).toBe(404);
  expect((await pop("https://crm.example.com/", stranger)).status).toBe(404);
  expect((await pop("https://crm.example.com/", await member("viewer"))).status).toBe(403);
});
