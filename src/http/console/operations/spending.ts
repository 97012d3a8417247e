// What calls to the outside cost: the prices by the beginning of the number, and what was spent month by month.

import { Type } from "typebox";
import { monthOf } from "../../../exchange/spending/spending.ts";
import { deleteCallRate, listCallRates, setCallRate, spentByMonth } from "../../../store/spending.ts";
import { operation } from "../operation/operation.ts";
import { nothing } from "./fields.ts";

/** Empty: the price of whatever no longer prefix fits. */
const prefix = Type.String({ pattern: "^[0-9]{0,15}$" });
const minutePrice = Type.String({ pattern: "^\\d{1,6}(\\.\\d{1,4})?$" });

export const spending = {
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

  "rates.set": operation({
    right: "set-up",
    parameters: Type.Object({ prefix, minutePrice }),
    async handle({ prefix, minutePrice }, { db, exchangeId }) {
      await setCallRate(db, { exchangeId, prefix, minutePrice });
      return {};
    },
  }),

  "rates.delete": operation({
    right: "set-up",
    parameters: Type.Object({ prefix }),
    handle: async ({ prefix }, { db, exchangeId }) =>
      (await deleteCallRate(db, exchangeId, prefix))
        ? {}
        : ({ refused: "not-found", what: "number", which: prefix } as const),
  }),
};
