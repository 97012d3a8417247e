// How far each role sees: an agent his own calls, mailbox and queues, a supervisor those of his queues and their agents.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { consoleTown } from "../../../test/town/console-town.ts";
import { createQueue } from "../../store/queues.ts";
import { scopeOf } from "../../store/scope.ts";
import { saveTraces } from "../../store/sip-traces.ts";
import { sql } from "../../store/sql.ts";

const { db, ours, theirs, member } = await consoleTown();
const exchangeId = ours.id;
const page = { page: 1, limit: 50 };
const stretch = { from: "2026-05-04T00:00:00Z", before: "2026-05-05T00:00:00Z" };

for (const [number, members] of Object.entries({ 301: ["1000"], 302: ["1001"] }))
  await createQueue(db, { exchangeId, number, name: `Q${number}`, members, changes: {} });

type Wanted = Partial<Record<"caller_id_number" | "connected_user" | "dialed_user" | "queue" | "direction", string>>;

async function call(wanted: Wanted, legs: string[] = []): Promise<string> {
  const uuid = randomUUID();
  const { direction = "inbound", caller_id_number = "905321234567", connected_user = "", dialed_user = "" } = wanted;
  // Before its record, which is counted by them.
  for (const [index, number] of legs.entries())
    await db.query(
      sql`insert into cdr_legs (call_uuid, position, destination_number, start_stamp, end_stamp, hangup_cause)
       values ($1, $2, $3, '2026-05-04 09:00Z', '2026-05-04 09:01Z', 'NORMAL_CLEARING')`,
      [uuid, index, number],
    );
  await db.query(
    sql`insert into cdrs (exchange_id, call_uuid, direction, start_stamp, answer_stamp, end_stamp, caller_id_number,
         destination_number, dialed_user, connected_user, queue, hangup_cause, talk_seconds, recording)
       values ($1, $2, $3, '2026-05-04 09:00Z', '2026-05-04 09:00:05Z', '2026-05-04 09:01Z', $4, '908505320000', $5, $6, $7,
         'NORMAL_CLEARING', 55, 'present')`,
    [exchangeId, uuid, direction, caller_id_number, dialed_user, connected_user, wanted.queue ?? null],
  );
  await db.query(
    sql`insert into recordings (exchange_id, call_uuid, object_key, media_type, duration_ms)
     values ($1, $2, $3, 'audio/mpeg', 1000)`,
    [exchangeId, uuid, `recordings/${uuid}`],
  );
  return uuid;
}

const calls = {
  taken: await call({ connected_user: "1000", dialed_user: "1000", queue: "301" }),
  missed: await call({ dialed_user: "1000" }),
  made: await call({ direction: "outbound", caller_id_number: "1000" }),
  handedOn: await call({ connected_user: "1001" }, ["1000", "1001"]),
  ofQueue: await call({ queue: "301" }),
  foreign: await call({ connected_user: "1001", queue: "302" }),
  /** Somebody outside who shows an extension's number. */
  pretended: await call({ direction: "inbound", caller_id_number: "1000", connected_user: "1001" }),
};

type Name = keyof typeof calls;

/** One of a role, with an extension and, for a supervisor, queues. */
async function person(role: "agent" | "supervisor", extension: string | null, queues: string[] = []) {
  const visitor = await member(role);
  await db.query(
    sql`update staff set extension_id = (select id from extensions where exchange_id = $1 and number = $3),
       recordings = 'yes', exports = 'yes' where id = $2`,
    [exchangeId, visitor.id, extension],
  );
  await db.query(
    sql`insert into staff_queues (exchange_id, staff_id, queue_id)
     select $1, $2, id from queues where exchange_id = $1 and number = any($3)`,
    [exchangeId, visitor.id, queues],
  );
  return visitor;
}

const people = [
  {
    who: await person("agent", "1000"),
    sees: ["taken", "missed", "made", "handedOn"],
    queues: ["301"],
    mailbox: ["1000"],
  },
  { who: await person("agent", null), sees: [], queues: [], mailbox: [] },
  {
    who: await person("supervisor", null, ["301"]),
    sees: ["taken", "missed", "made", "handedOn", "ofQueue"],
    queues: ["301"],
    mailbox: ["1000"],
  },
  { who: await person("supervisor", null), sees: [], queues: [], mailbox: [] },
  { who: await member("standard"), sees: Object.keys(calls), queues: ["301", "302"], mailbox: ["1000", "1001"] },
] as const satisfies { who: object; sees: readonly string[]; queues: readonly string[]; mailbox: readonly string[] }[];

const messages = await Promise.all(
  ["1000", "1001"].map(async (number) => {
    const uuid = randomUUID();
    await db.query(
      sql`insert into voicemail_messages (exchange_id, uuid, extension_id, caller_id_number, start_stamp, duration_seconds,
           object_key, media_type)
         select $1, $2, id, '905321234567', now(), 3, $4, 'audio/wav' from extensions where exchange_id = $1 and number = $3`,
      [exchangeId, uuid, number, `voicemail/${uuid}`],
    );
    return { number, uuid };
  }),
);

test("calls: in the list, one by one and in the table to download, and a foreign one is like one that never was", async () => {
  for (const { who, sees } of people) {
    const seen = new Set(sees as readonly string[]);
    const wanted = (Object.keys(calls) as Name[]).filter((name) => seen.has(name)).map((name) => calls[name]);
    const { rows, total } = await who.ask("calls.list", { ...page, ...stretch });
    expect(rows.map(({ callUuid }) => callUuid).sort()).toEqual([...wanted].sort());
    expect(total).toBe(wanted.length);
    const table = await (await who.get(`/console/calls.csv?from=${stretch.from}&before=${stretch.before}`)).text();
    expect(table.trim().split("\r\n")).toHaveLength(1 + wanted.length);
    const nowhere = randomUUID();
    const none = await who.refused("calls.show", { uuid: nowhere });
    for (const uuid of Object.values(calls))
      if (wanted.includes(uuid))
        expect(await who.ask("calls.show", { uuid })).toMatchObject({ cdr: { callUuid: uuid } });
      else expect(await who.refused("calls.show", { uuid })).toEqual({ ...none, which: uuid });
  }
});

test("searching everywhere finds calls, queues and people that one may list, and nothing else", async () => {
  await db.query(
    sql`insert into contacts (exchange_id, name, surname, phone) values ($1, 'Işıl', 'Q30', '905550000000')`,
    [exchangeId],
  );
  const MOST = 6;
  for (const { who, sees, queues } of people) {
    const seen = new Set((sees as readonly Name[]).map((name) => calls[name]));
    const found = await who.ask("search.everywhere", { about: "85053200" });
    expect(found.calls.filter(({ callUuid }) => !seen.has(callUuid))).toEqual([]);
    expect(found.calls).toHaveLength(Math.min(MOST, seen.size));
    const { places, people } = await who.ask("search.everywhere", { about: "q30" });
    expect(places.map(({ is, number }) => `${is} ${number}`)).toEqual(queues.map((number) => `queue ${number}`));
    expect(people).toMatchObject([{ name: "Işıl" }]);
  }
  const setup = async (who: { ask: (typeof people)[0]["who"]["ask"] }) =>
    (await who.ask("search.everywhere", { about: "1000" })).places.map(({ is }) => is);
  expect([await setup(people[0].who), await setup(people[4].who)]).toEqual([[], ["extension"]]);
  for (const role of ["viewer", "accountant"] as const)
    expect(await (await member(role)).ask("search.everywhere", { about: "85053200" })).toEqual({
      places: [],
      people: [],
      calls: [],
    });
});

test("a message of a ladder: one of a foreign call is like one that never was", async () => {
  const [message] = [
    { atMs: 1, direction: "in", peer: "udp 192.0.2.1:5060", text: "BYE sip:1000@x SIP/2.0\r\n" },
  ] as const;
  for (const callUuid of Object.values(calls))
    await saveTraces(db, [{ sipCallId: callUuid, callUuid, messages: [message], octets: 1 }]);
  const asked = { uuid: calls.foreign, rung: 0 };
  const [ours, stranger] = [await member("read-only"), await member("administrator", theirs.id)];
  expect(await ours.ask("calls.message", asked)).toEqual({ text: message.text });
  const nowhere = randomUUID();
  const none = { ...(await stranger.refused("calls.message", { uuid: nowhere, rung: 0 })), which: "" };
  expect(none).toMatchObject({ refused: "not-found" });
  for (const who of [stranger, ours])
    expect({
      ...(await who.refused("calls.message", who === ours ? { ...asked, rung: 1 } : asked)),
      which: "",
    }).toEqual(none);
  // No role sees how the exchange is set up, and only some of its calls; a closer one is told the same.
  for (const { who } of people.slice(0, 4))
    for (const uuid of [calls.taken, calls.foreign, nowhere]) {
      expect(await who.refused("calls.message", { uuid, rung: 0 })).toMatchObject({ refused: "not-your-role" });
      expect(JSON.stringify(await who.post("/console/api/calls.show", { uuid }).then((it) => it.json()))).not.toContain(
        "BYE",
      );
    }
});

test("figures count what is seen, and nothing else", async () => {
  const [agent, , supervisor, , standard] = people.map(({ who }) => who);
  const countOf = async (who = agent!) =>
    (await who.ask("reports.calls", stretch)).days.reduce((sum, { inbound, outbound }) => sum + inbound + outbound, 0);
  expect([await countOf(supervisor), await countOf(standard)]).toEqual([5, 7]);
  expect((await supervisor!.ask("reports.queues", stretch)).queues.map(({ queue }) => queue)).toEqual(["301"]);
  expect((await supervisor!.ask("reports.extensions", stretch)).map(({ extension }) => extension)).toEqual(["1000"]);
  expect((await supervisor!.ask("reports.responseTimes", stretch)).whole.answered).toBe(2);
  expect(await agent!.ask("reports.today", {})).toMatchObject({ calls: 0 });
  expect(await agent!.refused("reports.calls", stretch)).toMatchObject({ refused: "not-your-role" });
});

test("mailboxes and recordings: a foreign one is not there", async () => {
  for (const { who, mailbox } of people) {
    const own = new Set(mailbox as readonly string[]);
    const { rows } = await who.ask("voicemail.list", { ...page, extension: "" });
    expect(rows.map(({ userNumber }) => userNumber).sort()).toEqual([...mailbox]);
    for (const { number, uuid } of messages) {
      if (own.has(number)) continue;
      expect((await who.get(`/console/sound/voicemail/${uuid}`)).status).toBe(404);
      for (const refused of [
        await who.refused("voicemail.markRead", { uuid }),
        await who.refused("voicemail.delete", { uuid, extension: number }),
      ])
        expect(refused).toMatchObject({ refused: "not-found" });
    }
    for (const uuid of Object.values(calls))
      expect((await who.get(`/console/sound/recording/${uuid}`)).status).toBe(404);
  }
  const unread = await db.query(sql`select 1 from voicemail_messages where exchange_id = $1 and read_stamp is null`, [
    exchangeId,
  ]);
  expect(unread).toHaveLength(2);
});

test("queues, agents and phones: foreign ones are neither seen nor moved", async () => {
  for (const { who, queues } of people) {
    const listed = (await who.ask("queues.list", {})).map(({ number }) => number).filter((it) => /^30[12]$/.test(it));
    expect(listed).toEqual([...queues]);
    const { queues: named } = await who.ask("directory.list", {});
    expect(named.map(({ number }) => number).filter((it) => /^30[12]$/.test(it))).toEqual([...queues]);
  }
  const [agent] = people.map(({ who }) => who);
  expect(await agent!.refused("extensions.setDnd", { number: "1001", dnd: true })).toMatchObject({
    refused: "not-found",
  });
  await agent!.ask("extensions.setDnd", { number: "1000", dnd: false });
});

test("a supervisor makes, changes and takes back boards of his queues alone, and others are like ones that never were", async () => {
  const boss = await member("administrator");
  const lead = await person("supervisor", null, ["301"]);
  const board = (name: string, queues: string[]) => ({ name, changes: { queues } });
  const { id: both } = await boss.ask("walls.create", board("Both", ["301", "302"]));
  const { id: all } = await boss.ask("walls.create", board("All", []));
  const { id: given } = await boss.ask("walls.create", board("Given", ["301"]));
  const { id: own } = await lead.ask("walls.create", board("Own", ["301"]));
  const listed = async (who: typeof lead) => (await who.ask("walls.list", {})).map(({ name }) => name);
  expect([await listed(lead), await listed(boss)]).toEqual([
    ["Given", "Own"],
    ["All", "Both", "Given", "Own"],
  ]);
  expect(await listed(await person("supervisor", null))).toEqual([]);
  for (const id of [both, all]) {
    const none = { refused: "not-found", what: "wall board", which: String(id) };
    expect(await lead.refused("walls.update", { id, changes: { queues: ["301"] } })).toMatchObject(none);
    for (const name of ["walls.link", "walls.unlink", "walls.delete"] as const)
      expect(await lead.refused(name, { id })).toMatchObject(none);
  }
  const foreign = { refused: "not-found", what: "queue", which: "302", field: "queues" };
  const empty = { refused: "invalid", field: "queues", fault: { is: "minItems", limit: 1 } };
  for (const [queues, refusal] of [[["301", "302"], foreign] as const, [[], empty] as const]) {
    expect(await lead.refused("walls.create", board("More", [...queues]))).toMatchObject(refusal);
    expect(await lead.refused("walls.update", { id: own, changes: { queues } })).toMatchObject(refusal);
  }
  expect(await lead.refused("walls.create", { name: "More", changes: {} })).toMatchObject(empty);
  await lead.ask("walls.update", { id: given, changes: { size: "huge" } });
  expect((await lead.ask("walls.link", { id: own })).path).toMatch(/^\/wall#B/);
  await lead.ask("walls.unlink", { id: own });
  await boss.ask("walls.update", { id: given, changes: { queues: ["302"] } });
  expect(await listed(lead)).toEqual(["Own"]);
  await lead.ask("walls.delete", { id: own });
  expect(await listed(boss)).toEqual(["All", "Both", "Given"]);
});

test("a supervisor sets from where on his queues call for attention, and nothing else of any queue", async () => {
  const lead = await person("supervisor", null, ["301"]);
  await lead.ask("queues.setAlarms", { number: "301", changes: { alarm_waiting: 7 } });
  const [queue] = await lead.ask("queues.list", {});
  expect([queue?.alarm_waiting, queue?.alarm_wait_seconds]).toEqual([7, 0]);
  const none = { refused: "not-found", what: "queue" };
  for (const number of ["302", "399"])
    expect(await lead.refused("queues.setAlarms", { number, changes: { alarm_waiting: 7 } })).toMatchObject(none);
  const more = { number: "301", changes: { max_wait_seconds: 5 } as object };
  expect(await lead.refused("queues.setAlarms", more)).toMatchObject({ status: 400 });
  expect((await lead.ask("queues.list", {}))[0]?.max_wait_seconds).not.toBe(5);
});

test("who is taken off a queue, or given another role, sees it with the next question", async () => {
  const lead = await person("supervisor", null, ["302"]);
  const seen = async () => (await lead.ask("calls.list", { ...page, ...stretch })).total;
  expect(await seen()).toBe(3);
  const boss = await member("administrator");
  await boss.ask("staff.update", { id: lead.id, changes: { queues: ["301"] } });
  expect(await seen()).toBe(5);
  expect((await boss.ask("staff.list", {})).find(({ id }) => id === lead.id)).toMatchObject({ queues: ["301"] });
  expect(await boss.refused("staff.update", { id: lead.id, changes: { queues: ["999"] } })).toMatchObject({
    refused: "not-found",
    which: "999",
  });
  await boss.ask("staff.update", { id: lead.id, changes: { role: "viewer" } });
  expect(await lead.refused("calls.list", page)).toMatchObject({ refused: "not-your-role" });
  const scope = await scopeOf(db, { id: lead.id, exchangeId, role: "supervisor", extension: null });
  expect(scope).toEqual({ queues: ["301"], calledAt: ["301"], extensions: ["1000"] });
});
