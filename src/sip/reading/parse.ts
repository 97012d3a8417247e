// Octets to a message: one pass over one string, in linear time, with a limit on everything it could be made to hold.

import { parseFrom, parseTo } from "../headers/addresses.ts";
import { parseCSeq } from "../headers/cseq.ts";
import { parseTopVia } from "../headers/via.ts";
import { COLON, endOfRun, SPACE, TAB, TOKEN, wholeNumber } from "../message/alphabet.ts";
import { canonicalName } from "../message/header-name.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { type Header, headerOf, type Message, type Octets, type Request } from "../message/message.ts";
import { isKnownMethod } from "../message/methods.ts";
import { isOurVersion, parseStartLine, type StartLine } from "../message/start-line.ts";

export type Limits = {
  /** Octets of the whole message. */
  message: number;
  /** Physical header lines. */
  headers: number;
  /** Octets of one header, folds included. */
  header: number;
};

export const LIMITS: Limits = { message: 65_535, headers: 256, header: 32_768 };

/** A way is read hop by hop, and nobody's is that long. */
const LONGEST_VIA = 8_192;

/**
 * `request` is there when a malformed request can still be answered with `status`: its Via can be followed.
 * It holds only what a response copies, unchecked, so it is good for `responseTo` and `topViaOf` and nothing else.
 */
export type Parsed = { message: Message } | Refused;
export type Refused = { malformed: string; status: number; request?: Request };

/** A head that was read, and the length of the body it announces. */
export type Head = { line: StartLine; headers: Header[]; end: number; length: number | undefined };

/** One datagram, one message: octets after the announced body are dropped (18.3). */
export function parseMessage(octets: Octets, limits: Limits = LIMITS): Parsed {
  const head = readHead(octets, skipEmptyLines(octets), limits);
  if (isMalformed(head)) return head;
  if (octets.length > limits.message)
    return { ...refuseLine(head.line, head.headers, "message too large"), status: TOO_LARGE };
  const { end, length } = head;
  if (length === undefined) return completeMessage(head, octets.slice(end));
  if (end + length > octets.length) return refuseLine(head.line, head.headers, "body shorter than Content-Length");
  return completeMessage(head, octets.slice(end, end + length));
}

export function readHead(octets: Octets, start: number, limits: Limits): Head | Refused {
  const lineEnd = octets.indexOf("\r\n", start);
  // As in headers, a line end of half a pair is no line end, and no part of a line either.
  if (lineEnd < 0 || octets.indexOf("\n", start) !== lineEnd + 1 || octets.indexOf("\r", start) !== lineEnd)
    return refuse("no start line");
  if (lineEnd - start > limits.header) return { malformed: "start line too long", status: 414 };
  const line = parseStartLine(octets, start, lineEnd);
  const headers: Header[] = [];
  const end = scanHeaders(octets, lineEnd + 2, limits, headers);
  if (isMalformed(line)) return refuseWith(line.malformed, rawRequest(octets.slice(start, lineEnd), headers));
  if (line.is === "request" && !isOurVersion(line.version))
    return { ...refuseLine(line, headers, "SIP version"), status: 505 };
  if (isMalformed(end)) {
    const refused = refuseLine(line, headers, end.malformed);
    return tooLarge.has(end.malformed) ? { ...refused, status: TOO_LARGE } : refused;
  }
  const length = contentLengthIn(headers);
  return isMalformed(length) ? refuseLine(line, headers, length.malformed) : { line, headers, end, length };
}

export function completeMessage({ line, headers }: Head, body: Octets): Parsed {
  const message = messageOf(line, headers, body);
  const fault = faultOf(message);
  if (fault === undefined) return { message };
  const refused = refuseLine(line, headers, fault);
  // Nobody can say what a method of tomorrow wants in its CSeq (RFC 4475 3.1.2.18).
  return fault === OTHER_METHOD && line.is === "request" && !isKnownMethod(line.method)
    ? { ...refused, status: 501 }
    : refused;
}

const TOO_LARGE = 513;
const tooLarge: ReadonlySet<string> = new Set(["too many headers", "header too long"]);

/** A head that was cut off where it got too long: who sent it is told so, if it had come as far as saying that. */
export function refuseEndless(octets: Octets, start: number, limits: Limits): Refused {
  const whole = octets.slice(start, octets.lastIndexOf("\r\n", start + limits.message) + 2);
  const head = readHead(`${whole}\r\n`, 0, { ...limits, headers: Number.POSITIVE_INFINITY });
  const refused = isMalformed(head) ? head : refuseLine(head.line, head.headers, "");
  return { ...refused, malformed: "head too long", status: TOO_LARGE };
}

const OTHER_METHOD = "CSeq names another method";

/** Empty lines before a message are forgiven (7.5). */
function skipEmptyLines(octets: Octets): number {
  let at = 0;
  for (let code = octets.charCodeAt(0); code === 13 || code === 10; code = octets.charCodeAt(at)) at++;
  return at;
}

/** Reads header lines into `headers`; the answer is where the body begins. Those before a fault stay in the list. */
function scanHeaders(octets: Octets, from: number, limits: Limits, headers: Header[]): number | Malformed {
  let at = from;
  for (;;) {
    const first = octets.charCodeAt(at);
    if (first === 13 && octets.charCodeAt(at + 1) === 10) return at + 2;
    if (headers.length === limits.headers) return { malformed: "too many headers" };
    const nameEnd = endOfRun(octets, at, TOKEN);
    if (nameEnd === at) return { malformed: at >= octets.length ? "no end of headers" : "header name" };
    let colon = nameEnd;
    while (octets.charCodeAt(colon) === SPACE || octets.charCodeAt(colon) === TAB) colon++;
    if (octets.charCodeAt(colon) !== COLON) return { malformed: "header without a colon" };
    let end = endOfLine(octets, colon + 1);
    const folded = end >= 0 && isFold(octets, end + 2);
    while (end >= 0 && isFold(octets, end + 2)) end = endOfLine(octets, end + 2);
    if (end < 0) return { malformed: "header line without its end" };
    const name = canonicalName(octets, at, nameEnd);
    if (end - at > (name === "Via" ? LONGEST_VIA : limits.header)) return { malformed: "header too long" };
    const value = trimmed(octets, colon + 1, end);
    headers.push({
      name,
      value: folded ? value.replace(/\r\n[ \t]+/g, " ") : value,
    });
    at = end + 2;
  }
}

/** Where the CRLF is, or -1; a CR or LF alone ends nothing and is refused, or it could smuggle a header. */
function endOfLine(octets: Octets, from: number): number {
  const feed = octets.indexOf("\n", from);
  return feed < 0 || octets.indexOf("\r", from) !== feed - 1 ? -1 : feed - 1;
}

/** A line that begins with a blank goes on where the one before it ended. */
function isFold(octets: Octets, at: number): boolean {
  const code = octets.charCodeAt(at);
  return code === SPACE || code === TAB;
}

function trimmed(octets: Octets, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(octets.charCodeAt(start))) start++;
  while (end > start && isBlank(octets.charCodeAt(end - 1))) end--;
  return octets.slice(start, end);
}

const isBlank = (code: number) => code === SPACE || code === TAB || code === 13 || code === 10;

function contentLengthIn(headers: Header[]): number | undefined | Malformed {
  let length: number | undefined;
  for (const { name, value } of headers) {
    if (name !== "Content-Length") continue;
    if (length !== undefined) return { malformed: "more than one Content-Length" };
    length = wholeNumber(value, 0x7fffffff);
    if (length === undefined) return { malformed: "Content-Length" };
  }
  return length;
}

function messageOf(line: StartLine, headers: Header[], body: Octets): Message {
  return line.is === "request"
    ? requestOf(line, headers, body)
    : { is: "response", status: line.status, reason: line.reason, headers, body };
}

function requestOf(line: StartLine & { is: "request" }, headers: Header[], body: Octets): Request {
  return { is: "request", method: line.method, uri: line.uri, headers, body };
}

/** A request whose first line was no good, kept only to send the refusal back. */
function rawRequest(line: string, headers: Header[]): Request | undefined {
  if (line.startsWith("SIP/")) return undefined;
  const method = line.slice(0, endOfRun(line, 0, TOKEN));
  return method === "" ? undefined : { is: "request", method, uri: "", headers, body: "" };
}

/** The headers every message must carry, once, and well-formed; the answer is what is wrong. */
function faultOf(message: Message): string | undefined {
  let seen = 0;
  for (const { name } of message.headers) {
    const bit = onceBit(name);
    if ((seen & bit) !== 0) return `more than one ${name}`;
    seen |= bit;
  }
  const via = headerOf(message, "Via");
  const from = headerOf(message, "From");
  const to = headerOf(message, "To");
  if (via === undefined || from === undefined || to === undefined) return "Via, From or To missing";
  if (!isCallId(headerOf(message, "Call-ID"))) return "Call-ID";
  return faultInCSeq(message) ?? faultIn(parseTopVia(via)) ?? faultIn(parseFrom(from)) ?? faultIn(parseTo(to));
}

/** One bit for each header that comes once. Compared one by one: looking them up in a record shows in the bench. */
function onceBit(name: string): number {
  if (name === "From") return 1;
  if (name === "To") return 2;
  if (name === "Call-ID") return 4;
  if (name === "CSeq") return 8;
  return name === "Max-Forwards" ? 16 : 0;
}

function faultInCSeq(message: Message): string | undefined {
  const value = headerOf(message, "CSeq");
  if (value === undefined) return "no CSeq";
  const cseq = parseCSeq(value);
  if (isMalformed(cseq)) return cseq.malformed;
  return message.is === "request" && cseq.method !== message.method ? OTHER_METHOD : undefined;
}

function faultIn(parsed: object | Malformed): string | undefined {
  return isMalformed(parsed) ? parsed.malformed : undefined;
}

// The grammar's word is nearly all of ASCII; whatever is printable and has no blank does no harm.
function isCallId(value: string | undefined): boolean {
  if (value === undefined || value === "") return false;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code <= 32 || code >= 127) return false;
  }
  return true;
}

export function refuseLine(line: StartLine, headers: Header[], malformed: string): Refused {
  return refuseWith(malformed, line.is === "request" ? requestOf(line, headers, "") : undefined);
}

function refuseWith(malformed: string, request: Request | undefined): Refused {
  const answerable = request && answerableRequest(request);
  return answerable ? { malformed, status: 400, request: answerable } : refuse(malformed);
}

const refuse = (malformed: string): Refused => ({ malformed, status: 400 });

/** What a refusal copies, and no more: an ACK is never answered (17.1.1.3), and without a Via nobody knows where to. */
function answerableRequest(request: Request): Request | undefined {
  const [top, ...vias] = request.headers.filter(({ name }) => name === "Via");
  const via = top && followableVia(top.value);
  if (via === undefined || request.method === "ACK") return undefined;
  const singles = ["From", "To", "Call-ID", "CSeq"].flatMap(
    (wanted) => request.headers.find(({ name }) => name === wanted) ?? [],
  );
  return { ...request, headers: [{ name: "Via", value: via }, ...vias, ...singles], body: "" };
}

/** The Via as it came, or cut to its address when only its parameters are spoilt. */
function followableVia(value: string): string | undefined {
  if (!isMalformed(parseTopVia(value))) return value;
  const semicolon = value.indexOf(";");
  const address = semicolon < 0 ? value : value.slice(0, semicolon);
  return isMalformed(parseTopVia(address)) ? undefined : address;
}
