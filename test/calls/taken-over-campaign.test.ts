import { expect, test } from "vitest";
import { crewOf } from "../../src/exchange/features/campaigns/crew.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import {
  type CampaignOrder,
  type DialTown,
  dialTown,
  expectTrueCounts,
  rungTimes,
  waitWithWork,
} from "../town/campaign-town.ts";
import { mortal } from "../town/mortal.ts";
import { cdrsOf } from "../town/outlived.ts";
import { townWith } from "../town/town.ts";
import type { TownPhone } from "../town/town-phone.ts";

const { db } = await freshDatabase();
const numbers = ["905321234561", "905321234562", "905321234563", "905321234564"];
const [DIALLED, GREETED, SERVED, NEXT] = numbers as [string, string, string, string];
const TO_QUEUE: CampaignOrder = {
  callType: "queue",
  queueNumber: "200",
  welcomeAnnouncementId: null,
  targets: {},
  numbers: [SERVED],
};

/** A town whose dialler dies with its machine, and whose next machine opens another. */
async function mortalCampaigns(setup: Parameters<typeof townWith>[0]) {
  const town = await townWith({ ...setup, keepsCalls: true }, db);
  await db.query(sql`delete from jobs`);
  let life = mortal(town);
  let dial: DialTown;
  const open = async () => {
    const { board } = town;
    const mine = await dialTown(life.db, life.clock, {
      exchangeId: town.exchangeId,
      place: board.placeCampaignCall,
      goesOn: (exchangeId, callUuid) => board.live.find(exchangeId, callUuid)?.over,
      crewOf: (exchangeId, queue) => crewOf(board.queues, exchangeId, queue),
      settled: town.settled,
    });
    board.queues.onChange(({ exchangeId }) => mine.dialler.look(exchangeId));
    return mine;
  };
  dial = await open();
  waitWithWork(town, () => dial.settle());
  return {
    town,
    dial: () => dial,
    async dies(afterSeconds = 3): Promise<void> {
      life.die();
      await town.restarts({ elsewhere: true, afterSeconds });
      life = mortal(town);
      dial = await open();
      await dial.dialler.load(town.exchangeId); // as a node does that had others before
      await dial.settle();
    },
    async over(): Promise<void> {
      await dial.dialler.stop();
      for (const call of town.board.live.all()) call.hangUp("NORMAL_CLEARING");
      await town.isQuiet();
      await dial.dialler.close();
    },
  };
}

/** How many INVITEs of different calls it has been sent: one that is sent again is the same. */
function invited(town: Awaited<ReturnType<typeof townWith>>, phone: TownPhone): number {
  const invites = town.sentTo(phone).filter((text) => text.startsWith("INVITE") && !/^To:.*;tag=/m.test(text));
  return new Set(invites.map((text) => /^Call-ID: (.*)\r$/m.exec(text)?.[1])).size;
}

test("calls of a campaign on a machine that dies: who talks goes on, nobody is rung twice, each is counted and paid once, and it goes on", async () => {
  const { town, dial, dies, over } = await mortalCampaigns({
    desks: { "1000": {} },
    queues: { "200": { members: ["1000"] } },
    rates: [{ prefix: "90", minutePrice: 100 }],
    exchange: { monthlySpendingLimit: 10_000 },
  });
  const [dialled, greeted, served, next] = numbers.map((number) => town.phone(number)) as [
    TownPhone,
    TownPhone,
    TownPhone,
    TownPhone,
  ];
  const agent = town.phone("1000");
  const toQueue = await dial().start(TO_QUEUE);
  await town.until("he is rung", () => rungTimes(served) === 1);
  await served.answers();
  await agent.answers();
  await town.talksWith(served, agent);
  const toMenu = await dial().start({ numbers: [DIALLED, GREETED], maxThreadCount: 2 });
  await town.until("both are rung", () => rungTimes(dialled) === 1 && rungTimes(greeted) === 1);
  await greeted.answers();
  await town.until("the welcome", () => town.media.hears(greeted.rtpPort()).join().includes("/sounds/7.wav"));
  await dial().pass(2, 250);
  const paid = await town.spent();
  await dies();
  await town.talksWith(served, agent);
  expect(await town.spent()).toBe(paid);
  const legs = await db.query<{ campaign: string; number: string; calls: number; amount: number }>(
    sql`select campaign, number, calls, amount::int as amount from paid_legs where exchange_id = $1 order by at`,
    [town.exchangeId],
  );
  expect(legs.map(({ number }) => number).sort()).toEqual([GREETED, SERVED].sort());
  expect(legs.every(({ campaign, calls }) => campaign !== "" && calls === 1)).toBe(true);
  expect(legs.reduce((sum, { amount }) => sum + amount, 0)).toBe(paid);
  await dial().pass(20, 500);
  expect([dialled, greeted, served].map((phone) => invited(town, phone))).toEqual([1, 1, 1]);
  expect([dialled, greeted].map(({ seen }) => seen.at(-1)?.startsWith("ended"))).toEqual([true, true]);

  // It goes on where it is now, with whoever is still to be called.
  const another = await dial().start({ numbers: [NEXT] });
  await town.until("the next is rung", () => rungTimes(next) === 1);
  await next.answers();
  await next.hangsUp();
  await served.hangsUp();
  await town.until("the agent is told", () => agent.seen.includes("ended NORMAL_CLEARING"));
  await dial().pass(10, 500);
  for (const id of [toQueue, toMenu, another]) await expectTrueCounts(db, id);
  expect((await dial().report(toQueue)).map(({ attempts, answered, state }) => [attempts, answered, state])).toEqual([
    [1, true, "finished"],
  ]);
  expect((await dial().report(toMenu)).map(({ number, attempts, answered }) => [number, attempts, answered])).toEqual([
    [DIALLED, 1, false],
    [GREETED, 1, true],
  ]);
  expect(await cdrsOf(town)).toHaveLength(4);
  await over();
});

test("who has answered and is brought to an agent whose phone rings is brought there from the other machine, and counts once", async () => {
  const { town, dial, dies, over } = await mortalCampaigns({
    desks: { "1000": {} },
    queues: { "200": { members: ["1000"], ringSeconds: 30 } },
  });
  const [served, agent] = [town.phone(SERVED), town.phone("1000")];
  const id = await dial().start(TO_QUEUE);
  await town.until("he is rung", () => rungTimes(served) === 1);
  await served.answers();
  await agent.rings();
  await dial().pass(2, 250);
  agent.seen.length = 0;
  await dies();
  await agent.answers();
  await town.talksWith(served, agent);
  await dial().pass(5, 500);
  await agent.hangsUp();
  await town.until("he is told", () => served.seen.includes("ended NORMAL_CLEARING"));
  await dial().pass(5, 500);
  await expectTrueCounts(db, id);
  expect(await dial().read(id)).toMatchObject({ counts: { attempts: 1, answered: 1, queued: 1, abandoned: 0 } });
  expect(invited(town, served)).toBe(1);
  await over();
});

test("a number that rang is rung again where the exchange wants that, later and not while it still rings", async () => {
  const { town, dial, dies, over } = await mortalCampaigns({});
  await dial().set({ campaign_cut_off: "retry", campaign_retry_seconds: 10 });
  const dialled = town.phone(DIALLED);
  const id = await dial().start({ numbers: [DIALLED], callRetries: 1 });
  await town.until("he is rung", () => rungTimes(dialled) === 1);
  await dies();
  await town.until("he is rung again", () => rungTimes(dialled) === 2);
  expect(dialled.seen.filter((it) => !it.startsWith("ringing"))).toEqual([
    "is rung",
    "ended ORIGINATOR_CANCEL",
    "is rung",
  ]);
  await dialled.answers();
  await dialled.hangsUp();
  await dial().pass(5, 500);
  await expectTrueCounts(db, id);
  expect(await dial().report(id)).toMatchObject([{ attempts: 2, answered: true, state: "finished" }]);
  await over();
});

test("while an exchange is about to leave, its campaigns ring nobody, and nobody is forgotten when it stays", async () => {
  const { town, dial, over } = await mortalCampaigns({});
  const { dialler } = dial();
  dialler.quiet(town.exchangeId, true);
  const dialled = town.phone(DIALLED);
  const id = await dial().start({ numbers: [DIALLED] });
  await dial().pass(20, 500);
  expect(invited(town, dialled)).toBe(0);
  dialler.quiet(town.exchangeId, false);
  await town.until("he is rung", () => rungTimes(dialled) === 1);
  await dialled.answers();
  await dialled.hangsUp();
  await dial().pass(5, 500);
  await expectTrueCounts(db, id);
  expect(await dial().report(id)).toMatchObject([{ attempts: 1, answered: true, state: "finished" }]);
  await over();
});
