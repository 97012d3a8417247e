// The response-time report: how long callers waited for a person.

import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Db } from "../../../store/db.ts";
import { type ResponseTimes, responseTimes } from "../../../store/response-times.ts";
import type { Scope } from "../../../store/scope.ts";
import { closed } from "../operation/closed.ts";
import { operation } from "../operation/operation.ts";
import { callFilterOf } from "./call-filter.ts";
import { moment, text, whole } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

const DEFAULT_PROMISE = 20;

const parameters = closed(
  Type.Object({
    from: moment(),
    before: moment(),
    direction: Type.Optional(Type.Enum(["inbound", "internal"])),
    queue: Type.Optional(text()),
    extension: Type.Optional(text(8)),
    ownNumber: Type.Optional(text(64)),
    promisedSeconds: Type.Optional(whole(1, 3_600)),
  }),
);

type Wanted = Static<typeof parameters>;
type Asker = { db: Db; exchangeId: number; timeZone: string; scope: Scope };

export const responses = {
  "reports.responseTimes": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, { db, exchangeId, tenant, scope }) =>
      responseReport(wanted, { db, exchangeId, timeZone: tenant.timeZone, scope }),
  }),
};

export type ResponseReport = ResponseTimes & { promisedSeconds: number };

export async function responseReport(
  { from, before, promisedSeconds = DEFAULT_PROMISE, direction = "inbound", ...rest }: Wanted,
  { db, exchangeId, timeZone, scope }: Asker,
): Promise<ResponseReport> {
  const filter = {
    ...(await callFilterOf({ ...rest, direction }, { db, exchangeId, scope })),
    ...stretchOf({ from, before }),
  };
  const times = await responseTimes(db, { exchangeId, timeZone, filter, promisedSeconds });
  return { promisedSeconds, ...times };
}

/** The same out of a query string. */
export function readResponseSearch(query: URLSearchParams): Wanted | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.promisedSeconds !== undefined) sent.promisedSeconds = Number(sent.promisedSeconds);
  return Value.Check(parameters, sent) ? sent : undefined;
}
