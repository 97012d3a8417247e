// Staff passwords: kept by scrypt, so that each guess costs memory and time.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Cost of one guess, as powers of two and counts: about 64 MB and a tenth of a second. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password.normalize("NFKC"), salt, 32, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), key.toString("base64")].join("$");
}

export async function isPasswordOf(hash: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split("$");
  if (kind !== "scrypt" || !salt || !key) return false;
  const wanted = Buffer.from(key, "base64");
  const cost = { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), wanted.length, cost);
  return timingSafeEqual(wanted, given);
}
