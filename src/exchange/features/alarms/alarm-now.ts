// An alarm as boards show it while it is on.

import type { Alarm } from "../../../store/queue-alarms.ts";

/** The figure is that of its beginning. */
export type AlarmNow = Omit<Alarm, "exchangeId" | "beganAt"> & { beganMs: number };

export function alarmNow({ id, queue, queueName, about, threshold, value, beganAt }: Alarm): AlarmNow {
  return { id, queue, queueName, about, threshold, value, beganMs: beganAt.getTime() };
}
