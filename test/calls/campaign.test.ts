import { expect, test } from "vitest";
import { freshDatabase } from "../ground/database.ts";
import { campaignTown, expectTrueCounts, rungTimes } from "../town/campaign-town.ts";

const { db } = await freshDatabase();
const AYSE = "905321234567";

test("a called person hears the welcome, presses a key, and everybody is told", async () => {
  const town = await campaignTown(db);
  const ayse = town.phone(AYSE);
  const id = await town.start({ numbers: [AYSE] });
  await town.until("Ayşe is rung", () => rungTimes(ayse) === 1);
  await ayse.answers();
  await town.until("the welcome", () => town.media.hears(ayse.rtpPort()).join().includes("/sounds/7.wav"));
  await town.pass(2, 250);
  await ayse.presses("1");
  await town.until("the call is over", () => town.diary.records.length === 1);
  await town.settle();
  expect(town.diary.records[0]?.facts).toMatchObject({
    origin: "campaign",
    direction: "outbound",
    destinationNumber: AYSE,
  });
  const [line] = await town.report(id);
  expect(line).toMatchObject({
    number: AYSE,
    state: "finished",
    attempts: 1,
    answered: true,
    digit: "1",
    target: "hangup/hangup",
  });
  expect(await town.notifications()).toMatchObject([
    {
      ivr_campaign_id: String(id),
      ivr_campaign_name: "Memnuniyet anketi",
      phone: AYSE,
      digit: "1",
      status: "Cevaplandı",
    },
  ]);
  await expectTrueCounts(db, id);
  await town.over();
});

test("a queue campaign dials for the agent who is there, and for nobody when he has gone", async () => {
  const town = await campaignTown(db, { desks: { "1000": {} }, queues: { "200": { members: ["1000"] } } });
  const [ayse, fatma] = [town.phone(AYSE), town.phone("905321234568")];
  const agent = town.phone("1000");
  const id = await town.start({
    callType: "queue",
    queueNumber: "200",
    welcomeAnnouncementId: null,
    targets: {},
    numbers: [AYSE, "905321234568"],
  });
  await town.until("Ayşe is rung", () => rungTimes(ayse) === 1);
  await ayse.answers();
  await agent.answers();
  await town.talksWith(ayse, agent);
  await town.pass(10, 500);
  expect(rungTimes(fatma)).toBe(0);
  await town.queues.request({
    exchangeId: town.exchangeId,
    extension: "1000",
    request: "logOut",
    description: "",
    by: { doer: "staff", who: "x" },
  });
  await agent.hangsUp();
  await town.pass(20, 500);
  expect(rungTimes(fatma)).toBe(0);
  await town.queues.request({
    exchangeId: town.exchangeId,
    extension: "1000",
    request: "logIn",
    description: "",
    by: { doer: "staff", who: "x" },
  });
  await town.until("Fatma is rung", () => rungTimes(fatma) === 1);
  await fatma.refuses("busy");
  await town.until("both calls are over", () => town.diary.records.length === 2);
  await town.settle();
  expect((await town.read(id)).counts).toMatchObject({ finished: 2, answered: 1, queued: 1, abandoned: 0 });
  await expectTrueCounts(db, id);
  await town.over();
});

test("the exchange's time between two attempts holds while other campaigns are made", async () => {
  const town = await campaignTown(db);
  await town.set({ campaign_retry_seconds: 60 });
  const ayse = town.phone(AYSE);
  await town.start({ numbers: [AYSE], callRetries: 1 });
  await town.until("Ayşe is rung", () => rungTimes(ayse) === 1);
  let isMaking = true;
  const makeAnother = () => {
    town.dialler.changed(town.exchangeId);
    if (isMaking) town.clock.after(5, makeAnother);
  };
  makeAnother();
  await ayse.refuses("busy");
  await town.until("the call is over", () => town.diary.records.length === 1);
  await town.settle();
  isMaking = false;
  await town.pass(55, 500);
  expect(rungTimes(ayse)).toBe(1);
  await town.pass(15, 500);
  expect(rungTimes(ayse)).toBe(2);
  await ayse.refuses("busy");
  await town.over();
});
