// The first line of a message: `METHOD uri SIP/2.0` or `SIP/2.0 status reason`.

import { endOfRun, TOKEN, wholeNumber } from "./alphabet.ts";
import type { Malformed } from "./malformed.ts";

export type StartLine =
  | { is: "request"; method: string; uri: string; version: string }
  | { is: "response"; status: number; reason: string };

const VERSION = "SIP/2.0";

export const isOurVersion = (version: string): boolean => version === VERSION || version.toUpperCase() === VERSION;

export function parseStartLine(text: string, start: number, end: number): StartLine | Malformed {
  return isStatusLine(text, start) ? parseStatusLine(text, start, end) : parseRequestLine(text, start, end);
}

// A method never holds a slash, so four characters tell the two lines apart.
function isStatusLine(text: string, start: number): boolean {
  return text.charCodeAt(start + 3) === 47 && text.slice(start, start + 4).toUpperCase() === "SIP/";
}

function parseStatusLine(text: string, start: number, end: number): StartLine | Malformed {
  const versionEnd = start + VERSION.length;
  if (!isOurVersion(text.slice(start, versionEnd)) || text.charCodeAt(versionEnd) !== 32)
    return { malformed: "version of the status line" };
  const codeEnd = versionEnd + 4;
  const status = codeEnd > end ? undefined : wholeNumber(text.slice(versionEnd + 1, codeEnd), 699);
  if (status === undefined || status < 100) return { malformed: "status code" };
  // The blank before an empty reason is required, and forgotten by enough senders to be forgiven.
  if (codeEnd !== end && text.charCodeAt(codeEnd) !== 32) return { malformed: "status code" };
  return { is: "response", status, reason: text.slice(Math.min(codeEnd + 1, end), end) };
}

function parseRequestLine(text: string, start: number, end: number): StartLine | Malformed {
  const methodEnd = endOfRun(text, start, TOKEN);
  if (methodEnd === start || text.charCodeAt(methodEnd) !== 32) return { malformed: "method" };
  const uriStart = methodEnd + 1;
  const uriEnd = text.indexOf(" ", uriStart);
  if (uriEnd < 0 || uriEnd >= end) return { malformed: "request line without a version" };
  if (!isRequestUri(text, uriStart, uriEnd)) return { malformed: "Request-URI" };
  const version = text.slice(uriEnd + 1, end);
  if (!isVersion(version)) return { malformed: "version of the request line" };
  return { is: "request", method: text.slice(start, methodEnd), uri: text.slice(uriStart, uriEnd), version };
}

// A scheme and a colon, no control characters, quotes or brackets; `parseUri` looks closer where it is routed.
function isRequestUri(text: string, start: number, end: number): boolean {
  let colon = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 34 || code === 60 || code === 62 || code === 127) return false;
    if (code === 58 && at > start) colon = true;
  }
  return colon;
}

function isVersion(version: string): boolean {
  if (version === VERSION) return true;
  return version.length <= 16 && /^SIP\/\d+\.\d+$/i.test(version);
}
