// What is kept of a call that is encrypted holds the keys of its voice, and what is kept of one that rings may hold a proof of who
// we are: it is sealed by a key of the data folder, and so nothing in the database or in a copy of it lets anybody listen.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type KeptSeal = {
  /** As JSON has it, or sealed where there is something to hide; that is JSON, too. */
  close(kept: object): string;
  /** Undefined: sealed by another key. */
  open(stored: object): unknown;
};

const CIPHER = "aes-256-gcm";
const KEY_OCTETS = 32;
const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;

export function openKeptSeal(key: Buffer): KeptSeal {
  return {
    close(kept) {
      const text = JSON.stringify(kept);
      if (!holdsKeys(text)) return text;
      const nonce = randomBytes(NONCE_OCTETS);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const closed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return JSON.stringify({ sealed: Buffer.concat([nonce, cipher.getAuthTag(), closed]).toString("base64") });
    },
    open(stored) {
      if (!("sealed" in stored)) return stored;
      const octets = Buffer.from(String(stored.sealed), "base64");
      try {
        const cipher = createDecipheriv(CIPHER, key, octets.subarray(0, NONCE_OCTETS));
        const from = NONCE_OCTETS + TAG_OCTETS;
        cipher.setAuthTag(octets.subarray(NONCE_OCTETS, from));
        const text = Buffer.concat([cipher.update(octets.subarray(from)), cipher.final()]).toString("utf8");
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}

export const newSealKey = (): Buffer => randomBytes(KEY_OCTETS);

export const isSealKey = (octets: Buffer): boolean => octets.length === KEY_OCTETS;

const SECRETS = ['"localKey":', "inline:", '"localPassword":', "ice-pwd:", "Authorization: "] as const;

/**
 * Ours stand in the description that we sent and in what was agreed on, and so does the password by which a browser may say
 * where its voice goes. An INVITE to a carrier may hold the proof of who we
 * are, on which somebody could try passwords.
 */
function holdsKeys(text: string): boolean {
  return SECRETS.some((mark) => text.includes(mark));
}
