// A body of several parts taken apart (RFC 2046, RFC 5621): some phones and carriers wrap the session description in one.

import { contentDispositionOf, contentTypeOf, type MediaType } from "../headers/content.ts";
import { canonicalName } from "../message/header-name.ts";
import { isMalformed } from "../message/malformed.ts";
import type { Message, Octets } from "../message/message.ts";
import { parameterOf } from "../message/parameters.ts";

/** A message, or a part of one: what its headers say of its body. */
export type Part = Pick<Message, "headers" | "body">;

/** What a session description comes in. */
export const SESSION_TYPES: readonly string[] = ["application/sdp", "multipart/mixed", "multipart/alternative"];

const MOST_PARTS = 16;
const DEEPEST = 3;

/** The parts of a multipart body; any other body is one part. */
export function partsOf(part: Part): Part[] {
  const type = typeOf(part);
  if (!type?.type.startsWith("multipart/")) return [part];
  const boundary = parameterOf(type.parameters, "boundary");
  return boundary === undefined || boundary === "" ? [] : splitParts(part.body, `--${boundary}`);
}

/** The session description that a message brings, alone or among other parts. */
export function sessionIn(part: Part, depth = 0): Octets | undefined {
  const type = typeOf(part)?.type;
  if (type === "application/sdp") return isOfSession(part) ? part.body : undefined;
  if (!type?.startsWith("multipart/") || depth === DEEPEST) return undefined;
  const found = partsOf(part).flatMap((inner) => sessionIn(inner, depth + 1) ?? []);
  // Of alternatives the last one that is understood is the best (RFC 2046 5.1.4).
  return found.at(type === "multipart/alternative" ? -1 : 0);
}

export type BodyFault = "malformed" | "unknown";

/** What keeps us from taking a body: parts that cannot be told apart, or one that must be understood and is not. */
export function faultInParts(part: Part, contentTypes: readonly string[], depth = 0): BodyFault | undefined {
  const type = typeOf(part)?.type ?? "text/plain"; // what has none is text (RFC 2046 5.2)
  if (!contentTypes.includes(type)) return "unknown";
  if (!type.startsWith("multipart/")) return undefined;
  const parts = partsOf(part);
  if (parts.length === 0 || depth === DEEPEST) return "malformed";
  const faults = parts.map((inner) => (isOptional(inner) ? undefined : faultInParts(inner, contentTypes, depth + 1)));
  if (type === "multipart/alternative" && faults.includes(undefined)) return undefined;
  return faults.find((fault) => fault !== undefined);
}

function typeOf(part: Part): MediaType | undefined {
  const type = contentTypeOf(part);
  return isMalformed(type) ? undefined : type;
}

function isOptional(part: Part): boolean {
  const disposition = contentDispositionOf(part);
  return disposition !== undefined && !isMalformed(disposition) && disposition.optional;
}

/** A description is one of the session unless it says that it is of something else (RFC 3959). */
function isOfSession(part: Part): boolean {
  const disposition = contentDispositionOf(part);
  return disposition === undefined || (!isMalformed(disposition) && disposition.kind === "session");
}

function splitParts(body: Octets, delimiter: string): Part[] {
  const parts: Part[] = [];
  let at = body.startsWith(delimiter) ? 0 : body.indexOf(`\r\n${delimiter}`) + 2;
  if (at === 1) return parts;
  while (parts.length < MOST_PARTS) {
    const start = body.indexOf("\r\n", at) + 2;
    if (start === 1 || body.startsWith("--", at + delimiter.length)) break;
    const end = body.indexOf(`\r\n${delimiter}`, start - 2);
    if (end < 0) break;
    parts.push(partIn(body.slice(start, Math.max(start, end))));
    at = end + 2;
  }
  return parts;
}

function partIn(text: Octets): Part {
  const headEnd = text.startsWith("\r\n") ? 0 : text.indexOf("\r\n\r\n");
  if (headEnd < 0) return { headers: [], body: text };
  const lines = text.slice(0, headEnd).split("\r\n");
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : { name: canonicalName(line, 0, colon), value: line.slice(colon + 1).trim() };
  });
  return { headers, body: text.slice(headEnd === 0 ? 2 : headEnd + 4) };
}
