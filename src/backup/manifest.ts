// The last entry of a backup: what is in it, of which version, and the checksum of every part.

import { Type } from "typebox";
import { Check } from "typebox/value";

export const FORMAT = 1;
export const MANIFEST = "manifest.json";
/** The keys that sealed secrets among the rows need. */
export const KEYS = "secret.keys";

const schema = Type.Object({
  format: Type.Literal(FORMAT),
  santral: Type.String(),
  madeAt: Type.String(),
  /** The schema the rows belong to; newer migrations are applied after they are back. */
  migrations: Type.Array(Type.String()),
  rows: Type.Record(Type.String(), Type.Number()),
  sequences: Type.Record(Type.String(), Type.Number()),
  /** The ids of the keys that secrets among the rows are sealed under. */
  sealedUnder: Type.Optional(Type.Array(Type.String())),
  entries: Type.Array(Type.Object({ name: Type.String(), size: Type.Number(), sha256: Type.String() })),
});

export type Manifest = Type.Static<typeof schema>;

export function readManifest(text: string): Manifest | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Check(schema, parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
