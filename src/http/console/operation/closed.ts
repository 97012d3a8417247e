// Closes a schema: every object in it takes the keys it names and no other, unless it says itself that it is open.

import type { TSchema } from "typebox";

/** What a schema may hold inside, by the words of JSON Schema. */
type Inside = TSchema & {
  type?: string;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
  additionalProperties?: boolean | TSchema;
  items?: TSchema | TSchema[];
  anyOf?: TSchema[];
};

/** The schema itself, changed: a copy would lose what TypeBox keeps out of sight. */
export function closed<Schema extends TSchema>(schema: Schema): Schema {
  const inside: Inside = schema;
  if (inside.type === "object") inside.additionalProperties ??= false;
  const parts = [
    ...Object.values(inside.properties ?? {}),
    ...Object.values(inside.patternProperties ?? {}),
    ...[inside.items ?? []].flat(),
    ...(inside.anyOf ?? []),
    ...(typeof inside.additionalProperties === "object" ? [inside.additionalProperties] : []),
  ];
  for (const part of parts) closed(part);
  return schema;
}
