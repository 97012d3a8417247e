// Query strings and HTML forms: pairs of percent-encoded UTF-8.

import { add, INVALID_UTF8, MOST_PARAMETERS, type Sent, TOO_MANY, type Unreadable } from "./sent.ts";

export function readForm(encoded: string, into: Sent = new Map()): Sent | Unreadable {
  let at = 0;
  let count = 0;
  // Looked for once each: to look anew for every name takes as long as all that follows it.
  let mark = encoded.indexOf("=");
  while (at < encoded.length) {
    let end = encoded.indexOf("&", at);
    if (end < 0) end = encoded.length;
    if (end > at) {
      if (++count > MOST_PARAMETERS) return TOO_MANY;
      if (mark >= 0 && mark < at) mark = encoded.indexOf("=", at);
      const equals = mark < 0 || mark > end ? end : mark;
      const name = decode(encoded.slice(at, equals));
      const value = decode(encoded.slice(equals + 1, end));
      if (name === undefined || value === undefined) return INVALID_UTF8;
      add(into, name, value);
    }
    at = end + 1;
  }
  return into;
}

/** Nothing when the bytes are not UTF-8. A stray `%` stands for itself, as in every lenient form reader. */
function decode(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    try {
      return decodeURIComponent(spaced.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    } catch {
      return undefined;
    }
  }
}
