// Staff passwords: kept by scrypt, so that each guess costs memory and time.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Cost of one guess, as powers of two and counts: about 64 MB and a tenth of a second. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

declare const hashed: unique symbol;

/** Whoever writes one into a row has it already: while a connection or a lock is held, nothing is hashed. */
export type PasswordHash = string & { readonly [hashed]: true };

export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  return written(salt, await derive(password.normalize("NFKC"), salt, 32, COST));
}

/** Of no password that anybody could find: it costs nothing to make, and as much as any other to guess at. */
export function nobodysPassword(): PasswordHash {
  return written(randomBytes(16), randomBytes(32));
}

function written(salt: Buffer, key: Buffer): PasswordHash {
  const text = ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), key.toString("base64")].join("$");
  return text as PasswordHash; // the only place where one is made
}

export async function isPasswordOf(hash: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split("$");
  if (kind !== "scrypt" || !salt || !key) return false;
  const wanted = Buffer.from(key, "base64");
  const cost = { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), wanted.length, cost);
  return timingSafeEqual(wanted, given);
}
