// The response-time report: how long callers waited for a person.

import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { responseReport } from "../../../reports/response-report.ts";
import { withinOf } from "../../../store/scope.ts";
import { closed } from "../operation/closed.ts";
import { operation } from "../operation/operation.ts";
import { moment, text, whole } from "./fields.ts";
import { stretchOf } from "./stretch.ts";

/** What the report may be narrowed to. */
export const responseFilter = {
  direction: Type.Optional(Type.Enum(["inbound", "internal"])),
  queue: Type.Optional(text()),
  extension: Type.Optional(text(8)),
  ownNumber: Type.Optional(text(64)),
  promisedSeconds: Type.Optional(whole(1, 3_600)),
};

const parameters = closed(
  Type.Object({
    from: moment(),
    before: moment(),
    ...responseFilter,
  }),
);

type Wanted = Static<typeof parameters>;

export const responses = {
  "reports.responseTimes": operation({
    right: "see-reports",
    reads: true,
    parameters,
    handle: (wanted, { db, exchangeId, tenant, scope }) => {
      const whose = { exchangeId, timeZone: tenant.timeZone, within: withinOf(scope) };
      return responseReport(db, { ...stretchOf(wanted), ...whose }, wanted);
    },
  }),
};

/** The same out of a query string. */
export function readResponseSearch(query: URLSearchParams): Wanted | undefined {
  const sent: Record<string, unknown> = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  if (sent.promisedSeconds !== undefined) sent.promisedSeconds = Number(sent.promisedSeconds);
  return Check(parameters, sent) ? sent : undefined;
}
