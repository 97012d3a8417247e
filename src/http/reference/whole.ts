// The whole reference in Markdown, call operations and the SMS API included, for docs/api.md.

import type { Exchange } from "../../exchange/exchange.ts";
import type { FaxOffice } from "../../exchange/faxes/fax-office.ts";
import { callsApi } from "../exchange/calls.ts";
import { faxesApi } from "../exchange/faxes.ts";
import { exchangeApi } from "../exchange/routes.ts";
import { documented } from "./documented.ts";
import { markdownOf } from "./markdown.ts";
import { openApiOf } from "./openapi.ts";

export function wholeReference(): string {
  // Describing the operations does not carry any of them out, so there need not be an exchange behind them.
  const noExchange = {} as Exchange;
  const noFax = {} as FaxOffice;
  return markdownOf(openApiOf(documented([...callsApi(noExchange), ...exchangeApi, ...faxesApi(noFax)])));
}
