// The agent's desk beside calls that are up: whose they are, what is owed about them, and how long their callers waited.

import { expect, test } from "vitest";
import type { ConsoleApi } from "../../src/http/console/api.ts";
import type { Gives } from "../../src/http/console/operation/operation.ts";
import { readFloorPlan } from "../../src/store/agents.ts";
import { sql } from "../../src/store/sql.ts";
import { staffedTown } from "../town/staffed-town.ts";
import type { TownPhone } from "../town/town-phone.ts";
import type { TownSetup } from "../town/town-setup.ts";

type Town = Awaited<ReturnType<typeof staffedTown>>["town"];

const FAR = "905321234567";
const OWN = "08505320000";
const nothing = { note: "", tags: [], disposition: null, open: false };
const sales = { members: ["1001"], dispositionRequired: true, dispositions: ["Sold", "Lost"] };
const support = { members: ["1002"] };

const setup = (more: TownSetup = {}): TownSetup => ({
  keepsCalls: true,
  desks: { "1000": {}, "1001": {}, "1002": {}, "1003": {} },
  target: "queue/200",
  queues: { "200": sales, "300": support },
  ...more,
});

/** Who calls talks with the agent of the first queue. */
async function taken(more?: TownSetup) {
  const { town, member } = await staffedTown(setup(more));
  const [bob, carl, far] = [town.phone("1001"), town.phone("1002"), town.phone(FAR)];
  await far.calls(OWN);
  await bob.answers();
  await town.talksWith(far, bob);
  const uuid = callOf(town, "1001");
  return { town, member, bob, carl, far, uuid };
}

const callOf = (town: Town, extension: string) => town.board.live.of(town.exchangeId, extension)[0]!.facts.uuid;
const owes = async (town: Town, extension: string) =>
  (await readFloorPlan(town.db, town.exchangeId)).agents.find(({ number }) => number === extension)?.owes;
const statusOf = (town: Town, agent: string) => town.board.queues.open(town.exchangeId)?.roster.get(agent)?.status;
const sends = (town: Town, uuid: string, to: "user" | "queue", number: string) =>
  town.exchange.send(town.exchangeId, uuid, { to, number });

async function passedOn(
  town: Town,
  { uuid, far, to }: { uuid: string; far: TownPhone; to: TownPhone },
  queue?: string,
) {
  expect(await (queue === undefined ? sends(town, uuid, "user", to.number) : sends(town, uuid, "queue", queue))).toBe(
    "done",
  );
  await to.answers();
  await town.talksWith(far, to);
}

type Card = Gives<ConsoleApi, "desk.card">;
const listOf = ({ queue }: Card) => queue?.dispositions;

test("who passed a call on says what became of it while his colleague talks, and is free for the next", async () => {
  const { town, member, bob, carl, far, uuid } = await taken();
  const ann = await member("agent", "1001");
  await passedOn(town, { uuid, far, to: carl });
  expect(await ann.ask("desk.card", { uuid })).toMatchObject({ call: { isUp: true, isTheirs: true } });
  expect(bob.seen.at(-1)).toMatch(/^ended/);
  expect(statusOf(town, "1001")).toBe("wrapping-up");
  await ann.ask("desk.note", { uuid, ...nothing, disposition: "Sold" });
  await town.pass({ seconds: 1 });
  expect([await owes(town, "1001"), statusOf(town, "1001")]).toEqual([false, "available"]);
  const stranger = await member("agent", "1003");
  expect(await stranger.refused("desk.card", { uuid })).toMatchObject({ refused: "not-found" });
  expect(await stranger.refused("desk.note", { uuid, ...nothing })).toMatchObject({ refused: "not-found" });
  await far.hangsUp();
  await town.isQuiet();
  expect(await ann.ask("desk.card", { uuid })).toMatchObject({ call: { isUp: false, isTheirs: true } });
});

test("whoever leads an agent writes for him about a call that he passed on and never wrote about", async () => {
  const { town, member, carl, far, uuid } = await taken({ queues: { "200": { members: ["1001"] }, "300": support } });
  const [boss, lead, other] = [
    await member("administrator"),
    await member("supervisor", undefined, ["200"]),
    await member("supervisor", undefined, ["300"]),
  ];
  await passedOn(town, { uuid, far, to: carl }, "300");
  await boss.ask("desk.note", { uuid, ...nothing, extension: "1001", note: "by the boss" });
  await lead.ask("desk.note", { uuid, ...nothing, extension: "1001", note: "by the lead" });
  expect((await lead.ask("desk.card", { uuid })).notes).toMatchObject([{ extension: "1001", note: "by the lead" }]);
  expect(await other.refused("desk.note", { uuid, ...nothing, extension: "1001" })).toMatchObject({
    refused: "not-your-role",
  });
  await far.hangsUp();
  await town.isQuiet();
});

test("what an agent owes is of the queue that brought him the call, wherever it went from him", async () => {
  const { town, member, carl, far, uuid } = await taken();
  const [ann, cem, boss] = [
    await member("agent", "1001"),
    await member("agent", "1002"),
    await member("administrator"),
  ];
  await passedOn(town, { uuid, far, to: carl }, "300");
  const card = await ann.ask("desk.card", { uuid });
  expect([card.call.queue, listOf(card)]).toEqual(["200", ["Sold", "Lost"]]);
  expect(listOf(await cem.ask("desk.card", { uuid }))).toEqual([]);
  expect(await cem.refused("desk.note", { uuid, ...nothing, disposition: "Sold" })).toMatchObject({
    refused: "not-a-disposition",
  });
  await boss.ask("desk.note", { uuid, ...nothing, extension: "1001", disposition: "Lost" });
  expect(await owes(town, "1001")).toBe(false);
  await far.hangsUp();
  await town.isQuiet();
  expect(listOf(await ann.ask("desk.card", { uuid }))).toEqual(["Sold", "Lost"]);
});

test("two agents of two queues each say it in the words of their own", async () => {
  const queues = { "200": sales, "300": { ...sales, members: ["1002"], dispositions: ["Solved", "Open"] } };
  const { town, member, carl, far, uuid } = await taken({ queues });
  const [ann, cem] = [await member("agent", "1001"), await member("agent", "1002")];
  await passedOn(town, { uuid, far, to: carl }, "300");
  await far.hangsUp();
  await town.isQuiet();
  const [hers, his] = [await ann.ask("desk.card", { uuid }), await cem.ask("desk.card", { uuid })];
  expect([listOf(hers), listOf(his)]).toEqual([
    ["Sold", "Lost"],
    ["Solved", "Open"],
  ]);
  for (const [who, foreign, own] of [
    [ann, "Solved", "Sold"],
    [cem, "Sold", "Solved"],
  ] as const) {
    expect(await who.refused("desk.note", { uuid, ...nothing, disposition: foreign })).toMatchObject({
      refused: "not-a-disposition",
    });
    await who.ask("desk.note", { uuid, ...nothing, disposition: own });
  }
  expect([await owes(town, "1001"), await owes(town, "1002")]).toEqual([false, false]);
});

test("the card says from the first ring on what was pressed and how long the caller has waited so far", async () => {
  const { town, member } = await staffedTown(
    setup({ target: "ivr/10", menus: { "10": { keyTargets: { "1": "queue/300" } } } }),
  );
  const cem = await member("agent", "1002");
  const far = town.phone(FAR);
  await far.calls(OWN);
  await town.until("the menu", () => far.seen.includes("answered"));
  await far.presses("1");
  await town.until("he waits", () => town.exchange.waiting(town.exchangeId).length === 1);
  await town.pass({ seconds: 7 });
  const carl = town.phone("1002");
  await carl.rings();
  const uuid = town.exchange.waiting(town.exchangeId)[0]!.callUuid;
  const ringing = await cem.ask("desk.card", { uuid });
  expect(ringing.keys).toMatchObject([
    { is: "hears-menu", menu: "10" },
    { is: "presses", key: "1", target: "queue/300" },
  ]);
  expect(ringing.call).toMatchObject({ queue: "300", isTheirs: false });
  expect(ringing.call.waitSeconds).toBeGreaterThanOrEqual(7);
  await town.pass({ seconds: 2 });
  await carl.answers();
  await town.talksWith(far, carl);
  const waited = (await cem.ask("desk.card", { uuid })).call.waitSeconds;
  expect(waited).toBeGreaterThanOrEqual(9);
  await town.pass({ seconds: 5 });
  expect((await cem.ask("desk.card", { uuid })).call.waitSeconds).toBe(waited);
  await far.hangsUp();
  await town.isQuiet();
  expect(await cem.ask("desk.card", { uuid })).toMatchObject({
    call: { isUp: false, waitSeconds: waited },
    keys: [{ is: "hears-menu" }, { is: "presses" }],
  });
});

const twoAgents = { "200": { ...sales, members: ["1001", "1003"], wrapUpSeconds: 10 }, "300": support };

/** Whom the first queue rings while its second agent's phone is not there. */
async function rung() {
  const { town, member } = await staffedTown(setup({ queues: twoAgents }));
  const [bob, far] = [town.phone("1001"), town.phone(FAR)];
  await far.calls(OWN);
  await bob.rings();
  const { id, callUuid: uuid } = town.exchange.waiting(town.exchangeId)[0]!;
  return { town, member, bob, far, id, uuid };
}

test.each([
  ["an agent of the queue", "1003", { during: "talking", after: "wrapping-up", gave: "wrapping-up" }],
  ["an agent of another queue", "1002", { during: "wrapping-up", after: "wrapping-up", gave: "available" }],
])(
  "%s who picks a call up for a colleague owes what became of it, and the colleague nothing",
  async (_, number, seen) => {
    const { town, member, far, uuid } = await rung();
    const [phone, desk] = [town.phone(number), await member("agent", number)];
    await phone.calls("*8");
    await town.talksWith(far, phone);
    await town.pass({ seconds: 1 });
    expect(statusOf(town, number)).toBe(seen.during);
    await far.hangsUp();
    await town.pass({ seconds: 1 });
    expect([statusOf(town, number), await owes(town, number)]).toEqual([seen.after, true]);
    expect([statusOf(town, "1001"), await owes(town, "1001")]).toEqual(["available", false]);
    await desk.ask("desk.note", { uuid, ...nothing, disposition: "Sold" });
    await town.pass({ seconds: 1 });
    expect([statusOf(town, number), await owes(town, number)]).toEqual([seen.gave, false]);
    await town.isQuiet();
    expect(statusOf(town, number)).toBe("available");
  },
);

test("an agent who is given a call on his break owes what became of it, and says it before the next", async () => {
  const { town, member, far, id, uuid } = await rung();
  const [dora, desk] = [town.phone("1003"), await member("agent", "1003")];
  const by = { doer: "staff", who: "boss@example.com" } as const;
  const move = (request: "pause" | "resume") =>
    town.exchange.moveAgent({ exchangeId: town.exchangeId, extension: "1003", request, by });
  expect(await move("pause")).toMatchObject({ status: "on-break" });
  await town.pass({ seconds: 1 });
  expect(await town.exchange.pull(town.exchangeId, { waiting: id, extension: "1003" })).toBe("done");
  await dora.answers();
  await town.talksWith(far, dora);
  await far.hangsUp();
  await town.isQuiet();
  expect([statusOf(town, "1003"), await owes(town, "1003")]).toEqual(["on-break", true]);
  await move("resume");
  await town.pass({ seconds: 1 });
  expect(statusOf(town, "1003")).toBe("wrapping-up");
  expect(await desk.ask("desk.show", {})).toMatchObject({ owed: [{ callUuid: uuid, queue: "200" }] });
  await desk.ask("desk.note", { uuid, ...nothing, disposition: "Lost" });
  await town.pass({ seconds: 1 });
  expect(statusOf(town, "1003")).toBe("available");
});

test("nobody's agent owes it as well where he has a desk to say it at", async () => {
  for (const hasDesk of [true, false]) {
    const { town, member, far, id, uuid } = await rung();
    const [boss, desk] = [town.phone("1000"), await member("supervisor", hasDesk ? "1000" : undefined, ["200"])];
    expect(await town.exchange.pull(town.exchangeId, { waiting: id, extension: "1000" })).toBe("done");
    await boss.answers();
    await town.talksWith(far, boss);
    await far.hangsUp();
    await town.isQuiet();
    expect((await desk.ask("desk.show", {})).owed).toMatchObject(hasDesk ? [{ callUuid: uuid }] : []);
    expect((await desk.ask("desk.card", { uuid })).notes).toHaveLength(hasDesk ? 1 : 0);
  }
});

test("what is owed of a callback is of the call that the agent had", async () => {
  const { town, member } = await staffedTown(
    setup({ queues: { "200": { ...sales, callbackKey: "5" }, "300": support } }),
  );
  const [far, desk] = [town.phone(FAR), await member("agent", "1001")];
  await far.calls(OWN);
  await town.until("waits", () => far.seen.includes("answered"));
  await far.presses("5");
  await town.pass({ seconds: 1 });
  await far.hangsUp();
  const bob = town.phone("1001");
  await bob.answers();
  await far.answers();
  await town.talksWith(bob, far);
  const uuid = callOf(town, "1001");
  expect(await desk.ask("desk.show", {})).toMatchObject({ owed: [{ callUuid: uuid, queue: "200" }] });
  expect(listOf(await desk.ask("desk.card", { uuid }))).toEqual(["Sold", "Lost"]);
  await desk.ask("desk.note", { uuid, ...nothing, disposition: "Sold" });
  await far.hangsUp();
  await town.isQuiet();
  expect(statusOf(town, "1001")).toBe("available");
});

test("the figures of an agent's day are of his calls, whoever of the two hung up, and of those that he let pass", async () => {
  const { town, member } = await staffedTown(
    setup({ queues: { "200": { members: ["1001"], wrapUpSeconds: 10 }, "300": support } }),
  );
  const [row] = await town.db.query<{ noon: Date }>(
    sql`select (date_trunc('day', now() at time zone 'Europe/Istanbul') + interval '12 hours')
       at time zone 'Europe/Istanbul' as noon`,
  );
  town.clock.setWall(row!.noon.getTime()); // today, as the database has it
  const [desk, other] = [await member("agent", "1001"), await member("agent", "1002")];
  const bob = town.phone("1001");
  for (const [before, who] of ["agent", "caller"].entries()) {
    const far = town.phone(who === "agent" ? FAR : "905321234568");
    await far.calls(OWN);
    await town.until("rings", () => bob.seen.filter((it) => it === "is rung").length > before);
    await bob.answers();
    await town.talksWith(far, bob);
    await town.pass({ seconds: 20 });
    await (who === "agent" ? bob : far).hangsUp();
    await town.isQuiet();
  }
  await bob.calls(FAR);
  await town.phone(FAR).rings();
  await bob.hangsUp();
  await town.isQuiet();
  for (const [before, passes] of [
    [2, () => bob.refuses("rejects")],
    [3, () => Promise.resolve()],
  ] as const) {
    const far = town.phone(FAR);
    await far.calls(OWN);
    await town.until("rings", () => bob.seen.filter((it) => it === "is rung").length > before);
    await passes();
    await far.hangsUp();
    await town.isQuiet();
  }
  const figures = await desk.ask("desk.figures", {});
  expect(figures).toMatchObject({ offered: 4, answered: 2, missed: 1, made: 1, wrapUpSeconds: 20, breaks: [] });
  expect(Math.abs(figures.talkSeconds - 40)).toBeLessThanOrEqual(2);
  expect(await other.ask("desk.figures", {})).toMatchObject({ offered: 0, answered: 0, made: 0, talkSeconds: 0 });
});

test("a call whose story is very long keeps its beginning and its end, and its agents know which queue brought it", async () => {
  const queues = {
    "200": { ...sales, dispositionRequired: false },
    "300": { ...support, dispositions: ["Solved", "Open"] },
  };
  const { town, member } = await staffedTown(setup({ queues }));
  const [bob, carl, far] = [town.phone("1001"), town.phone("1002"), town.phone(FAR)];
  const [ann, cem, boss] = [
    await member("agent", "1001"),
    await member("agent", "1002"),
    await member("administrator"),
  ];
  await far.calls(OWN);
  await bob.rings();
  const { callUuid: uuid } = town.exchange.waiting(town.exchangeId)[0]!;
  const call = town.board.live.find(town.exchangeId, uuid)!;
  for (let at = 0; at < 300; at += 1) call.tell({ is: "hears", text: `sentence ${at}` });
  await bob.answers();
  await town.talksWith(far, bob);
  await passedOn(town, { uuid, far, to: carl }, "300");
  const cards = async () =>
    (await Promise.all([ann, cem].map((who) => who.ask("desk.card", { uuid })))).map((card) => [
      card.call.queue,
      listOf(card),
    ]);
  const brought = [
    ["200", ["Sold", "Lost"]],
    ["300", ["Solved", "Open"]],
  ];
  expect(await cards()).toEqual(brought);
  await far.hangsUp();
  await town.isQuiet();
  expect(await cards()).toEqual(brought);
  const { story } = await boss.ask("calls.show", { uuid });
  expect(story).toHaveLength(200);
  expect(story[0]).toMatchObject({ is: "called" });
  expect(story.at(-1)).toMatchObject({ is: "over" });
  expect(story.filter((line) => "is" in line && line.is === "talk")).toHaveLength(2);
  const told = call.facts.story.filter((line) => "is" in line && line.is === "hears").length;
  expect(story[100]).toMatchObject({ is: "left-out", count: 300 - told });
});
