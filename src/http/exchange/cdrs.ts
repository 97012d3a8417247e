// Call detail records.

import { Type } from "typebox";
import { spellingsOf } from "../../exchange/plan/spellings.ts";
import type { CdrFilter } from "../../store/cdr-filter.ts";
import { findCdr, limitsCdrRange, listCdrs as list, queuesCalled } from "../../store/cdrs.ts";
import { json, refuse } from "../door/answer.ts";
import { endpoint } from "../door/endpoint.ts";
import { body, key, limit, schema } from "../door/guards.ts";
import { flag, oneOf, pageParameters, telephone, words } from "../parameters/schema.ts";
import { CALL_UUID, callExample, detailExample, legExample, showCall, showCallDetail, showLeg } from "./call-record.ts";
import { paged, pageOf, paginationExample, readUuid } from "./paging.ts";
import { rangeParameters, readRange } from "./range.ts";

const group = "Call records";

const recordings = { true: ["present"], false: ["none", "deleted"], deleted: ["deleted"] } as const;

export const listCdrs = endpoint({
  group,
  methods: ["GET"],
  paths: ["/cdrs"],
  summary: "List call records, newest first",
  parameters: Type.Object({
    ...rangeParameters,
    recording_present: Type.Optional(oneOf(["true", "false", "deleted"])),
    direction: Type.Optional(oneOf(["inbound", "outbound", "internal"])),
    caller_id_number: Type.Optional(telephone({ description: "in any form" })),
    destination_number: Type.Optional(telephone({ description: "in any form" })),
    missed: Type.Optional(flag()),
    queue: Type.Optional(words({ description: "name or number of a queue or ring group" })),
    ...pageParameters,
  }),
  guards: [key, limit("cdrs"), body, schema],
  reply: "json",
  example: { cdrs: [callExample], pagination: paginationExample },
  refusals: [
    { refused: "malformed", field: "start_stamp_from" },
    { refused: "not-one-of", field: "direction", choices: ["inbound", "outbound", "internal"] },
    { refused: "out-of-range", field: "limit", least: 10, most: 100 },
  ],
  async handle(parameters, { db, exchangeId, tenant, clock }) {
    const atMost31Days = parameters.start_stamp_from !== undefined && (await limitsCdrRange(db, exchangeId));
    const range = readRange(parameters, { timeZone: tenant.timeZone, now: clock.wall(), atMost31Days });
    if ("says" in range) return range;
    const { direction, missed, recording_present, caller_id_number, destination_number, queue } = parameters;
    const filter: CdrFilter = {
      from: range.from,
      before: range.before,
      direction,
      missed,
      recording: recording_present && [...recordings[recording_present]],
      callerNumbers: caller_id_number === undefined ? undefined : spellingsOf(caller_id_number),
      destinationNumbers: destination_number === undefined ? undefined : spellingsOf(destination_number),
      lastQueues: queue === undefined ? undefined : await queuesCalled(db, exchangeId, queue),
    };
    const page = pageOf(parameters);
    const found = await list(db, exchangeId, filter, page);
    return paged("cdrs", found, page, (cdr) => showCall(cdr, tenant.timeZone));
  },
});

export const showCallRecord = endpoint({
  group,
  methods: ["GET"],
  paths: ["/cdrs/:id"],
  summary: "One call record and the way the call took",
  parameters: Type.Object({ id: words({ description: "the call's uuid", example: CALL_UUID }) }),
  guards: [key, limit("cdrs"), body, schema],
  reply: "json",
  example: { cdr: detailExample, call_flow: [legExample] },
  refusals: [{ refused: "call-not-found", uuid: CALL_UUID }],
  async handle({ id }, { db, exchangeId, tenant }) {
    const uuid = readUuid(id);
    const found = uuid && (await findCdr(db, exchangeId, uuid));
    if (!found) return refuse({ refused: "call-not-found", uuid: id });
    return json({
      cdr: showCallDetail(found.cdr, tenant.timeZone),
      call_flow: found.legs.map((leg) => showLeg(leg, tenant.timeZone)),
    });
  },
});
