import { expect, test } from "vitest";
import { freshDatabase } from "../../../../test/ground/database.ts";
import { secrets } from "../../../../test/ground/secrets.ts";
import { testClock } from "../../../../test/ground/test-clock.ts";
import { whenOver } from "../../../../test/ground/when-over.ts";
import { silentLog } from "../../../log.ts";
import { createExchange } from "../../../store/exchanges.ts";
import { listAlarms } from "../../../store/queue-alarms.ts";
import { createQueue, updateQueue } from "../../../store/queues.ts";
import { sql } from "../../../store/sql.ts";
import type { Waiter } from "../queues/place.ts";
import { type AlarmDesk, openAlarmDesk } from "./alarm-desk.ts";

const CALM_SECONDS = 11;

async function house() {
  const { db } = await freshDatabase();
  const exchange = await createExchange(db, secrets, { name: "Ev", sipDomain: "alarm.example.com" });
  const { id: exchangeId } = exchange as { id: number };
  const changes = { alarm_wait_seconds: 20, alarm_addresses: ["a@example.com", "b@example.com"] };
  await createQueue(db, { exchangeId, number: "200", name: "Satış", changes });
  const clock = testClock();
  let waitedSeconds: number[] = [];
  const open = async (): Promise<AlarmDesk> => {
    const line = () => waitedSeconds.map((it) => ({ queue: "200", single: false, waitedMs: () => it * 1_000 }));
    const hall = async () => ({ floor: { waiting: () => line() as unknown as Waiter[] } }); // what the desk looks at
    const desk = await openAlarmDesk({ db, clock, log: silentLog, hall });
    whenOver(() => desk.close());
    await desk.settled();
    return desk;
  };
  const pass = async (desk: AlarmDesk, seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.pass(1_000);
      await desk.settled();
    }
  };
  const owed = async () => {
    const jobs = await db.query<{ kind: string; payload: { to?: string; body?: string; notice?: { state: string } } }>(
      sql`select kind, payload from jobs where lane like 'alarm%' order by id`,
    );
    return jobs.map(({ kind, payload: { to, body, notice } }) => `${kind} ${to ?? body} ${notice?.state ?? ""}`.trim());
  };
  const waits = (...seconds: number[]) => {
    waitedSeconds = seconds;
  };
  const list = () => listAlarms(db, exchangeId, { page: 1, limit: 10, within: undefined, queue: undefined });
  return { db, exchangeId, waits, open, pass, owed, list };
}

test("an alarm is told once when it begins and once when it ends, whoever looks after it in between", async () => {
  const { db, exchangeId, waits, open, pass, owed, list } = await house();
  await db.query(sql`update exchanges set crm_queue_alarm = true, crm_url = 'https://crm.example.com/' where id = $1`, [
    exchangeId,
  ]);
  const first = await open();
  waits(3, 19);
  await pass(first, 3);
  expect([first.of(exchangeId), await owed()]).toEqual([[], []]);
  waits(3, 21);
  await pass(first, 1);
  expect(first.of(exchangeId)).toMatchObject([{ queue: "200", about: "longest-wait", threshold: 20, value: 21 }]);
  const begun = await owed();
  expect(begun).toHaveLength(3);
  expect(begun.slice(0, 2)).toEqual(["notice.mail a@example.com began", "notice.mail b@example.com began"]);
  expect(begun[2]).toContain("event_type=queue_alarm&domain_id=");
  expect(begun[2]).toContain(
    "state=began&queue=200&queue_name=Sat%C4%B1%C5%9F&alarm=longest_wait&threshold=20&value=21",
  );

  // A second one that has not noticed the first is gone, and one that comes after both.
  const second = await open();
  waits(40);
  await pass(second, 3);
  await pass(first, 1);
  expect(await owed()).toEqual(begun);
  await Promise.all([first.close(), second.close()]);
  const third = await open();
  waits();
  await pass(third, CALM_SECONDS - 1);
  expect(await owed()).toEqual(begun);
  await pass(third, 2);
  expect(third.of(exchangeId)).toEqual([]);
  const ended = (await owed()).slice(3);
  expect(ended.slice(0, 2)).toEqual(["notice.mail a@example.com ended", "notice.mail b@example.com ended"]);
  expect(ended[2]).toMatch(/state=ended.*end_stamp=/);
  await pass(third, 30);
  expect(await owed()).toHaveLength(6);
  expect(await list()).toMatchObject({ total: 1, rows: [{ value: 21, endedAt: expect.any(Date) }] });
});

test("of two who notice the same at once one tells it", async () => {
  const { waits, open, pass, owed, list } = await house();
  const [one, two] = [await open(), await open()];
  waits(25);
  await Promise.all([pass(one, 1), pass(two, 1)]);
  await Promise.all([one.settled(), two.settled()]);
  expect(await owed()).toHaveLength(2);
  waits();
  await pass(one, CALM_SECONDS + 1);
  await two.settled();
  expect(await owed()).toHaveLength(4);
  expect((await list()).total).toBe(1);
});

test("an alarm whose threshold is taken back is over, and nobody is told who does not want to be", async () => {
  const { db, exchangeId, waits, open, pass, owed, list } = await house();
  await updateQueue(db, { exchangeId, number: "200", changes: { alarm_addresses: [] } });
  const desk = await open();
  waits(60);
  await pass(desk, 2);
  expect(desk.of(exchangeId)).toHaveLength(1);
  await updateQueue(db, { exchangeId, number: "200", changes: { alarm_wait_seconds: 0 } });
  await expect.poll(() => desk.of(exchangeId)).toEqual([]);
  expect(await owed()).toEqual([]);
  expect((await list()).rows[0]?.endedAt).toBeInstanceOf(Date);
});

test("the service level of the last half hour calls by the calls there were, to the second", async () => {
  const { db, exchangeId, open, pass } = await house();
  await updateQueue(db, {
    exchangeId,
    number: "200",
    changes: { alarm_wait_seconds: 0, alarm_level_percent: 80, alarm_level_over: "half-hour" },
  });
  const desk = await open();
  const call = (minutesAgo: number) =>
    db.query(
      sql`insert into cdrs (exchange_id, call_uuid, direction, origin, start_stamp, end_stamp, caller_id_number,
         destination_number, hangup_cause, missed, queue, queue_wait_seconds)
       values ($1, gen_random_uuid(), 'inbound', 'phone', $2, $2, '1', '2', 'ORIGINATOR_CANCEL', true, '200', 5)`,
      [exchangeId, new Date(Date.UTC(2026, 0, 5, 9) - minutesAgo * 60_000)],
    );
  for (const minutes of [29, 20, 10, 5]) await call(minutes);
  await call(40);
  await pass(desk, 31);
  expect(desk.of(exchangeId)).toEqual([]);
  await call(1);
  await pass(desk, 31);
  expect(desk.of(exchangeId)).toMatchObject([{ about: "service-level", threshold: 80, value: 0 }]);
});
