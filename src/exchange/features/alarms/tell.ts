// An alarm that begins or ends, written together with what is owed to those who are told of it: all of it, or nothing.

import { enqueue, mailShare, type NewJob } from "../../../jobs/jobs.ts";
import { MAIL_NOTICE, type OwedNotice } from "../../../jobs/notice.ts";
import type { Db } from "../../../store/db.ts";
import type { AlarmTold } from "../../../store/letter-facts.ts";
import { type Alarm, type AlarmReaders, alarmReaders, beginAlarm, endAlarm } from "../../../store/queue-alarms.ts";
import { printStamp } from "../../../webhooks/events.ts";
import { alarmDelivery } from "../../../webhooks/queue-alarm.ts";

/** Undefined where it had begun already, and was told. */
export function tellBeginning(db: Db, begun: Omit<Alarm, "id">): Promise<Alarm | undefined> {
  return db.transaction(async (db) => {
    const readers = await alarmReaders(db, begun.exchangeId, begun.queue);
    const alarm = await beginAlarm(db, { ...begun, told: readers.addresses });
    if (alarm) await owe(db, { alarm, value: alarm.value }, readers);
    return alarm;
  });
}

/** Nothing is told where it had ended already. */
export function tellEnd(
  db: Db,
  { alarm, worst, endedAt }: { alarm: Alarm; worst: number; endedAt: Date },
): Promise<void> {
  const { exchangeId, id, queue } = alarm;
  return db.transaction(async (db) => {
    const told = await endAlarm(db, { exchangeId, id, worst, endedAt });
    if (!told) return;
    const readers = await alarmReaders(db, exchangeId, queue);
    await owe(db, { alarm, value: worst, endedAt }, { ...readers, addresses: told });
  });
}

type Owed = { alarm: Alarm; value: number; endedAt?: Date };

async function owe(db: Db, { alarm, value, endedAt }: Owed, readers: AlarmReaders): Promise<void> {
  const { id, exchangeId, queue, queueName, about, threshold, beganAt } = alarm;
  const { timeZone, addresses } = readers;
  const state = endedAt ? "ended" : "began";
  const at = printStamp((endedAt ?? beganAt).getTime(), timeZone);
  const notice: AlarmTold = { is: "queue-alarm", state, queue, queueName, about, threshold, value, at };
  const letters = addresses.map((to): NewJob => {
    const payload: OwedNotice = { exchangeId, to, notice };
    // The lane keeps the two in order: no mailbox hears of the end first.
    return { kind: MAIL_NOTICE, payload, maxAttempts: 30, share: mailShare(exchangeId), lane: `alarm ${id} ${to}` };
  });
  const events = readers.event ? [alarmDelivery({ alarm, state, value, endedAt }, timeZone)] : [];
  await enqueue(db, ...letters, ...events);
}
