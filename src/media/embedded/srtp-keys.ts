// From a master key to the session keys of RTP and RTCP (RFC 3711 section 4.3, RFC 7714 section 11).

import { createCipheriv } from "node:crypto";
import { type CryptoSuite, cryptoSuites } from "../../sdp/crypto.ts";

/** `auth` is empty where the cipher itself vouches for what it carries. */
export type Keys = { cipher: Buffer; auth: Buffer; salt: Buffer };

type Transform = {
  keyBytes: number;
  saltBytes: number;
  authBytes: number;
  /** Octets that a packet grows by; RTCP keeps the long tag where RTP has the short one (RFC 4568 section 6.2). */
  tagBytes: number;
  rtcpTagBytes: number;
};

const counter = { keyBytes: 16, saltBytes: 14, authBytes: 20, tagBytes: 10, rtcpTagBytes: 10 };
const galois = { saltBytes: 12, authBytes: 0, tagBytes: 16, rtcpTagBytes: 16 };

export const transforms: Record<CryptoSuite, Transform> = {
  AES_CM_128_HMAC_SHA1_80: counter,
  AES_CM_128_HMAC_SHA1_32: { ...counter, tagBytes: 4 },
  AEAD_AES_128_GCM: { ...galois, keyBytes: 16 },
  AEAD_AES_256_GCM: { ...galois, keyBytes: 32 },
};

export function deriveKeys(suite: CryptoSuite, inline: string): { rtp: Keys; rtcp: Keys } {
  const { keyBytes, saltBytes, authBytes } = transforms[suite];
  const master = Buffer.from(inline, "base64");
  if (master.length !== cryptoSuites[suite]) throw new Error(`a key of ${suite} has ${cryptoSuites[suite]} bytes`);
  const key = master.subarray(0, keyBytes);
  const salt = master.subarray(keyBytes);
  const derive = (label: number, bytes: number) => keystream(key, salt, label, bytes);
  const keysFrom = (label: number): Keys => ({
    cipher: derive(label, keyBytes),
    auth: derive(label + 1, authBytes),
    salt: derive(label + 2, saltBytes),
  });
  return { rtp: keysFrom(0), rtcp: keysFrom(3) };
}

function keystream(key: Buffer, salt: Buffer, label: number, bytes: number): Buffer {
  const iv = Buffer.alloc(16);
  salt.copy(iv);
  iv[7]! ^= label;
  return createCipheriv(key.length === 32 ? "aes-256-ctr" : "aes-128-ctr", key, iv).update(Buffer.alloc(bytes));
}
