import { expect, test } from "vitest";
import { Panel, type PanelChange } from "../../src/exchange/panel.ts";
import { sql } from "../../src/store/sql.ts";
import { townWith } from "../town/town.ts";

const NO_LISTENERS = { listeners: false };
const desks = { "1000": {}, "1001": {} };

async function watched({ settingsTell = true } = {}) {
  const town = await townWith({ desks, target: "queue/200", queues: { "200": { members: ["1001"] } } });
  const panel = new Panel({
    clock: town.clock,
    live: town.board.live,
    queues: town.board.queues,
    settings: settingsTell ? town.settings : { of: town.settings.of, close: town.settings.close },
    registrar: { isRegistered: () => true, onChange: () => () => undefined },
  });
  let news = 0;
  const viewer = panel.watch(town.exchangeId, () => {
    news += 1;
  });
  return { town, panel, viewer, news: () => news };
}

const of = (changes: PanelChange[], what: PanelChange["what"]) => changes.filter((change) => change.what === what);

test("a viewer first sees everything, and then a call from its ringing to its end", async () => {
  const { town, viewer, panel } = await watched();
  const [bob, far] = [town.phone("1001"), town.phone("905321234567")];
  const first = await viewer.take("everything", { listeners: true });
  expect(first.map(({ what, id }) => `${what} ${id}`)).toEqual([
    "extension 1000",
    "extension 1001",
    "queue 200",
    "agent 1001",
  ]);
  expect(of(first, "agent")[0]).toMatchObject({ now: { status: "available", free: true } });

  await far.calls("08505320000");
  await bob.rings();
  const ringing = await viewer.take("everything", { listeners: true });
  expect(of(ringing, "call")).toMatchObject([{ now: { caller: "05321234567", queue: "200", ringing: ["1001"] } }]);
  expect(of(ringing, "extension")).toMatchObject([{ id: "1001", now: { state: "ringing" } }]);
  expect(of(ringing, "agent")).toMatchObject([{ id: "1001", now: { status: "ringing", free: false } }]);
  expect(of(ringing, "queue")).toMatchObject([{ now: { waiting: [{ caller: "05321234567", offered: true }] } }]);

  await bob.answers();
  await town.talksWith(far, bob);
  const talking = await viewer.take("everything", { listeners: true });
  expect(of(talking, "extension")).toMatchObject([{ id: "1001", now: { state: "on a call" } }]);
  expect(of(talking, "queue")).toMatchObject([{ now: { waiting: [] } }]);

  await far.hangsUp();
  await town.isQuiet();
  const over = await viewer.take("everything", { listeners: true });
  expect(of(over, "call").map((change) => change.now)).toEqual([undefined]);
  expect(of(over, "agent")).toMatchObject([{ now: { status: "available", calls: 1 } }]);
  expect(await viewer.take("everything", { listeners: true })).toEqual([]);
  viewer.stop();
  panel.close();
});

test("a viewer who does not see everything sees his own, and what he no longer sees is gone", async () => {
  const { town, viewer, panel } = await watched();
  const [bob, far] = [town.phone("1001"), town.phone("905321234567")];
  const other = { extensions: ["1000"], queues: [], calledAt: [] };
  const ids = (changes: PanelChange[]) => changes.map(({ what, id, now }) => `${what} ${id}${now ? "" : " gone"}`);
  expect(ids(await viewer.take(other, NO_LISTENERS))).toEqual(["extension 1000"]);
  await far.calls("08505320000");
  await bob.rings();
  expect(await viewer.take(other, NO_LISTENERS)).toEqual([]);
  const agent = panel.watch(town.exchangeId, () => undefined);
  const own = await agent.take({ extensions: ["1001"], queues: ["200"], calledAt: [] }, NO_LISTENERS);
  expect(own.map(({ what }) => what)).toEqual(["extension", "call", "queue", "agent"]);
  await town.pass({ seconds: 6 });
  expect(ids(await agent.take(other, NO_LISTENERS)).filter((it) => it.endsWith("gone"))).toHaveLength(4);
  const lead = panel.watch(town.exchangeId, () => undefined);
  const led = await lead.take({ extensions: [], queues: ["200"], calledAt: ["200"] }, NO_LISTENERS);
  expect(led.map(({ what }) => what)).toEqual(["call", "queue"]);
  await far.hangsUp();
  await town.isQuiet();
  for (const it of [viewer, agent, lead]) it.stop();
  panel.close();
});

test("a viewer who does not look is told once, and holds no more than there is to see", async () => {
  const { town, viewer, news } = await watched();
  await viewer.take("everything", { listeners: true });
  const before = news();
  for (let call = 0; call < 20; call++) {
    const far = town.phone(`90532123${1000 + call}`);
    await far.calls("08505320000");
    await town.until("waits", () => town.exchange.waiting(town.exchangeId).length === 1);
    await far.hangsUp();
    await town.until("is over", () => town.board.live.size === 0);
  }
  expect(news() - before).toBeLessThanOrEqual(2);
  const changes = await viewer.take("everything", { listeners: true });
  expect(of(changes, "call")).toEqual([]);
  expect(changes.length).toBeLessThan(5);
  viewer.stop();
});

const wantsQuiet = (town: Awaited<ReturnType<typeof townWith>>) =>
  town.db.query(sql`update extensions set dnd = true where exchange_id = $1 and number = '1000'`, [town.exchangeId]);

test("a changed setting is seen at once", async () => {
  const { town, viewer } = await watched();
  await viewer.take("everything", { listeners: true });
  await wantsQuiet(town);
  await town.settled();
  expect(await viewer.take("everything", { listeners: true })).toMatchObject([
    { what: "extension", id: "1000", now: { state: "do-not-disturb" } },
  ]);
  viewer.stop();
});

test("what nobody told is seen within seconds", async () => {
  const { town, viewer } = await watched({ settingsTell: false });
  await viewer.take("everything", { listeners: true });
  await wantsQuiet(town);
  await town.settled();
  expect(await viewer.take("everything", { listeners: true })).toEqual([]);
  await town.pass({ seconds: 6 });
  expect(await viewer.take("everything", { listeners: true })).toMatchObject([
    { what: "extension", id: "1000", now: { state: "do-not-disturb" } },
  ]);
  viewer.stop();
});
