// Lists in forms: as JSON text, or with commas between their entries.

import type { SentValue } from "./sent.ts";

/** All entries, up to so many. */
export function listed(values: readonly SentValue[], most: number): SentValue[] {
  const entries: SentValue[] = [];
  for (const value of values) {
    if (entries.length >= most) break;
    for (const entry of entriesIn(value, most)) entries.push(entry);
  }
  return entries.slice(0, most);
}

function entriesIn(value: SentValue, most: number): readonly SentValue[] {
  if (typeof value !== "string") return [value];
  const text = value.trim();
  if (!text.startsWith("[") && !text.startsWith("{"))
    return text.split(",", most * 2).filter((part) => part.trim() !== "");
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return [value];
  }
}
