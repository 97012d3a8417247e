// The exchange's settings: keys, call events and their deliveries, recording, hours and limits.

import { type TBoolean, Type } from "typebox";
import { EVENT_SWITCHES, type EventSwitch, exchange } from "../../../nouns/exchange.ts";
import { LONGEST_URL, type Row, type ValueOf } from "../../../nouns/field.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../store/api-keys.ts";
import { listDeliveries } from "../../../store/event-deliveries.ts";
import { readSigningSecret } from "../../../store/event-receivers.ts";
import { findExchange, readExchangeSettings, updateExchange } from "../../../store/exchanges.ts";
import { redeliver, sendTestEvent } from "../../../webhooks/try-out.ts";
import { updateCrmSettings } from "../../exchange/crm.ts";
import { forward } from "../operation/forward.ts";
import { changed, isWeaker } from "../operation/opens-more.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import { id, nothing, pageFields, text, uuid } from "./fields.ts";
import { changesSchema, wholeSchemas } from "./noun-schema.ts";

/** Set elsewhere, and shown with the others. */
const elsewhere = [...EVENT_SWITCHES.map((name) => `crm_${name}` as const), "crm_url", "sip_domain"] as const;
/** What everybody's door asks for, from the least on. */
const STRICTER: Readonly<Record<string, readonly unknown[]>> = {
  second_factor: ["none", "administrators", "everybody"],
  sip_digests: ["any", "sha-256"],
};

const fields = wholeSchemas(exchange);
const shown = [...(Object.keys(fields) as (keyof typeof fields)[]), ...elsewhere];

type Settings = Row<typeof exchange> & {
  [Name in (typeof elsewhere)[number]]: ValueOf<(typeof exchange.fields)[Name]>;
};

export const settings = {
  "settings.show": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      const row = await readExchangeSettings<Settings>(db, exchangeId, shown);
      return row!; // the exchange of whoever is signed in
    },
  }),

  "settings.update": operation({
    right: "set-up",
    fresh: {
      async when({ changes }, context) {
        const doors = await changed(exchange, Object.keys(STRICTER), { wanted: changes }, context);
        return doors.some(({ name, now, next }) => isWeaker(STRICTER[name] ?? [], now, next));
      },
    },
    parameters: Type.Object({ changes: changesSchema(exchange) }),
    async handle({ changes }, { db, exchangeId }) {
      const checked = await checkedChanges(exchange, changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      await updateExchange(db, exchangeId, checked.kept);
      return {};
    },
  }),

  "crm.update": operation({
    right: "set-up",
    parameters: Type.Partial(
      Type.Object({
        ...(Object.fromEntries(EVENT_SWITCHES.map((name) => [name, Type.Boolean()])) as Record<EventSwitch, TBoolean>),
        notification_url: text(LONGEST_URL),
      }),
    ),
    handle: (wanted, context) => forward(updateCrmSettings, wanted, context),
  }),

  "crm.test": operation({
    right: "set-up",
    apart: true,
    parameters: nothing,
    async handle(_, { db, secrets, clock, exchangeId, running, limit }) {
      if (!running) return { refused: "not-running" } as const;
      const tried = await limit.hold(sendTestEvent({ db, secrets, clock, requester: running.requester }, exchangeId));
      return tried ?? ({ refused: "no-receiver" } as const);
    },
  }),

  "crm.secret": operation({
    right: "manage-staff",
    fresh: true,
    parameters: nothing,
    async handle(_, { db, secrets, exchangeId }) {
      const secret = (await readSigningSecret(db, secrets, exchangeId))!; // the exchange of whoever is signed in
      return typeof secret === "string" ? { secret } : ({ refused: "secret-unreadable" } as const);
    },
  }),

  "deliveries.list": operation({
    right: "see-setup",
    reads: true,
    parameters: Type.Object({ ...pageFields, delivered: Type.Optional(Type.Boolean()) }),
    handle: ({ delivered, ...page }, { db, exchangeId }) => listDeliveries(db, exchangeId, { ...page, delivered }),
  }),

  "deliveries.again": operation({
    right: "run-again",
    parameters: Type.Object({ delivery: uuid() }),
    handle: async ({ delivery }, { db, exchangeId }) =>
      (await redeliver(db, exchangeId, delivery.toLowerCase()))
        ? {}
        : ({ refused: "not-found", what: "delivery", which: delivery } as const),
  }),

  "keys.list": operation({
    right: "manage-staff",
    reads: true,
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listApiKeys(db, exchangeId),
  }),

  "keys.create": operation({
    right: "manage-staff",
    fresh: true,
    parameters: Type.Object({ label: text(100) }),
    async handle({ label }, { db, exchangeId }) {
      const { key, hint } = await createApiKey(db, exchangeId, { label });
      return { key, hint };
    },
  }),

  "keys.revoke": operation({
    right: "manage-staff",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) =>
      (await revokeApiKey(db, exchangeId, id))
        ? {}
        : ({ refused: "not-found", what: "key", which: String(id) } as const),
  }),

  "exchange.show": operation({
    right: "see-setup",
    reads: true,
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      return (await findExchange(db, exchangeId))!; // the exchange of whoever is signed in
    },
  }),
};
