// A message that only one browser can read (RFC 8291, with the coding of RFC 8188): whoever carries it sees its length.

import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What a browser gave us to write to it by: a point of P-256 and 16 octets that both know. */
export type BrowserKeys = { p256dh: Buffer; auth: Buffer };

const CURVE = "prime256v1";
const POINT_BYTES = 65;
const AUTH_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** Of one record; ours are the only and last one. */
const RECORD_BYTES = 4_096;
const LAST_RECORD = 2;
/** Every message is as long as any other: not even a length tells what it is about. */
const PADDED_BYTES = 2_048;

/** For one message. Given by tests alone: everybody else's are new each time. */
export type Once = { salt: Buffer; privateKey: Buffer };

/** Undefined: what the browser sent is no key, or the text is too long. */
export function encryptFor(
  keys: BrowserKeys,
  text: string,
  once?: Once,
  paddedBytes = PADDED_BYTES,
): Buffer | undefined {
  const plain = Buffer.from(text);
  if (!areKeys(keys) || plain.length > paddedBytes) return undefined;
  const salt = once?.salt ?? randomBytes(SALT_BYTES);
  const own = createECDH(CURVE);
  if (once) own.setPrivateKey(once.privateKey);
  else own.generateKeys();
  const publicKey = own.getPublicKey();
  const shared = own.computeSecret(keys.p256dh);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.p256dh, publicKey]);
  const material = derive(shared, keys.auth, info, 32);
  const key = derive(material, salt, Buffer.from("Content-Encoding: aes128gcm\0"), KEY_BYTES);
  const nonce = derive(material, salt, Buffer.from("Content-Encoding: nonce\0"), NONCE_BYTES);
  const cipher = createCipheriv("aes-128-gcm", key, nonce, { authTagLength: TAG_BYTES });
  const padding = Buffer.alloc(paddedBytes - plain.length + 1);
  padding[0] = LAST_RECORD;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head[4] = publicKey.length;
  return Buffer.concat([
    ...[salt, head, publicKey],
    ...[cipher.update(Buffer.concat([plain, padding])), cipher.final(), cipher.getAuthTag()],
  ]);
}

/** Whether a browser can have made them: a point that lies on the curve, and a secret of the right length. */
export function areKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (p256dh.length !== POINT_BYTES || auth.length !== AUTH_BYTES) return false;
  const own = createECDH(CURVE);
  own.generateKeys();
  try {
    own.computeSecret(p256dh);
    return true;
  } catch {
    return false; // not on the curve: the answer, not a failure
  }
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}
