// The ring of keys that secrets are sealed with: several may open, one of them seals. And its text, as it lies in a file.

import { createHmac, randomBytes } from "node:crypto";
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { SecretKey } from "./sealed.ts";

export type Ring = { current: string; keys: readonly SecretKey[] };

const KEY_BYTES = 32;

const schema = Type.Object({
  about: Type.String(),
  current: Type.String(),
  keys: Type.Array(
    Type.Object({
      id: Type.String({ pattern: "^[0-9a-f]{8}$" }),
      madeAt: Type.String(),
      key: Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" }), // 32 bytes
    }),
    { minItems: 1 },
  ),
});

const ABOUT =
  "Keys of the secrets in Santral's database. Without this file they cannot be read. Keep it with the backups.";

export function newKey(nowMs: number): SecretKey {
  const bytes = randomBytes(KEY_BYTES);
  return { id: randomBytes(4).toString("hex"), madeAt: new Date(nowMs).toISOString(), bytes };
}

export function keyOf({ keys }: Ring, id: string): SecretKey | undefined {
  return keys.find((key) => key.id === id);
}

/** The same for rings that open and seal the same, and of no use to who does not know the secret. */
export function markOf({ current, keys }: Ring, secret: string): string {
  const said = keys.map(({ id, bytes }) => `${id} ${bytes.toString("base64")}`).sort();
  return createHmac("sha256", secret)
    .update([current, ...said].join("\n"))
    .digest("base64url");
}

export function currentKey(ring: Ring): SecretKey {
  return keyOf(ring, ring.current)!; // a ring without it is none: see parseRing
}

/** The newer of two rings seals; what the other one has opened still opens. Undefined when one id means two keys. */
export function joinRings(newer: Ring, older: Ring | undefined): Ring | undefined {
  const others = older?.keys.filter((key) => !keyOf(newer, key.id)) ?? [];
  const isTwo = older?.keys.some((key) => keyOf(newer, key.id)?.bytes.equals(key.bytes) === false);
  return isTwo ? undefined : { current: newer.current, keys: [...newer.keys, ...others] };
}

export function printRing({ current, keys }: Ring): string {
  const printed = keys.map(({ id, madeAt, bytes }) => ({ id, madeAt, key: bytes.toString("base64") }));
  return `${JSON.stringify({ about: ABOUT, current, keys: printed }, undefined, 2)}\n`;
}

/** Undefined for what is not a whole ring. */
export function parseRing(text: string): Ring | undefined {
  const parsed = jsonIn(text);
  if (!Check(schema, parsed)) return undefined;
  const keys = parsed.keys.map(({ id, madeAt, key }) => ({ id, madeAt, bytes: Buffer.from(key, "base64") }));
  return keys.some(({ id }) => id === parsed.current) ? { current: parsed.current, keys } : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
