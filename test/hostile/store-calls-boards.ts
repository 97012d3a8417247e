// Alarms and boards on the wall, asked of the store for ours with what is theirs.

import { notedFigures } from "../../src/store/noted-figures.ts";
import * as alarms from "../../src/store/queue-alarms.ts";
import * as mails from "../../src/store/report-mails.ts";
import * as plans from "../../src/store/report-plans.ts";
import { queuesOfLate } from "../../src/store/reports-now.ts";
import { heapsFromSums } from "../../src/store/response-sums.ts";
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
      call(alarms.alarmsOnIn, exchangeId),
      call(alarms.listAlarms, exchangeId, { ...PAGE, queue, within: undefined }),
      call(alarms.listAlarms, exchangeId, {
        ...{ ...PAGE, queue: undefined },
        within: { queues: [queue], extensions: [], calledAt: [] },
      }),
    ]),
    call(walls.listWallBoards, exchangeId),
    call(walls.createWallBoard, { exchangeId, changes: { name: "Pano 2", queues: [queue] } }),
    call(walls.queuesOfBoard, exchangeId, id),
    call(walls.updateWallBoard, { exchangeId, id, changes: { name: "ours" } }),
    call(walls.deleteWallBoard, exchangeId, id),
    call(walls.renewWallLink, { exchangeId, id, nowMs }),
    call(walls.dropWallLink, exchangeId, id),
    ...[undefined, id].flatMap((staffId) => [
      call(plans.listReportPlans, { exchangeId, staffId }),
      call(plans.updateReportPlan, { exchangeId, staffId, id, changes: { name: "ours" }, nowMs }),
      call(plans.oweReportNow, { exchangeId, staffId, id, nowMs }),
      call(plans.deleteReportPlan, { exchangeId, staffId, id }),
      call(mails.listReportMails, { exchangeId, staffId }, PAGE),
    ]),
    call(plans.createReportPlan, { exchangeId, staffId: id, filter: {}, changes: { name: "ours" }, nowMs }),
    call(plans.oweReportMails, { exchangeId, id, now: beganAt }),
    call(mails.reportMailOwed, { exchangeId, id }),
    call(mails.noteReportSent, { exchangeId, id, at: beganAt }),
    call(mails.noteReportFailed, { exchangeId, id, at: beganAt, failure: "paused", about: "", isOver: true }),
    ...(["tag", "disposition"] as const).map((of) =>
      call(notedFigures, { exchangeId, timeZone: "UTC", from: new Date(0), before: beganAt }, of),
    ),
    call(heapsFromSums, {
      ...{ exchangeId, timeZone: "UTC" },
      filter: { from: new Date(0), before: new Date(86_400_000 * 30_000), direction: "inbound", listening: false },
    }),
    call(alarms.endAlarm, { exchangeId, id, worst: 1, endedAt: beganAt }),
    call(queuesOfLate, { exchangeId, timeZone: "UTC", over: "day", nowMs }),
    call(queuesOfLate, { exchangeId, timeZone: "UTC", over: "half-hour", nowMs }),
  ];
}
