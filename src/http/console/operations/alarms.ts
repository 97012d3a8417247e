// Alarms of queues that are on and those that were, with when each began and ended.

import { Type } from "typebox";
import { listAlarms } from "../../../store/queue-alarms.ts";
import { withinOf } from "../../../store/scope.ts";
import { operation } from "../operation/operation.ts";
import { digits, pageFields } from "./fields.ts";

export const alarms = {
  "alarms.list": operation({
    right: "see-reports",
    reads: true,
    parameters: Type.Object({ ...pageFields, queue: Type.Optional(digits(1, 8)) }),
    handle: ({ queue, ...page }, { db, exchangeId, scope }) =>
      listAlarms(db, exchangeId, { ...page, queue, within: withinOf(scope) }),
  }),
};
