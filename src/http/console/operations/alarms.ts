// Alarms of queues that are on and those that were, with when each began and ended.

import { Type } from "typebox";
import { alarmNow } from "../../../exchange/features/alarms/alarm-now.ts";
import { alarmsOnIn, listAlarms } from "../../../store/queue-alarms.ts";
import { seesQueue, withinOf } from "../../../store/scope.ts";
import { operation } from "../operation/operation.ts";
import { digits, nothing, pageFields } from "./fields.ts";

export const alarms = {
  /** Those that are on, for pages that show no board. */
  "alarms.now": operation({
    right: "board",
    reads: true,
    parameters: nothing,
    handle: async (_, { db, exchangeId, scope }) =>
      (await alarmsOnIn(db, exchangeId)).filter(({ queue }) => seesQueue(scope, queue)).map(alarmNow),
  }),

  "alarms.list": operation({
    right: "see-reports",
    reads: true,
    parameters: Type.Object({ ...pageFields, queue: Type.Optional(digits(1, 8)) }),
    handle: ({ queue, ...page }, { db, exchangeId, scope }) =>
      listAlarms(db, exchangeId, { ...page, queue, within: withinOf(scope) }),
  }),
};
