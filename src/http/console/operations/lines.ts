// The way in and out: numbers with their hours, trunks with their health, and outbound rules.

import { Type } from "typebox";
import { LANGUAGES } from "../../../languages.ts";
import { externalNumber } from "../../../nouns/external-number.ts";
import type { Changes } from "../../../nouns/field.ts";
import { trunk } from "../../../nouns/trunk.ts";
import { createExternalNumber, deleteExternalNumber, updateExternalNumber } from "../../../store/external-numbers.ts";
import { isRefusal } from "../../../store/refusal.ts";
import { setupRows } from "../../../store/setup-rows.ts";
import { networksTaken } from "../../../store/trunk-approvals.ts";
import { createTrunk, deleteTrunk, updateTrunk } from "../../../store/trunks.ts";
import { changed } from "../operation/opens-more.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { digits, name, nothing, text } from "./fields.ts";
import { changesSchema, wholeSchemas } from "./noun-schema.ts";

const numberFields = changesSchema(externalNumber);
/** Who is believed to be the carrier, and where our calls and its password go. */
const OPENING = ["host", "outbound_proxy", "password", "source_addresses", "trusted"];

const trunkFields = changesSchema(trunk);
const ownNumber = digits(3, 15);
const notFound = (what: "number" | "trunk", which: string) => ({ refused: "not-found", what, which }) as const;

export const numbers = {
  "numbers.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => setupRows(db, "numbers", exchangeId),
  }),

  "numbers.create": operation({
    right: "set-up",
    parameters: Type.Object({ number: ownNumber, target: text(), changes: numberFields }),
    async handle({ number, target, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(externalNumber, { ...changes, target }, { db, exchangeId });
      if ("refused" in checked) return checked;
      const kept = String(checked.kept.target);
      const made = await createExternalNumber(db, { exchangeId, number, target: kept, changes: checked.kept });
      return isRefusal(made) ? made : { number };
    },
  }),

  "numbers.update": operation({
    right: "set-up",
    parameters: Type.Object({ number: ownNumber, changes: numberFields }),
    async handle({ number, changes }, { db, exchangeId }) {
      const checked = await checkedChanges(externalNumber, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      const changed = await updateExternalNumber(db, { exchangeId, number, changes: checked.kept });
      return changed ? {} : notFound("number", number);
    },
  }),

  "numbers.delete": operation({
    right: "set-up",
    parameters: Type.Object({ number: ownNumber }),
    handle: async ({ number }, { db, exchangeId }) => (await deleteExternalNumber(db, exchangeId, number)) ?? {},
  }),
};

export const trunks = {
  "trunks.list": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId, running }) {
      const rows = await setupRows(db, "trunks", exchangeId);
      const views = new Map(running?.trunks(exchangeId).map((view) => [view.name, view]));
      return rows.map((row) => {
        const view = views.get(row.name);
        const now = view && {
          up: view.up,
          health: String(view.health),
          channelsUsed: view.channelsUsed,
          lastError: view.lastError,
          registeredUntilMs: view.registeredUntilMs,
          sinceMs: view.sinceMs,
          answer: view.answer,
          answeredMs: view.answeredMs,
          latencyMs: view.latencyMs,
          nextTryMs: view.nextTryMs,
          waiting: [...view.waiting],
        };
        return { ...row, now: now ?? null };
      });
    },
  }),

  "trunks.create": operation({
    right: "set-up",
    fresh: true,
    parameters: Type.Object({ name: name(64), host: wholeSchemas(trunk).host, changes: trunkFields }),
    async handle({ name, host, changes }, { db, secrets, exchangeId }) {
      const taken = await networksTaken(db, exchangeId, changes.source_addresses);
      if (taken) return taken;
      const made = await createTrunk(db, secrets, { exchangeId, name, host, changes: tidy(changes) });
      return isRefusal(made) ? made : { name };
    },
  }),

  "trunks.update": operation({
    right: "set-up",
    fresh: {
      async when({ name, changes }, context) {
        const more = await changed(trunk, OPENING, { which: name, wanted: tidy(changes) }, context);
        return more.length > 0;
      },
    },
    parameters: Type.Object({ name: name(64), changes: trunkFields }),
    async handle({ name, changes }, { db, secrets, exchangeId }) {
      const taken = await networksTaken(db, exchangeId, changes.source_addresses);
      if (taken) return taken;
      const changed = await updateTrunk(db, secrets, { exchangeId, name, changes: tidy(changes) });
      return changed ? {} : notFound("trunk", name);
    },
  }),

  /** What it says now, to a sign of life and to its login. */
  "trunks.check": operation({
    right: "set-up",
    apart: true,
    parameters: Type.Object({ name: name(64) }),
    async handle({ name }, { exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      return (await running.checkTrunk(exchangeId, name)) ?? notFound("trunk", name);
    },
  }),

  /** What becomes of it is in the story of the call. With `ring` one's own phone rings first. */
  "trunks.testCall": operation({
    right: "set-up",
    apart: true,
    parameters: Type.Object({
      name: name(64),
      number: name(32),
      ring: Type.Boolean(),
      language: Type.Enum([...LANGUAGES]),
    }),
    async handle({ name: trunk, number, ring, language }, { db, exchangeId, running, staff, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const rows = await setupRows(db, "trunks", exchangeId);
      if (!rows.some(({ name, active }) => name === trunk && active)) return notFound("trunk", trunk);
      if (ring && staff.extension === null) return { refused: "missing-extension" } as const;
      const extension = (ring && staff.extension) || undefined;
      return running.exchange.testTrunk(exchangeId, { trunk, number, extension, language }, limit);
    },
  }),

  "trunks.delete": operation({
    right: "set-up",
    parameters: Type.Object({ name: name(64) }),
    handle: async ({ name }, { db, exchangeId }) => (await deleteTrunk(db, exchangeId, name)) ?? {},
  }),
};

/** Empty credentials are none. A password that was not typed again stays as it is. */
function tidy({ password, username, ...rest }: Changes<typeof trunk>): Changes<typeof trunk> {
  return { ...rest, username: username === "" ? null : username, password: password === "" ? undefined : password };
}
