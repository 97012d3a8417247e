// When the office is open: holidays, and the switch by which somebody opens or closes it by hand.

import { type Static, Type } from "typebox";
import { isOpenIn, localTime } from "../../../exchange/plan/hours.ts";
import { officeSwitch } from "../../../nouns/choices.ts";
import { externalNumber } from "../../../nouns/external-number.ts";
import {
  createHoliday,
  deleteHoliday,
  listHolidays,
  updateHoliday,
  type WantedHoliday,
} from "../../../store/holidays.ts";
import { readOffice, switchOffice } from "../../../store/office.ts";
import { readSetupFacts } from "../../../store/setup-facts.ts";
import type { ConsoleContext } from "../operation/operation.ts";
import { operation } from "../operation/operation.ts";
import type { ConsoleRefusal } from "../operation/refusal.ts";
import { checkedChanges } from "./checked-changes.ts";
import { day, id, nothing, orNothing, text } from "./fields.ts";

const notFound = (id: number) => ({ refused: "not-found", what: "holiday", which: String(id) }) as const;

const holidayFields = {
  day: day(),
  last_day: Type.Optional(Type.Union([day(), Type.Null()])),
  description: text(),
  target: orNothing(),
  number: orNothing(15),
};
const holiday = Type.Object(holidayFields);

export const office = {
  "setup.show": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => readSetupFacts(db, exchangeId),
  }),

  "office.show": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, clock }) {
      const office = (await readOffice(db, exchangeId))!; // the exchange of whoever is signed in
      return { switch: office.switch, isOpenByHours: isOpenIn(office.hours, localTime(clock.wall(), office.timeZone)) };
    },
  }),

  "office.switch": operation({
    right: "switch-office",
    parameters: Type.Object({ to: Type.Enum(Object.keys(officeSwitch) as (keyof typeof officeSwitch)[]) }),
    async handle({ to }, { db, exchangeId }) {
      await switchOffice(db, exchangeId, to);
      return {};
    },
  }),

  "holidays.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listHolidays(db, exchangeId),
  }),

  "holidays.create": operation({
    right: "set-up",
    parameters: holiday,
    async handle(sent, context) {
      const wanted = await checkedHoliday(sent, context);
      if ("refused" in wanted) return wanted;
      await createHoliday(context.db, wanted);
      return {};
    },
  }),

  "holidays.update": operation({
    right: "set-up",
    parameters: Type.Object({ id: id(), ...holidayFields }),
    async handle({ id, ...sent }, context) {
      const wanted = await checkedHoliday(sent, context);
      if ("refused" in wanted) return wanted;
      return (await updateHoliday(context.db, id, wanted)) ? {} : notFound(id);
    },
  }),

  "holidays.delete": operation({
    right: "set-up",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) => ((await deleteHoliday(db, exchangeId, id)) ? {} : notFound(id)),
  }),
};

async function checkedHoliday(
  { day, last_day, description, target, number }: Static<typeof holiday>,
  { db, exchangeId }: Pick<ConsoleContext, "db" | "exchangeId">,
): Promise<WantedHoliday | ConsoleRefusal> {
  if (last_day && last_day < day) return { refused: "range-reversed", field: "last_day" };
  const checked = await checkedChanges(externalNumber, target ? { target } : {}, { db, exchangeId });
  if ("refused" in checked) return checked;
  const lastDay = last_day && last_day > day ? last_day : undefined;
  return { day, lastDay, description, target: checked.kept.target, number: number ?? undefined, exchangeId };
}
