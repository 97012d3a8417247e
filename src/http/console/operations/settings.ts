// The exchange's settings: keys, call events and their deliveries, recording, hours and limits.

import { type Static, Type } from "typebox";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../store/api-keys.ts";
import { listDeliveries } from "../../../store/event-deliveries.ts";
import { readSigningSecret } from "../../../store/event-receivers.ts";
import { findExchange, readExchangeSettings, updateExchange } from "../../../store/exchanges.ts";
import { redeliver, sendTestEvent } from "../../../webhooks/try-out.ts";
import { updateCrmSettings } from "../../exchange/crm.ts";
import { forward } from "../operation/forward.ts";
import { operation } from "../operation/operation.ts";
import { checkedChanges } from "./checked-changes.ts";
import {
  id,
  name,
  nothing,
  orNothing,
  pageFields,
  text,
  timeOfDay,
  uuid,
  weekdays,
  whole,
  wholeOrNothing,
} from "./fields.ts";

const fields = Type.Object({
  name: name(),
  time_zone: name(64),
  record_calls: Type.Boolean(),
  record_inbound: Type.Boolean(),
  record_outbound: Type.Boolean(),
  record_internal: Type.Boolean(),
  recording_retention_days: whole(1, 36_500),
  fax_retention_days: wholeOrNothing(1, 36_500),
  office_opens: timeOfDay(),
  office_closes: timeOfDay(),
  office_days: weekdays(),
  default_caller_id: orNothing(15),
  ring_seconds: whole(5, 300),
  international_calls: Type.Boolean(),
  monthly_spending_limit: Type.Union([Type.String({ pattern: "^\\d{1,9}(\\.\\d{1,2})?$" }), Type.Null()]),
  channel_limit: wholeOrNothing(1, 100_000),
  max_call_seconds: whole(60, 86_400),
  crm_probe: Type.Boolean(),
  program_url: orNothing(2_000),
  program_spare_target: orNothing(),
  campaign_channels: whole(1, 1_000),
  external_contacts: Type.Boolean(),
  special_day_messages: Type.Boolean(),
});

const CRM = ["crm_ringing", "crm_answered", "crm_hangup"] as const;

type Settings = Static<typeof fields> & Record<(typeof CRM)[number], boolean> & { crm_url: string | null };

const shown = [
  ...(Object.keys(fields.properties) as (keyof typeof fields.properties)[]),
  ...CRM,
  "crm_url",
  "sip_domain",
] as const;

export const settings = {
  "settings.show": operation({
    role: "read-only",
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      const row = await readExchangeSettings<Settings & { sip_domain: string }>(db, exchangeId, shown);
      return row!; // the exchange of whoever is signed in
    },
  }),

  "settings.update": operation({
    role: "administrator",
    parameters: Type.Object({ changes: Type.Partial(fields) }),
    async handle({ changes }, { db, exchangeId }) {
      if (changes.time_zone !== undefined && !isTimeZone(changes.time_zone))
        return { refused: "invalid", field: "time_zone" } as const;
      if (changes.program_url && !/^https?:\/\//.test(changes.program_url))
        return { refused: "invalid", field: "program_url" } as const;
      const checked = await checkedChanges(changes, { db, exchangeId });
      if ("refused" in checked) return checked;
      await updateExchange(db, exchangeId, checked.columns);
      return {};
    },
  }),

  "crm.update": operation({
    role: "administrator",
    parameters: Type.Partial(
      Type.Object({
        ringing: Type.Boolean(),
        answered: Type.Boolean(),
        hangup: Type.Boolean(),
        notification_url: text(2_000),
      }),
    ),
    handle: (wanted, context) => forward(updateCrmSettings, wanted, context),
  }),

  "crm.test": operation({
    role: "administrator",
    apart: true,
    parameters: nothing,
    async handle(_, { db, secrets, clock, exchangeId, running }) {
      if (!running) return { refused: "not-running" } as const;
      const tried = await sendTestEvent({ db, secrets, clock, requester: running.requester }, exchangeId);
      return tried ?? ({ refused: "no-receiver" } as const);
    },
  }),

  "crm.secret": operation({
    role: "administrator",
    parameters: nothing,
    async handle(_, { db, secrets, exchangeId }) {
      const secret = (await readSigningSecret(db, secrets, exchangeId))!; // the exchange of whoever is signed in
      return typeof secret === "string" ? { secret } : ({ refused: "secret-unreadable" } as const);
    },
  }),

  "deliveries.list": operation({
    role: "read-only",
    parameters: Type.Object({ ...pageFields, delivered: Type.Optional(Type.Boolean()) }),
    handle: ({ delivered, ...page }, { db, exchangeId }) => listDeliveries(db, exchangeId, { ...page, delivered }),
  }),

  "deliveries.again": operation({
    role: "standard",
    parameters: Type.Object({ delivery: uuid() }),
    handle: async ({ delivery }, { db, exchangeId }) =>
      (await redeliver(db, exchangeId, delivery.toLowerCase()))
        ? {}
        : ({ refused: "not-found", what: "delivery", which: delivery } as const),
  }),

  "keys.list": operation({
    role: "administrator",
    parameters: nothing,
    handle: (_, { db, exchangeId }) => listApiKeys(db, exchangeId),
  }),

  "keys.create": operation({
    role: "administrator",
    parameters: Type.Object({ label: text(100) }),
    async handle({ label }, { db, exchangeId }) {
      const { key, hint } = await createApiKey(db, exchangeId, { label });
      return { key, hint };
    },
  }),

  "keys.revoke": operation({
    role: "administrator",
    parameters: Type.Object({ id: id() }),
    handle: async ({ id }, { db, exchangeId }) =>
      (await revokeApiKey(db, exchangeId, id))
        ? {}
        : ({ refused: "not-found", what: "key", which: String(id) } as const),
  }),

  "exchange.show": operation({
    role: "read-only",
    parameters: nothing,
    async handle(_, { db, exchangeId }) {
      return (await findExchange(db, exchangeId))!; // the exchange of whoever is signed in
    },
  }),
};

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).format() !== "";
  } catch {
    return false;
  }
}
