// From a master key in an SDP line to the six session keys (RFC 3711 section 4.3).

import { createCipheriv } from "node:crypto";

export type Keys = { cipher: Buffer; auth: Buffer; salt: Buffer };

const MASTER_BYTES = 30;
const KEY_BYTES = 16;
const AUTH_BYTES = 20;
const SALT_BYTES = 14;

export function deriveKeys(inline: string): { rtp: Keys; rtcp: Keys } {
  const master = Buffer.from(inline, "base64");
  if (master.length !== MASTER_BYTES) throw new Error("an SRTP key has 30 bytes");
  const key = master.subarray(0, KEY_BYTES);
  const salt = master.subarray(KEY_BYTES);
  const derive = (label: number, bytes: number) => keystream(key, salt, label, bytes);
  const keysFrom = (label: number): Keys => ({
    cipher: derive(label, KEY_BYTES),
    auth: derive(label + 1, AUTH_BYTES),
    salt: derive(label + 2, SALT_BYTES),
  });
  return { rtp: keysFrom(0), rtcp: keysFrom(3) };
}

function keystream(key: Buffer, salt: Buffer, label: number, bytes: number): Buffer {
  const iv = Buffer.alloc(16);
  salt.copy(iv);
  iv[7]! ^= label;
  return createCipheriv("aes-128-ctr", key, iv).update(Buffer.alloc(bytes));
}
