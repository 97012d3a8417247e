// Header parameters (`;name=value`) and comma-separated lists, split with respect for quotes and angle brackets.

import {
  BACKSLASH,
  COMMA,
  EQUALS,
  endOfQuoted,
  endOfRun,
  GREATER,
  LESS,
  QUOTE,
  SEMICOLON,
  SPACE,
  skipBlanks,
  TAB,
  TOKEN,
  unquote,
} from "./alphabet.ts";
import type { Malformed } from "./malformed.ts";

/** `name` in lower case; `value` as it stood on the wire, quotes included, and undefined when there was no `=`. */
export type Parameter = { readonly name: string; readonly value: string | undefined };
export type Parameters = readonly Parameter[];

const NONE: Parameters = [];

/** What the parameter says, without its quotes; "" when it stands alone, undefined when it is absent. */
export function parameterOf(parameters: Parameters, name: string): string | undefined {
  for (const parameter of parameters)
    if (parameter.name === name) return parameter.value === undefined ? "" : unquote(parameter.value);
  return undefined;
}

export function hasParameter(parameters: Parameters, name: string): boolean {
  return parameterOf(parameters, name) !== undefined;
}

/** The same list with this parameter set (value undefined: a bare flag), in its old place when it had one. */
export function withParameter(parameters: Parameters, name: string, value: string | undefined): Parameters {
  const at = parameters.findIndex((parameter) => parameter.name === name);
  return at < 0 ? [...parameters, { name, value }] : parameters.with(at, { name, value });
}

export function printParameters(parameters: Parameters): string {
  let text = "";
  for (const { name, value } of parameters) text += value === undefined ? `;${name}` : `;${name}=${value}`;
  return text;
}

/** Reads `;a;b=c;d="e"` from `from` to the end of the text. */
export function parseParameters(text: string, from: number): Parameters | Malformed {
  let at = skipBlanks(text, from);
  if (at === text.length) return NONE;
  const parameters: Parameter[] = [];
  while (at < text.length) {
    if (text.charCodeAt(at) !== SEMICOLON) return { malformed: "text after parameters" };
    const start = skipBlanks(text, at + 1);
    const nameEnd = endOfRun(text, start, TOKEN);
    if (nameEnd === start) return { malformed: "parameter without a name" };
    const name = lowerCase(text.slice(start, nameEnd));
    at = skipBlanks(text, nameEnd);
    let value: string | undefined;
    if (text.charCodeAt(at) === EQUALS) {
      const valueStart = skipBlanks(text, at + 1);
      const valueEnd = endOfValue(text, valueStart);
      if (valueEnd <= valueStart) return { malformed: "parameter without a value" };
      value = text.slice(valueStart, valueEnd);
      at = skipBlanks(text, valueEnd);
    }
    parameters.push({ name, value });
  }
  return parameters;
}

/** The members of a comma-separated header value, trimmed; empty members are kept, so that the caller can refuse them. */
export function splitList(text: string): string[] {
  if (!text.includes(",")) return [text];
  const members: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at = nextOutside(text, at)) {
    if (text.charCodeAt(at) !== COMMA) continue;
    members.push(text.slice(start, at).trim());
    start = at + 1;
  }
  members.push(text.slice(start).trim());
  return members;
}

/** The first member of a comma-separated value: what `splitList` would put first, without looking at the rest. */
export function firstOfList(text: string): string {
  if (!text.includes(",")) return text;
  for (let at = 0; at < text.length; at = nextOutside(text, at))
    if (text.charCodeAt(at) === COMMA) return text.slice(0, at).trimEnd();
  return text;
}

/** The next position that is not inside a quoted string or angle brackets. */
function nextOutside(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return stepOver(text, endOfQuoted(text, at));
  if (code === LESS) return stepOver(text, text.indexOf(">", at) + 1 || -1);
  return at + 1;
}

const stepOver = (text: string, end: number) => (end < 0 ? text.length : end);

// Values are tokens, hosts or quoted strings by the grammar; phones send slashes, colons, `=` and `@` too,
// so a bare value is whatever holds no separator that would make it ambiguous.
function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) === QUOTE) return endOfQuoted(text, from);
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SEMICOLON || code === SPACE || code === TAB || code === COMMA) break;
    if (code === QUOTE || code === LESS || code === GREATER || code === BACKSLASH || code < SPACE) return -1;
  }
  return at;
}

function lowerCase(name: string): string {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code >= 65 && code <= 90) return name.toLowerCase();
  }
  return name;
}
