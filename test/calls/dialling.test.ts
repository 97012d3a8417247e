import { describe, expect, test } from "vitest";
import type { Crew } from "../../src/exchange/features/campaigns/dial-rounds.ts";
import { settleCutOff } from "../../src/exchange/features/campaigns/recovery.ts";
import { silentLog } from "../../src/log.ts";
import { claimNumbers } from "../../src/store/campaign-numbers.ts";
import { deleteCampaign, switchCampaign } from "../../src/store/campaigns.ts";
import { writeLedger } from "../../src/store/consents.ts";
import { createTitle } from "../../src/store/sms-titles.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { eventually } from "../ground/eventually.ts";
import { testClock } from "../ground/test-clock.ts";
import { dialTown, expectTrueCounts } from "../town/campaign-town.ts";
import { type Behaviour, imaginedNetwork, numbersFrom } from "../town/imagined-network.ts";

const { db } = await freshDatabase();

const MONDAY_MORNING = at("2026-03-02 09:00");
const BRIEFLY: Behaviour = { does: "answers", afterMs: 3_000, talksMs: 10_000 };
const busy: Behaviour = { does: "fails", afterMs: 500, cause: "USER_BUSY" };

/** By the clocks of Istanbul. */
function at(stamp: string): number {
  return Date.parse(`${stamp.replace(" ", "T")}:00+03:00`);
}

const hour = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(5, 16).replace("T", " ");

async function townAt(
  startMs: number,
  behave: (number: string, attempt: number) => Behaviour = () => BRIEFLY,
  more: { crewOf?: () => Promise<Crew>; channels?: number } = {},
) {
  const clock = testClock(startMs);
  const network = imaginedNetwork(clock, behave);
  const { channels = 10, ...parts } = more;
  const town = await dialTown(db, clock, { place: network.place, isBusy: network.isAsking, ...parts });
  await town.set({ campaign_channels: channels });
  return { ...town, clock, network, until };

  async function until(stamp: string, stepMs = 20_000): Promise<void> {
    while (clock.wall() < at(stamp)) {
      clock.pass(Math.min(stepMs, at(stamp) - clock.wall()));
      await town.settle();
    }
  }
}

describe("hours", () => {
  test("a campaign whose hours reach over midnight dials on both sides of it and stops in time", async () => {
    const town = await townAt(at("2026-03-06 21:00"), () => ({ ...BRIEFLY, talksMs: 20 * 60_000 }), { channels: 1 });
    const night = { timeBegin: "22:00", timeEnd: "02:00", activeDays: [5], dateBegin: "2026-03-06" };
    const id = await town.start({ ...night, dateEnd: "2026-03-06", numbers: numbersFrom(0, 30) });
    await town.until("2026-03-07 12:00");
    const hours = town.network.arrivals.map(({ atMs }) => hour(atMs));
    expect(hours[0]).toBe("03-06 22:00");
    expect(hours.at(-1)! < "03-07 02:00" && hours.at(-1)! > "03-07 01:30").toBe(true);
    expect((await town.read(id)).counts.finished).toBe(hours.length);
    await town.dialler.stop();
  });

  test("what the day leaves over is dialled on the next one that is neither a holiday nor a day off", async () => {
    const town = await townAt(at("2026-03-06 17:50"), () => ({ ...BRIEFLY, talksMs: 4 * 60_000 }), { channels: 1 });
    await db.query(sql`insert into holidays (exchange_id, day) values ($1, '2026-03-09')`, [town.exchangeId]);
    const office = { timeBegin: "09:00", timeEnd: "18:00", activeDays: [1, 2, 3, 4, 5] };
    const id = await town.start({ ...office, numbers: numbersFrom(0, 5) });
    await town.until("2026-03-10 12:00");
    const hours = town.network.arrivals.map(({ atMs }) => hour(atMs));
    expect(hours[0]).toBe("03-06 17:50");
    expect(hours[2]! < "03-06 18:00").toBe(true);
    expect(hours[3]).toBe("03-10 09:00"); // a weekend and a holiday later
    expect((await town.read(id)).counts).toMatchObject({ finished: 5, answered: 5 });
    await town.dialler.stop();
  });

  test("nobody is sold anything before or after the lawful hours", async () => {
    const town = await townAt(at("2026-03-02 20:58"), () => ({ ...BRIEFLY, talksMs: 60_000 }), { channels: 1 });
    const numbers = numbersFrom(0, 6);
    const title = await createTitle(db, town.exchangeId, { name: "MAGAZA", iysBrandCode: 700123 });
    expect(title).not.toHaveProperty("refused");
    await allow(town.exchangeId, numbers, "ONAY");
    await town.start({ isCommercial: true, recipientType: "BIREYSEL", brandCode: 700123, numbers });
    await town.until("2026-03-03 08:59", 30_000);
    expect(town.network.arrivals.map(({ atMs }) => hour(atMs)).every((it) => it < "03-02 21:00")).toBe(true);
    const before = town.network.arrivals.length;
    await town.until("2026-03-03 10:00", 30_000);
    expect(hour(town.network.arrivals[before]!.atMs)).toBe("03-03 09:00");
    expect(town.network.arrivals).toHaveLength(6);
    await town.dialler.stop();
  });
});

describe("retries", () => {
  test("come after busy, no answer and out of reach, further and further apart, and only as often as wished", async () => {
    const ends: Record<string, Behaviour> = {
      "905300000000": busy,
      "905300000001": { does: "fails", afterMs: 30_000, cause: "NO_ANSWER" },
      "905300000002": { does: "fails", afterMs: 1_000, cause: "NO_USER_RESPONSE" },
      "905300000003": { does: "fails", afterMs: 1_000, cause: "CALL_REJECTED" },
      "905300000004": { does: "fails", afterMs: 1_000, cause: "UNALLOCATED_NUMBER" },
      "905300000005": BRIEFLY,
    };
    const town = await townAt(MONDAY_MORNING, (number) => ends[number]!);
    const id = await town.start({ callRetries: 2, numbers: Object.keys(ends) });
    await town.pass(3_600, 5_000);
    const lines = await town.report(id);
    expect(lines.map(({ attempts, cause }) => `${attempts} ${cause}`)).toEqual([
      ...["3 USER_BUSY", "3 NO_ANSWER", "3 NO_USER_RESPONSE", "1 CALL_REJECTED", "1 UNALLOCATED_NUMBER"],
      "1 NORMAL_CLEARING",
    ]);
    expect(lines.every(({ state }) => state === "finished")).toBe(true);
    const times = town.network.arrivals.filter(({ number }) => number === "905300000000").map(({ atMs }) => atMs);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(300_000);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(600_000);
    expect(await town.notifications()).toHaveLength(12);
    await expectTrueCounts(db, id);
    await town.dialler.stop();
  });

  test("a number that was busy and answers later is finished then", async () => {
    const town = await townAt(MONDAY_MORNING, (_, attempt) => (attempt === 1 ? busy : BRIEFLY));
    const id = await town.start({ callRetries: 5, numbers: numbersFrom(0, 3) });
    await town.pass(1_800, 5_000);
    expect((await town.report(id)).map(({ attempts, answered }) => ({ attempts, answered }))).toEqual(
      Array.from({ length: 3 }, () => ({ attempts: 2, answered: true })),
    );
    const told = await town.notifications();
    expect(told.map(({ status }) => status).sort()).toEqual([
      ...["Cevaplandı", "Cevaplandı", "Cevaplandı", "Meşgul", "Meşgul", "Meşgul"],
    ]);
    expect(new Set(told.map(({ notification_id: it }) => it)).size).toBe(6);
    await town.dialler.stop();
  });

  test("a lack of lines of our own costs nobody an attempt", async () => {
    const full: Behaviour = { does: "fails", afterMs: 10, cause: "NORMAL_CIRCUIT_CONGESTION" };
    const town = await townAt(MONDAY_MORNING, (_, attempt) => (attempt < 4 ? full : BRIEFLY));
    const id = await town.start({ callRetries: 0, numbers: numbersFrom(0, 2) });
    await town.pass(600, 5_000);
    expect((await town.report(id)).every(({ answered, attempts }) => answered && attempts === 4)).toBe(true);
    await expectTrueCounts(db, id);
    await town.dialler.stop();
  });
});

describe("stop and start", () => {
  test("a stop takes effect at once, calls that are up go on, and a start goes on where it was", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, talksMs: 60_000 }), { channels: 2 });
    const id = await town.start({ numbers: numbersFrom(0, 6) });
    await town.pass(10);
    expect(town.network.arrivals).toHaveLength(2);
    await switchCampaign(db, { exchangeId: town.exchangeId, id, on: false });
    await town.pass(600, 5_000);
    expect(town.network.arrivals).toHaveLength(2);
    expect((await town.read(id)).counts).toMatchObject({ finished: 2, answered: 2 });
    await switchCampaign(db, { exchangeId: town.exchangeId, id, on: true });
    town.dialler.changed(town.exchangeId);
    await town.pass(600, 5_000);
    expect(town.network.arrivals.map(({ number }) => number)).toEqual(numbersFrom(0, 6));
    await town.dialler.stop();
  });

  test("a deleted campaign calls nobody, and is gone with its last call", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, talksMs: 60_000 }), { channels: 2 });
    const id = await town.start({ numbers: numbersFrom(0, 6) });
    await town.pass(10);
    await deleteCampaign(db, town.exchangeId, id);
    town.dialler.changed(town.exchangeId);
    await town.pass(120);
    expect(town.network.arrivals).toHaveLength(2);
    expect(await town.notifications()).toHaveLength(2);
    town.dialler.changed(town.exchangeId);
    await town.pass(2);
    expect(await db.query(sql`select from call_campaigns where id = $1`, [id])).toEqual([]);
    expect(await db.query(sql`select from campaign_numbers where campaign_id = $1`, [id])).toEqual([]);
    await town.dialler.stop();
  });

  test("an exchange that stops gives back whom it had not reached", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ does: "fails", afterMs: 60_000, cause: "NO_ANSWER" }), {
      channels: 2,
    });
    const id = await town.start({ numbers: numbersFrom(0, 6) });
    await town.pass(10);
    await town.dialler.stop();
    town.network.cut("SYSTEM_SHUTDOWN");
    await town.settle();
    await town.settle();
    const lines = await town.report(id);
    expect(lines.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "waiting"));
    await expectTrueCounts(db, id);
    await town.dialler.close();
  });
});

describe("lines and agents", () => {
  test("two campaigns share the exchange's lines evenly, and neither takes more than its own threads", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, talksMs: 30_000 }), { channels: 6 });
    const [first, second] = [numbersFrom(0, 60), numbersFrom(1_000, 60)];
    await town.start({ numbers: first });
    await town.pass(1);
    expect(town.network.up()).toBe(6);
    await town.start({ numbers: second });
    await town.pass(300);
    const late = town.network.arrivals.slice(-40);
    const ofFirst = late.filter(({ number }) => first.includes(number)).length;
    expect(ofFirst).toBeGreaterThanOrEqual(18);
    expect(ofFirst).toBeLessThanOrEqual(22);
    expect(town.network.mostUp()).toBe(6);
    await town.start({ numbers: numbersFrom(2_000, 20), maxThreadCount: 1 });
    await town.pass(60);
    expect(town.network.mostUp()).toBe(6);
    await town.dialler.stop();
    town.network.cut("NORMAL_CLEARING");
  });

  test("agents who come are given calls, and when they go nobody is dialled", async () => {
    const crew: Crew = { free: 0, busy: 0, waiting: 0 };
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, talksMs: 600_000 }), {
      channels: 20,
      crewOf: async () => ({ ...crew, free: Math.max(0, crew.free - town.network.up()), busy: town.network.up() }),
    });
    const id = await town.start({ callType: "queue", queueNumber: "200", numbers: numbersFrom(0, 50) });
    await town.pass(30);
    expect(town.network.arrivals).toHaveLength(0);
    crew.free = 3;
    await town.pass(30);
    expect(town.network.up()).toBe(3);
    crew.free = 0;
    town.network.cut("NORMAL_CLEARING");
    await town.pass(60);
    expect(town.network.arrivals).toHaveLength(3);
    crew.free = 5;
    await town.pass(30);
    expect(town.network.up()).toBe(5);
    expect((await town.read(id)).counts).toMatchObject({ queued: 3, abandoned: 0 });
    await town.dialler.stop();
    town.network.cut("NORMAL_CLEARING");
  });

  test("whoever answers and finds no agent is counted as abandoned", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, served: false }), {
      crewOf: async () => ({ free: 1, busy: 0, waiting: 0 }),
    });
    const id = await town.start({ callType: "queue", queueNumber: "200", numbers: numbersFrom(0, 2) });
    await town.pass(120);
    expect((await town.read(id)).counts).toMatchObject({ answered: 2, queued: 2, abandoned: 2 });
    expect((await town.report(id)).every(({ abandoned }) => abandoned)).toBe(true);
    await town.dialler.stop();
  });
});

describe("consent", () => {
  test("is asked for when the call is about to leave: withdrawn in the meantime means not called", async () => {
    const town = await townAt(MONDAY_MORNING, () => ({ ...BRIEFLY, talksMs: 60_000 }), { channels: 1 });
    const [first, second, third] = numbersFrom(0, 3) as [string, string, string];
    await createTitle(db, town.exchangeId, { name: "MAGAZA", iysBrandCode: 700123 });
    await allow(town.exchangeId, [first, second], "ONAY");
    const selling = { isCommercial: true, recipientType: "BIREYSEL", brandCode: 700123, callRetries: 3 } as const;
    const id = await town.start({ ...selling, numbers: [first, second, third] });
    await town.pass(10);
    await allow(town.exchangeId, [second], "RET");
    await town.pass(300, 5_000);
    expect(town.network.arrivals.map(({ number }) => number)).toEqual([first]);
    expect((await town.report(id)).map(({ cause, attempts, state }) => `${cause} ${attempts} ${state}`)).toEqual([
      ...["NORMAL_CLEARING 1 finished", "NOT_ALLOWED_BY_IYS 1 finished", "NOT_ALLOWED_BY_IYS 1 finished"],
    ]);
    expect((await town.notifications()).map(({ status }) => status)).toContain("İYS izni yok");
    await town.dialler.stop();
  });
});

describe("after a crash", () => {
  const cutOff = async (settings: object, callRetries: number) => {
    const town = await townAt(MONDAY_MORNING);
    await town.dialler.stop();
    await town.set({ ...settings });
    const id = await town.start({ callRetries, numbers: numbersFrom(0, 5) });
    const claimed = await claimNumbers(db, { campaignId: id, most: 4, nowMs: town.clock.wall() });
    const [answered, ended, ringing] = claimed;
    await db.query(sql`update campaign_attempts set answered_at = now(), digits = '{2}' where id = $1`, [
      answered?.attemptId,
    ]);
    for (const [claim, cause] of [
      [ended, "USER_BUSY"],
      [ringing, "SYSTEM_SHUTDOWN"],
    ] as const)
      await db.query(
        sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, end_stamp, caller_id_number,
           destination_number, hangup_cause) values ($1, $2, 'outbound', 'campaign', now(), now(), '', '', $3)`,
        [town.exchangeId, claim?.callUuid, cause],
      );
    expect(await settleCutOff({ db, clock: town.clock, log: silentLog })).toBe(4);
    await expectTrueCounts(db, id);
    return { lines: await town.report(id), told: await town.notifications() };
  };
  const shown = ({ state, cause, cutOff: cut }: { state: string; cause: string | null; cutOff: boolean }) =>
    `${state} ${cause} ${cut}`;

  test("what was answered is finished, what ended by itself ended so, and what was cut off is not tried again", async () => {
    const { lines, told } = await cutOff({}, 2);
    expect(lines.map(shown)).toEqual([
      ...["finished SYSTEM_SHUTDOWN true", "waiting USER_BUSY false", "finished SYSTEM_SHUTDOWN true"],
      ...["finished SYSTEM_SHUTDOWN true", "waiting null false"],
    ]);
    expect(lines[0]).toMatchObject({ answered: true, digit: "2" });
    expect(told.map(({ status }) => status)).toEqual(["Meşgul", "Santral kapatılıyor", "Santral kapatılıyor"]);
  });

  test("who is still talked to, because his call goes on, is settled by its record when it is over", async () => {
    const town = await townAt(MONDAY_MORNING);
    await town.dialler.stop();
    const id = await town.start({ numbers: numbersFrom(0, 1) });
    const [claim] = await claimNumbers(db, { campaignId: id, most: 1, nowMs: town.clock.wall() });
    await db.query(sql`update campaign_attempts set answered_at = now() where id = $1`, [claim?.attemptId]);
    let hangUp = () => {};
    const over = new Promise<void>((resolve) => {
      hangUp = resolve;
    });
    const goesOn = (_: number, uuid: string) => (uuid === claim?.callUuid ? over : undefined);
    expect(await settleCutOff({ db, clock: town.clock, log: silentLog, goesOn })).toBe(0);
    expect((await town.report(id)).map(({ state }) => state)).toEqual(["dialling"]);
    await db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, answer_stamp, end_stamp,
         caller_id_number, destination_number, hangup_cause)
       values ($1, $2, 'outbound', 'campaign', now(), now(), now() + interval '42 seconds', '', '', 'NORMAL_CLEARING')`,
      [town.exchangeId, claim?.callUuid],
    );
    hangUp();
    await eventually("it is settled", async () => (await town.report(id))[0]?.state === "finished");
    expect((await town.report(id)).map(shown)).toEqual(["finished NORMAL_CLEARING false"]);
    await expectTrueCounts(db, id);
  });

  test("where the exchange wishes it, whoever was only rung is tried again, as far as the retries go", async () => {
    const { lines } = await cutOff({ campaign_cut_off: "retry" }, 1);
    expect(lines.map(({ state }) => state)).toEqual(["finished", "waiting", "waiting", "waiting", "waiting"]);
    const once = await cutOff({ campaign_cut_off: "retry" }, 0);
    expect(once.lines.map(({ state }) => state)).toEqual(["finished", "finished", "finished", "finished", "waiting"]);
  });
});

async function allow(exchangeId: number, numbers: string[], status: "ONAY" | "RET"): Promise<void> {
  const now = new Date();
  await writeLedger(
    db,
    { exchangeId, brandCode: 700123, now },
    numbers.map((recipient) => ({
      type: "ARAMA",
      source: "HS_WEB",
      status,
      recipientType: "BIREYSEL",
      recipient,
      consentedAt: now,
    })),
  );
}
