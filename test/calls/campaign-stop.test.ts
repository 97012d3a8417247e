import { expect, test } from "vitest";
import { realClock } from "../../src/clock.ts";
import type { PlaceCall } from "../../src/exchange/features/campaigns/place-call.ts";
import { settleCutOff } from "../../src/exchange/features/campaigns/recovery.ts";
import { silentLog } from "../../src/log.ts";
import { claimNumbers } from "../../src/store/campaign-numbers.ts";
import { deleteCampaign, switchCampaign, untilNobodyIsDialled } from "../../src/store/campaigns.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { eventually } from "../ground/eventually.ts";
import { testClock } from "../ground/test-clock.ts";
import { campaignTown, dialTown, expectTrueCounts, rungTimes } from "../town/campaign-town.ts";
import { type Behaviour, imaginedNetwork, numbersFrom } from "../town/imagined-network.ts";

const { db } = await freshDatabase();
const MONDAY_MORNING = Date.parse("2026-03-02T09:00:00+03:00");
const LONG: Behaviour = { does: "answers", afterMs: 3_000, talksMs: 3_600_000 };
const NUMBERS = 8;

/** A network that lets nobody ring until it is told to. */
async function slowTown() {
  const clock = testClock(MONDAY_MORNING);
  const network = imaginedNetwork(clock, () => LONG);
  const held: (() => void)[] = [];
  let isSlow = true;
  const place: PlaceCall = async (order) => {
    if (isSlow) await new Promise<void>((go) => held.push(go));
    return network.place(order);
  };
  const town = await dialTown(db, clock, { place });
  await town.set({ campaign_channels: NUMBERS });
  const heldBack = () => eventually("a call is about to leave", async () => held.length === 1);
  const goOn = () => {
    isSlow = false;
    for (const go of held) go();
  };
  return { ...town, clock, network, heldBack, goOn };
}

async function leavingOf(id: number): Promise<number | undefined> {
  const [row] = await db.query<{ leaving: number }>(sql`select leaving from campaign_counts where campaign_id = $1`, [
    id,
  ]);
  return row?.leaving;
}

test.each([
  ["stop", (exchangeId: number, id: number) => switchCampaign(db, { exchangeId, id, on: false })],
  ["deletion", (exchangeId: number, id: number) => deleteCampaign(db, exchangeId, id)],
])(
  "once a %s is acknowledged nobody is dialled any more, not even those who were claimed before it",
  async (_, end) => {
    const town = await slowTown();
    const id = await town.start({ numbers: numbersFrom(0, NUMBERS) });
    town.clock.pass(1_000);
    await town.heldBack();
    expect(await leavingOf(id)).toBe(NUMBERS);
    await end(town.exchangeId, id);
    town.dialler.changed(town.exchangeId); // as the database will say
    let isAcknowledged = false;
    const acknowledged = untilNobodyIsDialled(db, realClock, id).then(() => {
      isAcknowledged = true;
    });
    expect(isAcknowledged).toBe(false);
    town.goOn();
    await acknowledged;
    expect(town.network.arrivals).toHaveLength(1); // it was on its way
    await town.pass(60);
    expect(town.network.arrivals).toHaveLength(1);
    expect(await db.query(sql`select from campaign_attempts where campaign_id = $1`, [id])).toHaveLength(1);
    await town.dialler.stop();
  },
);

test("who was put back by a stop is dialled after the next start, once", async () => {
  const town = await slowTown();
  const id = await town.start({ numbers: numbersFrom(0, NUMBERS) });
  town.clock.pass(1_000);
  await town.heldBack();
  await switchCampaign(db, { exchangeId: town.exchangeId, id, on: false });
  town.dialler.changed(town.exchangeId);
  town.goOn();
  await untilNobodyIsDialled(db, realClock, id);
  await switchCampaign(db, { exchangeId: town.exchangeId, id, on: true });
  town.dialler.changed(town.exchangeId);
  await town.pass(60);
  expect(town.network.arrivals.map(({ number }) => number)).toEqual(numbersFrom(0, NUMBERS));
  await expectTrueCounts(db, id);
  await town.dialler.stop();
});

test("a call has left when its INVITE has, and a stop waits no longer", async () => {
  const town = await campaignTown(db);
  const ayse = town.phone("905321234567");
  const id = await town.start({ numbers: ["905321234567"] });
  await town.until("Ayşe is rung", () => rungTimes(ayse) === 1);
  await untilNobodyIsDialled(db, realClock, id);
  expect(await leavingOf(id)).toBe(0);
  await ayse.refuses("busy");
  await town.until("the call is over", () => town.diary.records.length === 1);
  await town.over();
});

test("what was about to leave when the exchange died does not keep the next stop waiting", async () => {
  const town = await slowTown();
  const id = await town.start({ numbers: numbersFrom(0, 2) });
  await claimNumbers(db, { campaignId: id, most: 2, nowMs: town.clock.wall() });
  expect(await leavingOf(id)).toBe(2);
  await settleCutOff({ db, clock: town.clock, log: silentLog });
  expect(await leavingOf(id)).toBe(0);
  await town.dialler.stop();
});
