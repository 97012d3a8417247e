// What a body is and what it is for: Content-Type, Content-Disposition, and the types a peer accepts.

import { consistsOf, TOKEN } from "../message/alphabet.ts";
import { isMalformed, type Malformed } from "../message/malformed.ts";
import { headerOf, headersOf, type Message } from "../message/message.ts";
import { type Parameters, parameterOf, parseParameters, splitList } from "../message/parameters.ts";
import { wordWithParameters } from "./event.ts";

/** `type` is "type/subtype" in lower case. */
export type MediaType = { readonly type: string; readonly parameters: Parameters };

export type Disposition = { readonly kind: string; readonly optional: boolean; readonly parameters: Parameters };

export function contentTypeOf(message: Pick<Message, "headers">): MediaType | undefined | Malformed {
  const value = headerOf(message, "Content-Type");
  return value === undefined ? undefined : parseMediaType(value);
}

/** Whether the body is of that type; a malformed type is none. */
export function hasContent(message: Message, type: string): boolean {
  const content = contentTypeOf(message);
  return content !== undefined && !isMalformed(content) && content.type === type;
}

export function contentDispositionOf(message: Pick<Message, "headers">): Disposition | undefined | Malformed {
  const fields = wordWithParameters(headerOf(message, "Content-Disposition"));
  if (fields === undefined || isMalformed(fields)) return fields;
  const optional = parameterOf(fields.parameters, "handling")?.toLowerCase() === "optional";
  return { kind: fields.word.toLowerCase(), optional, parameters: fields.parameters };
}

/** Every type of Accept in order; undefined when the header is absent, which for an INVITE means SDP. */
export function acceptOf(message: Message): MediaType[] | undefined | Malformed {
  const values = headersOf(message, "Accept");
  if (values.length === 0) return undefined;
  const types: MediaType[] = [];
  for (const member of values.flatMap(splitList)) {
    if (member === "") continue;
    const type = parseMediaType(member);
    if (isMalformed(type)) return type;
    types.push(type);
  }
  return types;
}

export function accepts(message: Message, type: string): boolean {
  const accepted = acceptOf(message);
  if (accepted === undefined) return type === "application/sdp";
  if (isMalformed(accepted)) return false;
  const family = `${type.split("/")[0]}/*`;
  return accepted.some((range) => range.type === type || range.type === family || range.type === "*/*");
}

function parseMediaType(text: string): MediaType | Malformed {
  const semicolon = text.indexOf(";");
  const words = (semicolon < 0 ? text : text.slice(0, semicolon)).split("/").map((word) => word.trim().toLowerCase());
  if (words.length !== 2 || !words.every((word) => consistsOf(word, TOKEN))) return { malformed: "media type" };
  const parameters = parseParameters(text, semicolon < 0 ? text.length : semicolon);
  return isMalformed(parameters) ? parameters : { type: words.join("/"), parameters };
}
