// A working day of a campaign in seconds: what it reports is what the network saw, line by line.

import { expect, test } from "vitest";
import { labelOf } from "../../src/exchange/features/campaigns/outcome.ts";
import { sql } from "../../src/store/sql.ts";
import { freshDatabase } from "../ground/database.ts";
import { testClock } from "../ground/test-clock.ts";
import { dialTown, expectTrueCounts } from "../town/campaign-town.ts";
import { type Behaviour, imaginedNetwork, type NetworkLine, numbersFrom } from "../town/imagined-network.ts";

const NUMBERS = Number(process.env.SANTRAL_TEST_NUMBERS ?? 10_000);
const CHANNELS = 100;
/** Calls end when they end; only the next ones begin a little later than they could. */
const STEP_MS = 30_000;
const LONG_STEP_MS = 600_000;
const EIGHT_HOURS_MS = 8 * 3_600_000;
const MORNING = Date.parse("2026-03-02T09:00:00+03:00");

const { db } = await freshDatabase();

/** The same dice every time: mulberry32. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function behaviourOf(number: string, attempt: number): Behaviour {
  const chance = dice(Number(number.slice(-8)) * 7 + attempt);
  const [what, when, talk, key] = [chance(), chance(), chance(), chance()];
  if (what < 0.2) return { does: "fails", afterMs: 30_000, cause: "NO_ANSWER" };
  if (what < 0.3) return { does: "fails", afterMs: 300 + when * 2_000, cause: "USER_BUSY" };
  if (what < 0.35) return { does: "fails", afterMs: 5_000, cause: "NO_USER_RESPONSE" };
  if (what < 0.4) return { does: "fails", afterMs: when * 10_000, cause: "CALL_REJECTED" };
  if (what < 0.43) return { does: "fails", afterMs: 200, cause: "UNALLOCATED_NUMBER" };
  const talksMs = 4_000 + Math.round(talk * 60_000);
  const keys: [number, string][] =
    key < 0.6
      ? [[3_000, "1"]]
      : key < 0.7
        ? [
            [2_000, "!4"],
            [3_500, "2"],
          ]
        : [];
  return { does: "answers", afterMs: Math.round(2_000 + when * 20_000), talksMs, keys };
}

test("eight hours, every number, and a report that is the network's own log", { timeout: 240_000 }, async () => {
  const began = process.hrtime.bigint();
  const clock = testClock(MORNING);
  const network = imaginedNetwork(clock, behaviourOf);
  const town = await dialTown(db, clock, { place: network.place, isBusy: network.isAsking });
  await town.set({ campaign_channels: CHANNELS });
  const numbers = numbersFrom(0, NUMBERS);
  const id = await town.start({ timeBegin: "09:00", timeEnd: "17:00", callRetries: 2, numbers });
  const isDone = async () => (await town.read(id)).counts.finished === NUMBERS;
  while (clock.wall() < MORNING + EIGHT_HOURS_MS) {
    clock.pass((await isDone()) ? LONG_STEP_MS : STEP_MS);
    await town.settle();
  }
  await town.dialler.stop();

  const byNumber = new Map<string, NetworkLine[]>();
  for (const line of network.log) byNumber.set(line.number, [...(byNumber.get(line.number) ?? []), line]);
  const lines = (await town.report(id)).map(
    ({ number, state, attempts, cause, answered, digit, talkSeconds, callUuid }) =>
      `${number} ${state} ${attempts} ${labelOf({ answered, cause: cause ?? "" })} ${digit} ${talkSeconds} ${callUuid}`,
  );
  expect(lines).toEqual(numbers.map((number) => lineOf(byNumber.get(number) ?? [])));

  const attempts = await db.query<{ uuid: string; digits: string[]; cause: string; answered: boolean }>(
    sql`select call_uuid as uuid, digits, cause, answered_at is not null as answered from campaign_attempts
     where campaign_id = $1 order by call_uuid`,
    [id],
  );
  const seen = network.log.map((line) => ({
    uuid: line.callUuid,
    digits: line.keys,
    answered: line.result === "answered",
    cause: line.result === "answered" ? "NORMAL_CLEARING" : line.result,
  }));
  expect(attempts).toEqual(seen.sort((one, other) => (one.uuid < other.uuid ? -1 : 1)));

  const told = await town.notifications();
  expect(new Set(told.map(({ notification_id: it }) => it)).size).toBe(told.length);
  const owed = network.log.flatMap(({ callUuid, keys }) =>
    (keys.length > 0 ? keys : [""]).map((key) => `${callUuid} ${key}`),
  );
  expect(told.map(({ call_uuid: uuid, digit }) => `${uuid} ${digit}`).sort()).toEqual(owed.sort());
  expect(network.mostUp()).toBeLessThanOrEqual(CHANNELS);
  await expectTrueCounts(db, id);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(
    `${NUMBERS} numbers, ${network.log.length} calls, ${told.length} notifications, ${network.mostUp()} at once: ` +
      `a day of 8 hours in ${seconds.toFixed(1)} s`,
  );
});

function lineOf(calls: NetworkLine[]): string {
  const last = calls.at(-1);
  if (!last) return "never called";
  const answered = last.result === "answered";
  const label = labelOf({ answered, cause: last.result });
  return `${last.number} finished ${calls.length} ${label} ${last.keys.at(-1) ?? ""} ${Math.round(last.talkMs / 1_000)} ${last.callUuid}`;
}
