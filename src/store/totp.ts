// Codes of a second factor (RFC 6238, as authenticator apps speak it): six digits, a new one every half minute.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const PERIOD_MS = 30_000;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

/** What the square code of an authenticator app holds. */
export function totpUri({ secret, account, issuer }: { secret: string; account: string; issuer: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

export function totpCode(secret: string, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac[19]! & 15; // a SHA-1 has twenty octets
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, "0");
}

/** The period whose code this is: the present one or a neighbour, since clocks differ; only one after `usedPeriod`. */
export function periodOfCode(
  secret: string,
  code: string,
  { nowMs, usedPeriod }: { nowMs: number; usedPeriod: number },
): number | undefined {
  const digits = Buffer.from(code.replace(/\s/g, ""));
  const now = Math.floor(nowMs / PERIOD_MS);
  return [now - 1, now, now + 1].find((period) => {
    const wanted = Buffer.from(totpCode(secret, period));
    return period > usedPeriod && wanted.length === digits.length && timingSafeEqual(wanted, digits);
  });
}

function base32(octets: Buffer): string {
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
}
