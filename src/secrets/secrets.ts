// Sealing and opening secrets with the keys of a ring, which somebody else may change while we run.

import type { Log } from "../log.ts";
import type { NoRing } from "./key-file.ts";
import { currentKey, keyOf, type Ring } from "./ring.ts";
import { keyIdOf, openWith, type SecretKey, type SecretPlace, sealWith } from "./sealed.ts";

/** The key is not in the ring, or the text is not what it sealed there. Whatever needs the secret stands still. */
export type Unreadable = { unreadable: "no-key" | "not-sealed-here"; keyId: string };

export type Secrets = {
  /** Under the key that is current now. Who stores the text holds the lock of `sealing` in store/sealing.ts. */
  seal(place: SecretPlace, plain: string): string;
  /** What is not sealed yet is the secret itself: a database of before keys goes on working until it is sealed. */
  open(place: SecretPlace, stored: string): string | Unreadable;
};

/** `read` gives the ring as it is now. */
export function openSecrets({ read, log }: { read(): Ring | NoRing; log: Log }): Secrets {
  let known: Ring | undefined;
  const readAgain = (): Ring | NoRing => {
    const ring = read();
    if (!("missing" in ring)) known = ring;
    return ring;
  };
  readAgain(); // what is opened later may have been read before a key left the ring
  const keyNamed = (id: string): SecretKey | undefined => {
    const held = known && keyOf(known, id);
    if (held) return held;
    readAgain(); // the keys may have been changed beside us
    return known && keyOf(known, id);
  };
  return {
    // Always by what the ring is now: under a key that was just taken out, the secret would be lost.
    seal(place, plain) {
      const ring = readAgain();
      if ("missing" in ring) throw new Error(`nothing can be sealed: ${ring.why}`);
      return sealWith(currentKey(ring), place, plain);
    },
    open(place, stored) {
      const keyId = keyIdOf(stored);
      if (keyId === undefined) return stored;
      const key = keyNamed(keyId);
      const plain = key && openWith(key, place, stored);
      if (plain !== undefined) return plain;
      const unreadable = key ? "not-sealed-here" : "no-key";
      log.error({ ...place, keyId, unreadable }, "a secret cannot be opened: see santral doctor");
      return { unreadable, keyId };
    },
  };
}
