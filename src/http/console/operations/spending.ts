// What calls to the outside cost: the prices by the beginning of the number, and what was spent month by month.

import { Type } from "typebox";
import { monthOf } from "../../../exchange/spending/spending.ts";
import { describeExchange } from "../../../store/exchanges.ts";
import { deleteCallRate, listCallRates, listSpending, setCallRate } from "../../../store/spending.ts";
import { operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";

const MONTHS = 12;

/** Empty: the price of whatever no longer prefix fits. */
const prefix = Type.String({ pattern: "^[0-9]{0,15}$" });
const minutePrice = Type.String({ pattern: "^\\d{1,6}(\\.\\d{1,4})?$" });

export const spending = {
  "spending.show": operation({
    role: "read-only",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, clock, tenant }) {
      const [months, described] = await Promise.all([
        listSpending(db, exchangeId, MONTHS),
        describeExchange(db, exchangeId),
      ]);
      const month = monthOf(clock.wall(), tenant.timeZone).slice(0, 7);
      const spent = months.find((it) => it.month === month)?.amount ?? 0;
      const limit = described?.monthly_spending_limit;
      return { month, spent, limit: limit === null || limit === undefined ? null : Number(limit), months };
    },
  }),

  "rates.list": operation({
    role: "read-only",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listCallRates(db, exchangeId),
  }),

  "rates.set": operation({
    role: "administrator",
    parameters: Type.Object({ prefix, minutePrice }),
    async handle({ prefix, minutePrice }, { db, exchangeId }) {
      await setCallRate(db, { exchangeId, prefix, minutePrice });
      return {};
    },
  }),

  "rates.delete": operation({
    role: "administrator",
    parameters: Type.Object({ prefix }),
    handle: async ({ prefix }, { db, exchangeId }) =>
      (await deleteCallRate(db, exchangeId, prefix))
        ? {}
        : ({ refused: "not-found", what: "number", which: prefix } as const),
  }),
};
