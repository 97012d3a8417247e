// A secret as it lies in the database: encrypted with AES-256-GCM and bound to its place, so that a copy of it in
// another row, column or exchange does not open.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type SecretKey = { id: string; madeAt: string; bytes: Buffer };

/** Columns whose secrets we must be able to read back, since we are the ones who present or check them. */
export type SecretKind =
  | "trunks.password"
  | "staff.totp_secret"
  | "mailboxes.pin"
  | "sms_carriers.password"
  | "exchanges.crm_secret"
  | "extensions.shown_password"
  | "archives.secret"
  | "contact_sources.password"
  | "single_sign_on.client_secret"
  | "staff_sessions.log_out_url"
  | "push_keys.private_key"
  | "push_subscriptions.sealed";

/** Where a secret belongs; `row` is what its table calls the row for good. */
export type SecretPlace = { kind: SecretKind; exchangeId: number; row: number };

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^sealed:([0-9a-f]{8}):([A-Za-z0-9_-]{38,})$/;

/** Undefined for what was never sealed. */
export function keyIdOf(stored: string): string | undefined {
  return SEALED.exec(stored)?.[1];
}

/** `sealed:<key>:<base64url of nonce, text and tag>` */
export function sealWith(key: SecretKey, place: SecretPlace, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(place));
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `sealed:${key.id}:${Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64url")}`;
}

/** Undefined when it is not what this key sealed at this place. */
export function openWith(key: SecretKey, place: SecretPlace, stored: string): string | undefined {
  const bytes = Buffer.from(SEALED.exec(stored)?.[2] ?? "", "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined; // the tag does not fit: the answer, not a failure
  }
}

function boundTo({ kind, exchangeId, row }: SecretPlace): Buffer {
  return Buffer.from(`santral/1/${kind}/${exchangeId}/${row}`);
}
