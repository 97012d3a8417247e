import { expect, test } from "vitest";
import { campaignTown, expectTrueCounts, rungTimes } from "../campaign-town.ts";
import { freshDatabase } from "../database.ts";

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
