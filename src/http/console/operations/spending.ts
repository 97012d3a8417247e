// What calls to the outside cost: the prices by the beginning of the number, and what was spent month by month and in any
// stretch, broken down, with the calls behind each figure.

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { monthOf } from "../../../exchange/spending/spending.ts";
import { SPENT_BY } from "../../../nouns/spent.ts";
import { paidLegs, spentLines, spentSum } from "../../../store/paid-legs.ts";
import { deleteCallRate, listCallRates, setCallRate, spentByMonth } from "../../../store/spending.ts";
import { spendingAlarms, spentInHour } from "../../../store/spent-lately.ts";
import { closed } from "../operation/closed.ts";
import { operation } from "../operation/operation.ts";
import { moment, nothing, pageFields, text } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

/** Empty: the price of whatever no longer prefix fits. */
const prefix = Type.String({ pattern: "^[0-9]{0,15}$" });
const minutePrice = Type.String({ pattern: "^\\d{1,6}(\\.\\d{1,4})?$" });

const span = { from: moment(), before: moment() };
const by = Type.Enum([...SPENT_BY]);
const breakdown = closed(Type.Object({ ...span, by }));
/** Those of one line, where it is said which. */
const legs = closed(Type.Object({ ...span, by: Type.Optional(by), which: Type.Optional(text()) }));

const lineOf = ({ by, which }: Static<typeof legs>) =>
  by === undefined || which === undefined ? undefined : { by, which };

export const spending = {
  "spending.show": operation({
    right: "see-spending",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, clock, tenant }) {
      const at = new Date(clock.wall());
      const [{ limit, hourlyLimit, months }, rates, hour, alarms] = await Promise.all([
        spentByMonth(db, exchangeId),
        listCallRates(db, exchangeId),
        spentInHour(db, { exchangeId, extension: "", at }),
        spendingAlarms(db, exchangeId),
      ]);
      const month = monthOf(clock.wall(), tenant.timeZone).slice(0, 7);
      const spent = months.find((it) => it.month === month)?.amount ?? 0;
      return { month, spent, limit, months, rates, hour: hour.exchange, hourlyLimit, alarms };
    },
  }),

  "spending.breakdown": operation({
    right: "see-spending",
    reads: true,
    parameters: breakdown,
    async handle({ by, ...wanted }, { db, exchangeId, tenant }) {
      const stretch = { ...stretchOf(wanted), exchangeId, timeZone: tenant.timeZone };
      const [lines, sum] = await Promise.all([spentLines(db, stretch, by), spentSum(db, stretch)]);
      return { lines, sum };
    },
  }),

  "spending.legs": operation({
    right: "see-spending",
    reads: true,
    parameters: Type.Object({ ...legs.properties, ...pageFields }),
    handle({ page, limit, ...wanted }, { db, exchangeId, tenant }) {
      const stretch = { ...stretchOf(wanted), exchangeId, timeZone: tenant.timeZone };
      return paidLegs(db, stretch, { line: lineOf(wanted), page, limit });
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

/** What is asked for in a query string; nothing where it asks for nonsense. */
export function readBreakdown(query: URLSearchParams) {
  const sent = Object.fromEntries(query);
  return Check(breakdown, sent) ? { by: sent.by, ...stretchOf(sent) } : undefined;
}

export function readLegs(query: URLSearchParams) {
  const sent = Object.fromEntries(query);
  return Check(legs, sent) ? { line: lineOf(sent), ...stretchOf(sent) } : undefined;
}
