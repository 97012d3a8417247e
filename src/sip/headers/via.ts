// Via: the way a request came and its response goes back, with `received` and `rport` (RFC 3581).

import { asWritten } from "../../addresses.ts";
import { endOfRun, HOST, SEMICOLON, SLASH, skipBlanks, TOKEN, wholeNumber } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headerOf, type Message, type Response } from "../message/message.ts";
import {
  firstOfList,
  hasParameter,
  type Parameters,
  parameterOf,
  parseParameters,
  printParameters,
  splitList,
  withParameter,
} from "../message/parameters.ts";
import { remember } from "./remember.ts";

/** `transport` in upper case; `host` keeps the brackets of an IPv6 reference; `branch` is "" when there is none. */
export type Via = {
  readonly transport: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly branch: string;
  readonly parameters: Parameters;
};

/** A branch that starts with this was made by RFC 3261 rules, so it alone names the transaction. */
export const MAGIC_COOKIE = "z9hG4bK";

/** The first Via. The parser lets no message through without one; asking one of ours that has none is a mistake. */
export function topViaOf(message: Message): Via {
  const value = headerOf(message, "Via");
  const via = value === undefined ? { malformed: "no Via" } : parseTopVia(value);
  if (isMalformed(via)) throw new Error(`message without a usable Via: ${via.malformed}`);
  return via;
}

/** All of them, the last hop first. */
export function viasOf({ headers }: Message): (Via | Malformed)[] {
  return headers.filter(({ name }) => name === "Via").flatMap(({ value }) => splitList(value).map(parseVia));
}

/** A response that is not at its end with us: a user agent passes nothing on (8.1.3.3). */
export const goesFurther = (response: Response): boolean => hasSeveralVias(response);

/** Whether there is a hop below the first. */
export function hasSeveralVias({ headers }: Message): boolean {
  let vias = 0;
  for (const { name, value } of headers)
    if (name === "Via" && (++vias > 1 || (value.includes(",") && splitList(value).length > 1))) return true;
  return false;
}

/** The address the request really came from, when it differs from what the sender believed (18.2.1); without brackets. */
export function receivedOf(via: Via): string | undefined {
  const address = parameterOf(via.parameters, "received");
  // The grammar has an IPv6 address bare here, some send it as a reference, and both must do (RFC 5118 4.5).
  return address && asWritten(address);
}

/** The port to answer to: a number once stamped, "asked" when the sender wants it stamped. */
export function rportOf(via: Via): number | "asked" | undefined {
  const text = parameterOf(via.parameters, "rport");
  if (text === undefined) return undefined;
  return text === "" ? "asked" : wholeNumber(text, 65535);
}

/**
 * The Via as a server passes it on: `received` where the sent-by host is not the source, `rport` where asked.
 * `address` is bare, without the brackets of an IPv6 reference.
 */
export function stampVia(via: Via, source: { address: string; port: number }): Via {
  let parameters = via.parameters;
  const asked = hasParameter(parameters, "rport");
  const named = asWritten(via.host.toLowerCase()) === source.address;
  if (asked) parameters = withParameter(parameters, "rport", String(source.port));
  if (asked || !named) parameters = withParameter(parameters, "received", source.address);
  return parameters === via.parameters ? via : { ...via, parameters };
}

/** The message with its top Via stamped; the Vias below it stay untouched. */
export function stampTopVia<Kind extends Message>(message: Kind, source: { address: string; port: number }): Kind {
  const via = topViaOf(message);
  const stamped = stampVia(via, source);
  if (stamped === via) return message;
  const at = message.headers.findIndex(({ name }) => name === "Via");
  const [, ...below] = splitList(message.headers[at]?.value ?? "");
  const value = [printVia(stamped), ...below].join(", ");
  return { ...message, headers: message.headers.with(at, { name: "Via", value }) };
}

export function printVia({ transport, host, port, parameters }: Via): string {
  return `SIP/2.0/${transport} ${host}${port === undefined ? "" : `:${port}`}${printParameters(parameters)}`;
}

/** The first member of a Via header value. */
export const parseTopVia = remember((value: string) => parseVia(firstOfList(value)));

export function parseVia(text: string): Via | Malformed {
  const transportStart = text.startsWith("SIP/2.0/") ? 8 : endOfProtocol(text);
  const transportEnd = endOfRun(text, transportStart, TOKEN);
  const hostStart = skipBlanks(text, transportEnd);
  if (transportStart < 0 || transportEnd === transportStart || hostStart === transportEnd)
    return { malformed: "Via without a protocol" };
  const hostEnd = endOfHost(text, hostStart);
  if (hostEnd <= hostStart) return { malformed: "Via without a host" };
  let at = skipBlanks(text, hostEnd);
  let port: number | undefined;
  if (text.charCodeAt(at) === 58) {
    const start = skipBlanks(text, at + 1);
    at = start;
    while (at < text.length && text.charCodeAt(at) > 32 && text.charCodeAt(at) !== SEMICOLON) at++;
    port = wholeNumber(text.slice(start, at), 65535);
    if (port === undefined) return { malformed: "Via with a port that is none" };
  }
  const parameters = parseParameters(text, at);
  if (isMalformed(parameters)) return parameters;
  const transport = upperCase(text.slice(transportStart, transportEnd));
  return { transport, host: text.slice(hostStart, hostEnd), port, branch: branchIn(parameters), parameters };
}

const upperCase = (word: string) => (word === "UDP" || word === "TCP" || word === "TLS" ? word : word.toUpperCase());

// "SIP / 2.0 / " with blanks anywhere; the version is any token, so that a 505 finds its way back.
function endOfProtocol(text: string): number {
  let at = 0;
  for (let part = 0; part < 2; part++) {
    const end = endOfRun(text, at, TOKEN);
    if (end === at || (part === 0 && text.slice(at, end).toUpperCase() !== "SIP")) return -1;
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) !== SLASH) return -1;
    at = skipBlanks(text, at + 1);
  }
  return at;
}

function endOfHost(text: string, from: number): number {
  return text.charCodeAt(from) === 91 ? text.indexOf("]", from) + 1 : endOfRun(text, from, HOST);
}

function branchIn(parameters: Parameters): string {
  for (const { name, value } of parameters) if (name === "branch") return value ?? "";
  return "";
}
