// What a customer of the SMS API asked with: parameters from query, form and JSON alike, read leniently by name.

import type { WireRefusal } from "../door/wire-words.ts";
import type { Sent } from "../parameters/sent.ts";
import { isStorable } from "../parameters/text.ts";

export const MOST_ROWS = 100;
const MOST_IN_AN_ARRAY = 2 ** 32 - 1;
const FARTHEST_OFFSET = 1_000_000_000;

/** Numbers and booleans are as good as their text; empty and null mean that nothing was said. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function text(sent: Sent, name: string): string | undefined {
  return sent
    .get(name)
    ?.map(textOf)
    .findLast((value) => value !== undefined);
}

/** A name that is one thing or several: a string, a number, a comma-separated list, an array; up to so many. */
export function texts(value: unknown, most = MOST_IN_AN_ARRAY): string[] {
  const found: string[] = [];
  for (const entry of Array.isArray(value) ? value : [value]) {
    if (found.length >= most) break;
    for (const part of textOf(entry)?.split(",", most) ?? []) if (part.trim() !== "") found.push(part);
  }
  return found;
}

/** The same of everything that was sent under a name. */
export function list(sent: Sent, name: string, most = MOST_IN_AN_ARRAY): string[] {
  const found: string[] = [];
  for (const value of sent.get(name) ?? []) {
    if (found.length >= most) break;
    for (const part of texts(value, most)) found.push(part);
  }
  return found;
}

export function flag(value: unknown): boolean {
  return /^(true|t|1|on|yes)$/i.test(textOf(value)?.trim() ?? "");
}

/** Everything that was said is text PostgreSQL can keep. */
export function isClean(...values: (string | undefined)[]): boolean {
  return values.every((value) => value === undefined || isStorable(value));
}

export type Page = { offset: number; limit: number };

export function readPage(sent: Sent): Page | { wrong: WireRefusal } {
  const offset = wholeNumber(text(sent, "offset"), 0, { least: 0, most: FARTHEST_OFFSET });
  if (offset === undefined) return { wrong: { refused: "below-zero", field: "offset" } };
  const limit = wholeNumber(text(sent, "limit"), MOST_ROWS, { least: 1, most: MOST_ROWS });
  return limit === undefined
    ? { wrong: { refused: "out-of-range", field: "limit", least: 1, most: MOST_ROWS } }
    : { offset, limit };
}

export function wholeNumber(
  written: string | undefined,
  byDefault: number,
  { least, most }: { least: number; most: number },
): number | undefined {
  if (written === undefined) return byDefault;
  const number = Number(written);
  return /^\s*\d{1,15}\s*$/.test(written) && number >= least && number <= most ? number : undefined;
}
