// The hashes that digest authentication needs, from the runtime, and the key that lives as long as the process.

import { createHmac, hash as hashAtOnce, randomBytes } from "node:crypto";
import type { DigestAlgorithm, Hash } from "../../sip/digest-answer.ts";
import type { Hmac } from "../../sip/nonce.ts";

const NAMES: Record<DigestAlgorithm, string> = { MD5: "md5", "SHA-256": "sha256" };

export const hash: Hash = (algorithm, octets) => hashAtOnce(NAMES[algorithm], Buffer.from(octets, "latin1"), "hex");

/** A new key at every start: nonces of an earlier life are stale, and phones just answer the new challenge. */
export function openHmac(): Hmac {
  const key = randomBytes(32);
  return (octets) => createHmac("sha256", key).update(octets, "latin1").digest("hex");
}
