// The way in and out: numbers with their hours, holidays, trunks with their health, and outbound rules.

import { Type } from "typebox";
import { createExternalNumber, deleteExternalNumber, updateExternalNumber } from "../../../store/external-numbers.ts";
import { createHoliday, deleteHoliday, listHolidays } from "../../../store/holidays.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { CALLER_ID_FORMS, createTrunk, deleteTrunk, TRUNK_TRANSPORTS, updateTrunk } from "../../../store/trunks.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import {
  day,
  digits,
  id,
  name,
  nothing,
  orNothing,
  text,
  timeOfDay,
  weekdays,
  whole,
  wholeOrNothing,
} from "./fields.ts";

const numberFields = Type.Partial(
  Type.Object({
    description: text(),
    target: text(),
    closed_target: orNothing(),
    office_opens: Type.Union([timeOfDay(), Type.Null()]),
    office_closes: Type.Union([timeOfDay(), Type.Null()]),
    office_days: Type.Union([weekdays(), Type.Null()]),
    trunk: orNothing(),
  }),
);

const host = Type.String({ pattern: "^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$" });

const trunkFields = Type.Partial(
  Type.Object({
    host,
    port: whole(1, 65_535),
    transport: Type.Enum([...TRUNK_TRANSPORTS]),
    username: orNothing(),
    password: orNothing(),
    registers: Type.Boolean(),
    source_addresses: Type.Array(Type.String({ pattern: "^[0-9a-fA-F.:]{2,45}(/[0-9]{1,3})?$" }), { maxItems: 100 }),
    caller_id_form: Type.Enum([...CALLER_ID_FORMS]),
    codecs: Type.Array(Type.Enum(["PCMA", "PCMU", "G722", "opus"]), { minItems: 1, maxItems: 4 }),
    channel_limit: wholeOrNothing(1, 100_000),
    priority: whole(0, 1_000),
    health_check: Type.Boolean(),
    t38: Type.Boolean(),
    active: Type.Boolean(),
  }),
);

const ownNumber = digits(3, 15);
const notFound = (what: string, which: string) => ({ refused: "not-found", what, which }) as const;

export const numbers = {
  "numbers.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "numbers", exchangeId),
  }),

  "numbers.create": operation({
    role: "administrator",
    parameters: Type.Object({ number: ownNumber, target: text(), changes: numberFields }),
    async handle({ number, target, changes }, { db, exchangeId }) {
      const checked = await checkedChanges({ ...changes, target }, { db, exchangeId });
      if ("refused" in checked) return checked;
      const kept = String(checked.columns.target);
      const made = await createExternalNumber(db, { exchangeId, number, target: kept, changes: checked.columns });
      return isRefusal(made) ? made : { number };
    },
  }),

  "numbers.update": operation({
    role: "administrator",
    parameters: Type.Object({ number: ownNumber, changes: numberFields }),
    async handle({ number, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateExternalNumber(db, { exchangeId, number, changes: checked.columns });
      return changed ? {} : notFound("number", number);
    },
  }),

  "numbers.delete": operation({
    role: "administrator",
    parameters: Type.Object({ number: ownNumber }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteExternalNumber(db, exchangeId, number)) ?? {},
  }),

  "holidays.list": operation({
    role: "read-only",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listHolidays(db, exchangeId),
  }),

  "holidays.create": operation({
    role: "administrator",
    parameters: Type.Object({ day: day(), description: text(), target: orNothing(), number: orNothing(15) }),
    async handle({ day, description, target, number }, { db, exchangeId }) {
      const checked = await checkedChanges(target ? { target } : {}, { db, exchangeId });
      if ("refused" in checked) return checked;
      const kept = (checked.columns.target as string | undefined) ?? undefined;
      const wanted = { exchangeId, day, description, target: kept, number: number ?? undefined };
      await createHoliday(db, wanted);
      return {};
    },
  }),

  "holidays.delete": operation({
    role: "administrator",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) =>
      (await deleteHoliday(db, exchangeId, id)) ? {} : notFound("holiday", String(id)),
  }),
};

export const trunks = {
  "trunks.list": operation({
    role: "read-only",
    parameters: nothing,
    async handle(_, { db, exchangeId, running }) {
      const rows = await setupRows(db, "trunks", exchangeId);
      const views = new Map(running?.trunks(exchangeId).map((view) => [view.name, view]));
      return rows.map((row) => {
        const view = views.get(row.name);
        const now = view && {
          ...{ up: view.up, health: String(view.health), channelsUsed: view.channelsUsed, lastError: view.lastError },
          registeredUntilMs: view.registeredUntilMs,
        };
        return { ...row, now: now ?? null };
      });
    },
  }),

  "trunks.create": operation({
    role: "administrator",
    parameters: Type.Object({ name: name(64), host, changes: trunkFields }),
    async handle({ name, host, changes }, { db, secrets, exchangeId }) {
      const made = await createTrunk(db, secrets, { exchangeId, name, host, changes: tidy(changes) });
      return isRefusal(made) ? made : { name };
    },
  }),

  "trunks.update": operation({
    role: "administrator",
    parameters: Type.Object({ name: name(64), changes: trunkFields }),
    handle: async ({ name, changes }, { db, secrets, exchangeId }) =>
      (await updateTrunk(db, secrets, { exchangeId, name, changes: tidy(changes) })) ? {} : notFound("trunk", name),
  }),

  "trunks.delete": operation({
    role: "administrator",
    parameters: Type.Object({ name: name(64) }),
    handle: async ({ name }, { db, exchangeId }) => (await deleteTrunk(db, exchangeId, name)) ?? {},
  }),
};

/** Empty credentials are none. A password that was not typed again stays as it is. */
function tidy(changes: Record<string, unknown>): Record<string, unknown> {
  const { password, ...rest } = changes;
  if (rest.username === "") rest.username = null;
  return password === undefined || password === "" ? rest : { ...rest, password };
}
