// Where two sides can meet: over which family of addresses, and whether by ICE.

import { canonical, familyOf, isUnspecified } from "../../addresses.ts";
import type { Agreed } from "../../sdp/agreed.ts";
import { addressOf, hasAttribute, type SessionDescription } from "../../sdp/session.ts";

/** Who signals over one family may have its media in the other. */
export function peerOf(description: SessionDescription, sipPeer: string): string {
  const line = description.media.find(({ kind }) => kind === "audio");
  const named = line && canonical(addressOf(description, line));
  if (named === undefined || isUnspecified(named)) return sipPeer;
  return familyOf(named) === familyOf(sipPeer) ? sipPeer : named;
}

export function speaksIce(description: SessionDescription): boolean {
  return [description, ...description.media].some((place) => hasAttribute(place, "ice-ufrag"));
}

/** An address of nobody is a hold, and a name may lead anywhere. */
export function canMeet({ address }: { address: string }, { remote }: Agreed): boolean {
  const named = canonical(remote.address);
  return named === undefined || isUnspecified(named) || familyOf(named) === familyOf(address);
}
