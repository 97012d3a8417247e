// The exchange's own numbers, and which of them an extension shows when it calls out.

import { Type } from "typebox";
import { storedForm } from "../../exchange/plan/numbers.ts";
import { updateExtension } from "../../store/extensions.ts";
import { findExternalNumber, listExternalNumbers } from "../../store/external-numbers.ts";
import { json, OK, refuse } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { telephone, words } from "../parameters/schema.ts";

const group = "Numbers";

export const listCallerIds = endpoint({
  group,
  methods: ["GET"],
  paths: ["/caller_ids"],
  summary: "Numbers the exchange may show when it calls out",
  parameters: Type.Object({}),
  guards: [key, limit("default"), body, schema],
  reply: "json",
  example: ["908501234567", "902121234567"],
  async handle(_, { db, exchangeId }) {
    const numbers = await listExternalNumbers(db, exchangeId);
    return json(numbers.map(({ number }) => number));
  },
});

export const changeOutboundCallerId = endpoint({
  group,
  methods: ["GET", "POST"],
  paths: ["/update_outbound_caller_id"],
  summary: "Choose the number an extension shows when it calls out",
  changes: true,
  parameters: Type.Object({
    extension: words({ example: "1000" }),
    caller_id: telephone({ example: "908501234567", description: "one of the numbers of the caller ID list" }),
  }),
  guards: [key, limit("default"), body, schema],
  reply: "text",
  example: "OK",
  refusals: [
    { refused: "extension-not-found", extension: "1005" },
    { refused: "misfit", field: "caller_id", value: "902120000000" },
  ],
  async handle({ extension, caller_id }, { db, exchangeId }) {
    const number = storedForm(caller_id);
    const owned = number && (await findExternalNumber(db, exchangeId, number));
    if (!owned) return refuse({ refused: "misfit", field: "caller_id", value: caller_id });
    const changes = { outbound_caller_id: number };
    const changed = await updateExtension(db, { exchangeId, number: extension, changes });
    return changed ? OK : refuse({ refused: "extension-not-found", extension });
  },
});
