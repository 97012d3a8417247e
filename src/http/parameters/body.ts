// A request's body becomes parameters whatever its sender called it: clients mislabel JSON and forms, or say nothing.

import { readForm } from "./form.ts";
import { readJson } from "./json-body.ts";
import { boundaryOf, readMultipart } from "./multipart.ts";
import { INVALID_JSON, INVALID_UTF8, type Sent, type Unreadable } from "./sent.ts";
import { utf8 } from "./text.ts";

export function readBody(body: Buffer, contentType: string): Sent | Unreadable {
  if (/^\s*multipart\/form-data/i.test(contentType)) {
    const boundary = boundaryOf(contentType);
    if (boundary !== undefined) return readMultipart(body, boundary);
  }
  const saysJson = /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(contentType);
  const text = utf8(body)?.trim(); // a byte order mark is taken off by the decoder, blanks here
  if (text === undefined) return saysJson ? INVALID_JSON : INVALID_UTF8;
  if (text === "") return new Map();
  if (text.startsWith("{") || text.startsWith("[")) return readJson(text);
  // A form in JSON's clothes has an equals sign where JSON never could: before any quote.
  if (saysJson && !/^[\w[\]%.-]+=/.test(text)) return readJson(text);
  return readForm(text);
}
