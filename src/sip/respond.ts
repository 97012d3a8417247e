// The response to a request: what RFC 3261 8.2.6.2 says must be copied, copied.

import { parseTo } from "./headers/addresses.ts";
import { tagOf } from "./headers/name-address.ts";
import { isMalformed } from "./message/malformed.ts";
import type { Header, Octets, Request, Response } from "./message/message.ts";
import { reasonOf } from "./message/status.ts";

export type ResponseOptions = {
  reason?: string;
  /** Added to To when the request brought none; a 100 needs none (8.2.6.2). */
  toTag?: string;
  /** After the copied ones, in this order. */
  headers?: Header[];
  body?: Octets;
};

const COPIED: Readonly<Record<string, true>> = { Via: true, From: true, "Call-ID": true, CSeq: true };

/** Good for malformed requests too: what is not there is not copied. */
export function responseTo(request: Request, status: number, options: ResponseOptions = {}): Response {
  const headers: Header[] = [];
  const withRoute = status > 100 && status < 300 && createsDialog(request.method);
  for (const header of request.headers) {
    const { name } = header;
    if (COPIED[name] || (withRoute && name === "Record-Route")) headers.push(header);
    else if (name === "To") headers.push(status === 100 ? header : tagged(header, options.toTag));
    else if (status === 100 && name === "Timestamp") headers.push(header);
  }
  if (options.headers) headers.push(...options.headers);
  return { is: "response", status, reason: options.reason ?? reasonOf(status), headers, body: options.body ?? "" };
}

const createsDialog = (method: string) => method === "INVITE" || method === "SUBSCRIBE" || method === "REFER";

function tagged(to: Header, tag: string | undefined): Header {
  if (tag === undefined) return to;
  const address = parseTo(to.value);
  if (!isMalformed(address) && tagOf(address) !== undefined) return to;
  return { name: "To", value: `${to.value};tag=${tag}` };
}
