// Alarms and boards on the wall, asked of the store for ours with what is theirs.

import * as alarms from "../../src/store/queue-alarms.ts";
import { queuesOfLate } from "../../src/store/reports-now.ts";
import * as walls from "../../src/store/wall-boards.ts";
import { type Both, type Call, call } from "./store-call.ts";

const PAGE = { page: 1, limit: 100 };

export function boardCalls({ us: { exchangeId }, them: { id, queue } }: Both): Call[] {
  const begun = { exchangeId, queueName: "ours", about: "longest-wait", threshold: 1, value: 2 } as const;
  const [beganAt, nowMs] = [new Date(), Date.now()];
  return [
    ...[queue, "200"].flatMap((queue) => [
      call(alarms.beginAlarm, { ...begun, queue, beganAt, told: [] }),
      call(alarms.alarmReaders, exchangeId, queue),
      call(alarms.listAlarms, exchangeId, { ...PAGE, queue, within: undefined }),
      call(alarms.listAlarms, exchangeId, {
        ...{ ...PAGE, queue: undefined },
        within: { queues: [queue], extensions: [], calledAt: [] },
      }),
    ]),
    call(walls.listWallBoards, exchangeId),
    call(walls.createWallBoard, { exchangeId, changes: { name: "Pano 2", queues: [queue] } }),
    call(walls.updateWallBoard, { exchangeId, id, changes: { name: "ours" } }),
    call(walls.deleteWallBoard, exchangeId, id),
    call(walls.renewWallLink, { exchangeId, id, nowMs }),
    call(walls.dropWallLink, exchangeId, id),
    call(alarms.endAlarm, { exchangeId, id, worst: 1, endedAt: beganAt }),
    call(queuesOfLate, { exchangeId, timeZone: "UTC", over: "day", nowMs }),
    call(queuesOfLate, { exchangeId, timeZone: "UTC", over: "half-hour", nowMs }),
  ];
}
