// What people type into one line is one line: it may become a header of SIP, a letter or an answer, where a line break
// begins the next one, and other control characters are nobody's words.

import type { TSchema } from "typebox";

type Schema = {
  lines?: true;
  type?: string;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
};

/** C0 and C1, and the separators that Unicode has for lines and paragraphs. */
const STRAY = /[\p{Cc}\u2028\u2029]/u;

/** Where a control character stands that does not belong there, in a value that fits the schema otherwise. */
export function strayIn(schema: TSchema, value: unknown): string | undefined {
  return strayAt(schema as Schema, value, "");
}

function strayAt(schema: Schema, value: unknown, path: string): string | undefined {
  if (typeof value === "string") return isOfLines(schema) || !STRAY.test(value) ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return strayInList(schema, value, path);
  for (const [name, inside] of Object.entries(value)) {
    const stray = strayAt(schemaOf(schema, name), inside, below(path, name)) ?? (STRAY.test(name) ? path : undefined);
    if (stray !== undefined) return stray;
  }
  return undefined;
}

/** A long one is walked through without a new object for each entry. */
function strayInList(schema: Schema, list: readonly unknown[], path: string): string | undefined {
  const entry = itemsOf(schema);
  for (let at = 0; at < list.length; at++) {
    const stray = strayAt(entry, list[at], "");
    if (stray !== undefined) return below(below(path, String(at)), stray);
  }
  return undefined;
}

const below = (path: string, name: string) => (path === "" || name === "" ? `${path}${name}` : `${path}/${name}`);

const branches = (schema: Schema): readonly Schema[] => schema.anyOf ?? [schema];

const isOfLines = (schema: Schema): boolean => schema.lines === true || branches(schema).some((it) => it.lines);

/** Of several forms that a value may have, each that knows the field. */
function schemaOf(schema: Schema, name: string): Schema {
  return oneOf(branches(schema).flatMap((it) => it.properties?.[name] ?? Object.values(it.patternProperties ?? {})));
}

const itemsOf = (schema: Schema): Schema => oneOf(branches(schema).flatMap((it) => it.items ?? []));

const oneOf = (found: readonly Schema[]): Schema => (found.length === 1 ? found[0]! : { anyOf: found });
