// Callers who wait in queues at this moment.

import { Type } from "typebox";
import { storedForm } from "../../exchange/plan/numbers.ts";
import { json } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";

export const listWaitingCallers = endpoint({
  needs: ["exchange"],
  group: "Queues",
  methods: ["GET"],
  paths: ["/queues/pending"],
  summary: "Callers who wait, the next one first",
  description: "`joined_at` is in Unix seconds. Whoever hung up to be called back stands in line like everybody else.",
  parameters: Type.Object({}),
  guards: [key, limit("waiting"), body, schema],
  reply: "json",
  example: [
    {
      queue_number: "200",
      uuid: "5a6c6a5c-fd86-11e5-87a3-157d41a07454",
      call_uuid: "358c20bc-fd86-11e5-87a2-157d41a07454",
      caller_id: "905321234567",
      joined_at: "1460455423",
      wait_time: 42,
    },
  ],
  async handle(_, { exchange, exchangeId }) {
    const waiting = exchange.waiting(exchangeId).map(({ queue, id, callUuid, caller, joinedMs, waitedMs }) => ({
      queue_number: queue,
      uuid: id,
      call_uuid: callUuid,
      caller_id: storedForm(caller) ?? caller,
      joined_at: String(Math.floor(joinedMs / 1_000)),
      wait_time: Math.max(0, Math.floor(waitedMs() / 1_000)),
    }));
    return json(waiting);
  },
});
