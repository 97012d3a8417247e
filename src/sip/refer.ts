// REFER (RFC 3515): whom to call, in place of which dialog (RFC 3891), and the news of how it went.

import { referredByOf, referToOf } from "./headers/addresses.ts";
import { parseReplaces, type Replaces } from "./headers/replaces.ts";
import { isMalformed, type Malformed } from "./message/malformed.ts";
import { type Header, headerOf, type Octets, type Request } from "./message/message.ts";
import { reasonOf } from "./message/status.ts";
import { parseUri, printUri } from "./message/uri.ts";

export type Transfer = {
  /** Whom to call: an address without the headers that came inside it. */
  target: string;
  /** There for an attended transfer: the consultation call whose place the new one takes. */
  replaces: Replaces | undefined;
  /** On whose behalf, as the new INVITE says it. */
  referredBy: string | undefined;
};

export function transferIn(refer: Request): Transfer | Malformed {
  const to = referToOf(refer);
  if (to === undefined) return { malformed: "no Refer-To" };
  if (isMalformed(to)) return to;
  const uri = parseUri(to.uri);
  if (isMalformed(uri)) return uri;
  const by = referredByOf(refer);
  const referredBy = by === undefined || isMalformed(by) ? undefined : headerOf(refer, "Referred-By");
  if (uri.scheme !== "sip" && uri.scheme !== "sips") return { target: to.uri, replaces: undefined, referredBy };
  const method = uri.parameters.find(({ name }) => name === "method")?.value ?? "INVITE";
  if (method.toUpperCase() !== "INVITE") return { malformed: "Refer-To asks for something other than a call" };
  const inside = uri.headers.find(({ name }) => name.toLowerCase() === "replaces")?.value;
  const replaces = inside === undefined ? undefined : parseReplaces(inside);
  if (isMalformed(replaces)) return replaces;
  const parameters = uri.parameters.filter(({ name }) => name !== "method");
  return { target: printUri({ ...uri, parameters, headers: [] }), replaces, referredBy };
}

/** Whether the one who asks wants to hear how it goes; RFC 4488 lets it decline. */
export function wantsNews(refer: Request): boolean {
  return headerOf(refer, "Refer-Sub")?.trim().toLowerCase().startsWith("false") !== true;
}

/** The body of a NOTIFY about a transfer: the first line of the response the transferred call got. */
export function transferNews(status: number): { headers: Header[]; body: Octets } {
  return {
    headers: [{ name: "Content-Type", value: "message/sipfrag;version=2.0" }],
    body: `SIP/2.0 ${status} ${reasonOf(status)}\r\n`,
  };
}
