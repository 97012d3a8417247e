// Where the other side's media are, as far as it decides at which of our addresses ours have to be.

import { canonical, familyOf, isUnspecified } from "../../addresses.ts";
import type { Agreed } from "../../sdp/agreed.ts";
import { addressOf, type SessionDescription } from "../../sdp/session.ts";

/**
 * The SIP peer, unless its offer says otherwise: who signals over one family may have its media in the other, and a
 * browser's come by the gateway on this machine (`inside`, of a browser only), wherever the browser is.
 */
export function mediaPeer(offer: SessionDescription, sipPeer: string, inside: string | undefined): string {
  if (inside !== undefined) return inside;
  const line = offer.media.find(({ kind }) => kind === "audio");
  const named = line && canonical(addressOf(offer, line));
  if (named === undefined || isUnspecified(named)) return sipPeer;
  return familyOf(named) === familyOf(sipPeer) ? sipPeer : named;
}

/** Our media are at `address`. An address of nobody is a hold, and a name may lead anywhere. */
export function canMeet({ address }: { address: string }, { remote }: Agreed): boolean {
  const named = canonical(remote.address);
  return named === undefined || isUnspecified(named) || familyOf(named) === familyOf(address);
}
