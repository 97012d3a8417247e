// Which of our addresses a peer is spoken to from.

import { familyOf } from "../../addresses.ts";
import type { StreamSettings } from "../engine.ts";

export type MediaReach = {
  /** Of these addresses, the one that this peer is spoken to from; undefined when none leads there. */
  boundFor(peer: string, addresses: readonly string[]): string | undefined;
  /** What the SDP to this peer says, when it is spoken to from there. */
  toldTo(peer: string, bound: string): string;
  /** A relay of ours: what it says of its own address is so, also where it is a private one. */
  isRelay?(address: string): boolean;
};

/** Whoever cannot be reached is spoken to from the first address of his family, or from the very first. */
export function placeFor(
  peer: string | undefined,
  addresses: readonly string[],
  reach: MediaReach | undefined,
): number {
  if (peer === undefined || addresses.length === 1) return 0;
  const bound = reach?.boundFor(peer, addresses);
  const place = addresses.findIndex((address) =>
    bound === undefined ? familyOf(address) === familyOf(peer) : address === bound,
  );
  return Math.max(0, place);
}

/** A relay of ours is where it says, and speaks from another port there at most. */
export function atRelay(asked: StreamSettings, reach: MediaReach | undefined): StreamSettings {
  if (!reach?.isRelay?.(asked.remote.address)) return asked;
  return { ...asked, isVouched: true, latching: asked.latching ?? "beside" };
}
