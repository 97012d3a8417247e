// A multipart body taken apart (RFC 2046): some phones wrap the session description in one.

import { contentTypeOf, type MediaType, parseMediaType } from "../headers/content.ts";
import { canonicalName } from "../message/header-name.ts";
import { isMalformed } from "../message/malformed.ts";
import type { Message, Octets } from "../message/message.ts";
import { parameterOf } from "../message/parameters.ts";

export type Part = { type: MediaType | undefined; body: Octets };

const MOST_PARTS = 16;

/** The parts of a multipart body; any other body is one part. */
export function partsOf(message: Message): Part[] {
  const type = contentTypeOf(message);
  if (type === undefined || isMalformed(type)) return [{ type: undefined, body: message.body }];
  const boundary = type.type.startsWith("multipart/") ? parameterOf(type.parameters, "boundary") : undefined;
  if (boundary === undefined || boundary === "") return [{ type, body: message.body }];
  return splitParts(message.body, `--${boundary}`);
}

/** The first part of that type. */
export function partOf(message: Message, type: string): Octets | undefined {
  return partsOf(message).find((part) => part.type?.type === type)?.body;
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
  if (headEnd < 0) return { type: undefined, body: text };
  const body = text.slice(headEnd === 0 ? 2 : headEnd + 4);
  for (const line of text.slice(0, headEnd).split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon < 1 || canonicalName(line, 0, colon) !== "Content-Type") continue;
    const type = parseMediaType(line.slice(colon + 1).trim());
    return { type: isMalformed(type) ? undefined : type, body };
  }
  return { type: undefined, body };
}
