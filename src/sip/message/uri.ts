// SIP, SIPS and TEL addresses (RFC 3261 19.1, RFC 3966): parsed, printed, compared by the rules of 19.1.4.

import { charactersOf, consistsOf, HOST, UNRESERVED, wholeNumber } from "./alphabet.ts";
import { escapeOctets, isEscaped, unescapeOctets } from "./escape.ts";
import { isMalformed, type Malformed } from "./malformed.ts";
import type { Parameter, Parameters } from "./parameters.ts";

export type SipUri = {
  readonly scheme: "sip" | "sips";
  /** Unescaped octets; undefined when the address has no user part. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** In lower case; an IPv6 reference keeps its brackets. */
  readonly host: string;
  readonly port: number | undefined;
  /** Names in lower case, values unescaped. */
  readonly parameters: Parameters;
  /** Names as written, values unescaped. */
  readonly headers: Parameters;
};

export type TelUri = {
  readonly scheme: "tel";
  /** Without visual separators; a leading + marks a global number. */
  readonly number: string;
  readonly parameters: Parameters;
};

export type OtherUri = { readonly scheme: "other"; readonly name: string; readonly text: string };
export type Uri = SipUri | TelUri | OtherUri;

const USER = charactersOf("&=+$,;?/");
/** What is read there: phones send codes such as *31# as they were dialled. */
const DIALLED = charactersOf("&=+$,;?/#");
const PASSWORD = charactersOf("&=+$,");
const PARAMETER = charactersOf("[]/:&+$");
const HEADER = charactersOf("[]/?:+$");
for (const table of [USER, DIALLED, PASSWORD, PARAMETER, HEADER])
  for (let code = 0; code < 256; code++) if (UNRESERVED[code] === 1) table[code] = 1;

const SCHEME = charactersOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.");
const IPV6 = charactersOf("0123456789abcdefABCDEF:.");
const NO_PARAMETERS: Parameters = [];

export const escapeUser = (octets: string): string => escapeOctets(octets, USER);

/** The text of a sip: or sips: address, or the mark when it is anything else. */
export function parseSipUri(text: string): SipUri | Malformed {
  const uri = parseUri(text);
  if (isMalformed(uri)) return uri;
  return uri.scheme === "sip" || uri.scheme === "sips" ? uri : { malformed: "not a SIP address" };
}

/** It asks for help whatever the number is here (RFC 5031). */
export function isForHelp(text: string): boolean {
  return /^urn:service:sos(\.[a-z0-9-]+)*$/i.test(text);
}

/** The number or name in an address; undefined where there is none. */
export function userIn(text: string): string | undefined {
  const uri = parseUri(text);
  if (isMalformed(uri) || uri.scheme === "other") return undefined;
  return uri.scheme === "tel" ? uri.number : uri.user;
}

export function parseUri(text: string): Uri | Malformed {
  const colon = text.indexOf(":");
  if (colon < 1) return { malformed: "address without a scheme" };
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme === "sip" || scheme === "sips") return parseSip(scheme, text, colon + 1);
  if (scheme === "tel") return parseTel(text.slice(colon + 1));
  return consistsOf(scheme, SCHEME) ? { scheme: "other", name: scheme, text } : { malformed: "scheme" };
}

function parseSip(scheme: "sip" | "sips", text: string, from: number): SipUri | Malformed {
  // The user part may hold ; and ? but never a bare @, so the first @ ends it.
  const at = text.indexOf("@", from);
  const account = at < 0 ? NOBODY : parseAccount(text.slice(from, at));
  if (isMalformed(account)) return account;
  const rest = text.slice(at < 0 ? from : at + 1);
  const question = rest.indexOf("?");
  const place = question < 0 ? rest : rest.slice(0, question);
  const semicolon = place.indexOf(";");
  const hostPort = parseHostPort(semicolon < 0 ? place : place.slice(0, semicolon));
  if (isMalformed(hostPort)) return hostPort;
  const parameters = semicolon < 0 ? NO_PARAMETERS : parsePairs(place.slice(semicolon + 1), ";", PARAMETER);
  if (isMalformed(parameters)) return parameters;
  const headers = question < 0 ? NO_PARAMETERS : parsePairs(rest.slice(question + 1), "&", HEADER);
  if (isMalformed(headers)) return headers;
  return {
    scheme,
    user: account.user,
    password: account.password,
    host: hostPort.host,
    port: hostPort.port,
    parameters,
    headers,
  };
}

type Account = { user: string | undefined; password: string | undefined };
const NOBODY: Account = { user: undefined, password: undefined };

function parseAccount(text: string): Account | Malformed {
  const colon = text.indexOf(":");
  const user = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? undefined : text.slice(colon + 1);
  if (user === "" || !isEscaped(user, DIALLED)) return { malformed: "user part" };
  if (password !== undefined && !isEscaped(password, PASSWORD)) return { malformed: "password" };
  return { user: unescapeOctets(user), password: password === undefined ? undefined : unescapeOctets(password) };
}

/** `host`, `host:port`, `[v6]` or `[v6]:port`. */
function parseHostPort(text: string): { host: string; port: number | undefined } | Malformed {
  const v6 = text.charCodeAt(0) === 91;
  const cut = v6 ? text.indexOf("]") + 1 : text.indexOf(":");
  const hostEnd = cut <= 0 ? text.length : cut;
  const host = withoutExtraColon(text.slice(0, hostEnd).toLowerCase());
  if (!(v6 ? isIpv6Reference(host) : consistsOf(host, HOST))) return { malformed: "host" };
  if (hostEnd === text.length) return { host, port: undefined };
  const port = text.charCodeAt(hostEnd) === 58 ? wholeNumber(text.slice(hostEnd + 1), 65535) : undefined;
  return port === undefined ? { malformed: "port" } : { host, port };
}

// The grammar of RFC 3261 wrongly has three colons before an embedded IPv4 address; both forms must do (RFC 5118 4.10).
function withoutExtraColon(host: string): string {
  return host.includes(":::") && host.includes(".") ? host.replace(":::", "::") : host;
}

function isIpv6Reference(host: string): boolean {
  const address = host.slice(1, -1);
  return host.endsWith("]") && consistsOf(address, IPV6) && address.includes(":") && !address.includes(":::");
}

function parsePairs(text: string, separator: string, allowed: Uint8Array): Parameters | Malformed {
  const pairs: Parameter[] = [];
  for (const pair of text.split(separator)) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? undefined : pair.slice(equals + 1);
    if (name === "" || !isEscaped(name, allowed)) return { malformed: "parameter name in an address" };
    if (value !== undefined && !isEscaped(value, allowed)) return { malformed: "parameter value in an address" };
    pairs.push({
      name: separator === ";" ? unescapeOctets(name).toLowerCase() : unescapeOctets(name),
      value: value === undefined ? undefined : unescapeOctets(value),
    });
  }
  return pairs;
}

const TEL_DIGITS = charactersOf("0123456789*#abcdefABCDEF+-.()");

function parseTel(text: string): TelUri | Malformed {
  const semicolon = text.indexOf(";");
  const written = semicolon < 0 ? text : text.slice(0, semicolon);
  const number = written.replace(/[-.()]/g, "");
  if (!consistsOf(written, TEL_DIGITS) || number.lastIndexOf("+") > 0 || number.replace("+", "") === "")
    return { malformed: "telephone number" };
  const parameters = semicolon < 0 ? NO_PARAMETERS : parsePairs(text.slice(semicolon + 1), ";", PARAMETER);
  return isMalformed(parameters) ? parameters : { scheme: "tel", number, parameters };
}

export function printUri(uri: Uri): string {
  if (uri.scheme === "other") return uri.text;
  if (uri.scheme === "tel") return `tel:${uri.number}${printPairs(uri.parameters, ";", ";")}`;
  const password = uri.password === undefined ? "" : `:${escapeOctets(uri.password, PASSWORD)}`;
  const account = uri.user === undefined ? "" : `${escapeUser(uri.user)}${password}@`;
  const port = uri.port === undefined ? "" : `:${uri.port}`;
  const parameters = printPairs(uri.parameters, ";", ";");
  return `${uri.scheme}:${account}${uri.host}${port}${parameters}${printPairs(uri.headers, "?", "&")}`;
}

function printPairs(pairs: Parameters, first: string, next: string): string {
  const allowed = next === ";" ? PARAMETER : HEADER;
  let text = "";
  for (const { name, value } of pairs) {
    text += (text === "" ? first : next) + escapeOctets(name, allowed);
    if (value !== undefined) text += `=${escapeOctets(value, allowed)}`;
  }
  return text;
}
