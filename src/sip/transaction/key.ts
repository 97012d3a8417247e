// By what a request or response is known to belong to a transaction: RFC 3261 §17.1.3 and §17.2.3.

import { callIdOf, fromOf } from "../headers/addresses.ts";
import { cseqOf } from "../headers/cseq.ts";
import { tagOf } from "../headers/name-address.ts";
import { MAGIC_COOKIE, printVia, type Via } from "../headers/via.ts";
import { flat } from "../message/flat.ts";
import type { Request } from "../message/message.ts";

/** An ACK is looked for under its INVITE; a CANCEL asks for its INVITE by naming the method. */
export function serverKey(request: Request, via: Via, method = request.method): string {
  const asked = method === "ACK" ? "INVITE" : method;
  if (via.branch.length > MAGIC_COOKIE.length && via.branch.startsWith(MAGIC_COOKIE))
    return flat(`${asked} ${via.branch} ${via.host.toLowerCase()}:${via.port ?? ""}`);
  return flat(oldKey(request, via, asked));
}

export const clientKey = (method: string, branch: string): string => `${method} ${branch}`;

/** Of a request of ours, from its beginning: we put our Via on top of it. */
export function sentKey(octets: string): string | undefined {
  const [, method, branch] = SENT.exec(octets) ?? [];
  return method === undefined || branch === undefined ? undefined : clientKey(method, branch);
}

const SENT = /^([A-Z]+) [^\r\n]*\r\nVia: [^\r\n]*;branch=([\w.-]+)/;

// Senders older than RFC 3261 promise nothing of their branch, so everything that must be equal goes into the key.
function oldKey(request: Request, via: Via, method: string): string {
  const tag = tagOf(fromOf(request)) ?? "";
  return `${method} ${request.uri} ${callIdOf(request)} ${tag} ${cseqOf(request).number} ${printVia(via)}`;
}
