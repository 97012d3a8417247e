// JSON bodies, with one leniency: a list name given twice (`"group_ids:[]"`) keeps both values.

import { add, addAll, INVALID_JSON, MOST_PARAMETERS, type Sent, TOO_MANY, type Unreadable } from "./sent.ts";

export function readJson(text: string): Sent | Unreadable {
  const parsed = parse(text);
  if (parsed === null) return new Map();
  if (typeof parsed !== "object" || Array.isArray(parsed)) return INVALID_JSON;
  const entries = text.includes(':[]"') ? topLevelEntries(text) : Object.entries(parsed);
  if (entries.length > MOST_PARAMETERS) return TOO_MANY;
  const sent: Sent = new Map();
  for (const [name, value] of entries) {
    if (Array.isArray(value)) addAll(sent, name, value);
    else add(sent, name, value);
  }
  return sent;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

// The text has been parsed once, so it is known to be well formed: strings and brackets are all there is to watch.
function topLevelEntries(text: string): [string, unknown][] {
  const entries: [string, unknown][] = [];
  let depth = 0;
  let start = text.indexOf("{") + 1;
  for (let at = start - 1; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at);
    else if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    const ends = depth === 0 || (depth === 1 && letter === ",");
    if (!ends) continue;
    const entry = text.slice(start, at).trim();
    if (entry !== "") entries.push(entryOf(entry));
    if (entries.length > MOST_PARAMETERS) return entries;
    if (depth === 0) return entries;
    start = at + 1;
  }
  return entries;
}

function entryOf(entry: string): [string, unknown] {
  const end = endOfString(entry, 0) + 1;
  return [JSON.parse(entry.slice(0, end)) as string, JSON.parse(entry.slice(entry.indexOf(":", end) + 1)) as unknown];
}

function endOfString(text: string, opening: number): number {
  let at = opening + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
