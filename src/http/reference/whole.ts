// The whole reference, call operations and the SMS API included: in Markdown for docs/api.md, and as the client.

import type { Exchange } from "../../exchange/exchange.ts";
import type { FaxOffice } from "../../exchange/features/faxes/fax-office.ts";
import { callsApi } from "../exchange/calls.ts";
import { faxesApi } from "../exchange/faxes.ts";
import { exchangeApi } from "../exchange/routes.ts";
import { clientOf } from "./client.ts";
import { documented } from "./documented.ts";
import { markdownOf } from "./markdown.ts";
import { type OpenApi, openApiOf } from "./openapi.ts";

export function wholeReference(): string {
  return markdownOf(wholeDocument());
}

/** `line`: see there. */
export function wholeClient(line: string): string {
  return clientOf(wholeDocument(), line);
}

function wholeDocument(): OpenApi {
  // Describing the operations does not carry any of them out, so there need not be an exchange behind them.
  const noExchange = {} as Exchange;
  const noFax = {} as FaxOffice;
  return openApiOf(documented([...callsApi(noExchange), ...exchangeApi, ...faxesApi(noFax)]));
}
