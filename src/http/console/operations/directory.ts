// Who and what there is, by number and name alone: for choosing one, by those who do not see how it is set up.

import { monthOf } from "../../../exchange/spending/spending.ts";
import { listNames } from "../../../store/names.ts";
import { seesQueue } from "../../../store/scope.ts";
import { listCallRates, spentByMonth } from "../../../store/spending.ts";
import { operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";

export const directory = {
  "directory.list": operation({
    right: "directory",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, scope }) {
      const names = await listNames(db, exchangeId);
      return { ...names, queues: names.queues.filter(({ number }) => seesQueue(scope, number)) };
    },
  }),

  "spending.show": operation({
    right: "see-spending",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, clock, tenant }) {
      const [{ limit, months }, rates] = await Promise.all([
        spentByMonth(db, exchangeId),
        listCallRates(db, exchangeId),
      ]);
      const month = monthOf(clock.wall(), tenant.timeZone).slice(0, 7);
      const spent = months.find((it) => it.month === month)?.amount ?? 0;
      return { month, spent, limit, months, rates };
    },
  }),
};
