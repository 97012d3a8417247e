// The event that tells a customer's system of a queue's alarm. It is about no call, and goes the way of those that are.

import { randomUUID } from "node:crypto";
import type { NewJob } from "../jobs/jobs.ts";
import type { Alarm, AlarmAbout } from "../store/queue-alarms.ts";
import { printStamp } from "./events.ts";
import { attemptsInADay, DELIVER_EVENT, type Delivery } from "./tell.ts";

const QUEUE_ALARM = "queue_alarm";

/** Stands where other events name their call. */
const NO_CALL = "00000000-0000-0000-0000-000000000000";

const abouts: Record<AlarmAbout, string> = {
  "longest-wait": "longest_wait",
  waiting: "callers_waiting",
  "service-level": "service_level",
};

export type AlarmEvent = { alarm: Alarm; state: "began" | "ended"; value: number; endedAt?: Date | undefined };

export function alarmDelivery(event: AlarmEvent, timeZone: string): NewJob {
  const { exchangeId, id } = event.alarm;
  const body = printAlarm(event, timeZone);
  const payload: Delivery = { exchangeId, delivery: randomUUID(), event: QUEUE_ALARM, callUuid: NO_CALL, body };
  const share = `webhook ${exchangeId}`;
  return { kind: DELIVER_EVENT, payload, lane: `alarm ${id}`, share, maxAttempts: attemptsInADay() };
}

function printAlarm({ alarm, state, value, endedAt }: AlarmEvent, timeZone: string): string {
  const stamp = (at: Date) => printStamp(at.getTime(), timeZone);
  const fields: [name: string, value: string | number][] = [
    ["event_type", QUEUE_ALARM],
    ["domain_id", alarm.exchangeId],
    ["alarm_id", alarm.id],
    ["state", state],
    ["queue", alarm.queue],
    ["queue_name", alarm.queueName],
    ["alarm", abouts[alarm.about]],
    ["threshold", alarm.threshold],
    ["value", value],
    ["start_stamp", stamp(alarm.beganAt)],
    ...(endedAt ? [["end_stamp", stamp(endedAt)] satisfies [string, string]] : []),
  ];
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
