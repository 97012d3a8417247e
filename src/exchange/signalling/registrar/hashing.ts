// The hashes that digest authentication needs, from the runtime, and the key that lives as long as the process.

import { hash as hashAtOnce, randomBytes } from "node:crypto";
import type { DigestAlgorithm, Hash } from "../../../sip/digest-answer.ts";
import type { Hmac } from "../../../sip/nonce.ts";

const NAMES: Record<DigestAlgorithm, string> = { MD5: "md5", "SHA-256": "sha256" };

export const hash: Hash = (algorithm, octets) => hashAtOnce(NAMES[algorithm], Buffer.from(octets, "latin1"), "hex");

/**
 * A new key at every start: nonces of an earlier life are stale, and phones just answer the new challenge.
 * Key, text and key again in one hash is four times as fast as the runtime's HMAC objects, and a nonce shows only half
 * of the hash, so that nothing can be appended to it.
 */
export function openHmac(): Hmac {
  const key = randomBytes(32).toString("hex");
  return (octets) => hashAtOnce("sha256", `${key}${octets}${key}`, "hex");
}
