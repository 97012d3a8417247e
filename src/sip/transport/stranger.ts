// Who hangs on a stream is a stranger until we have let him in: told him yes, or asked something of him ourselves. Most of
// the places are for those, and who only knocks goes soon.

import type { Octets } from "../message/message.ts";

/** Of the places of a door, how many strangers may have at once; and how long one may be idle. */
export const STRANGERS = { share: 0.8, idleMs: 10_000 };

/**
 * Of the places of a door, and of those of one address, how many may be in the middle of a handshake where nobody has logged
 * in yet: who begins them and leaves them costs himself nothing. An office that comes back at once has room for half of it.
 */
export const HANDSHAKES = { share: 0.2, shareOfSource: 0.5 };

/**
 * Whether what we say shows that he is none: a request of ours, an answer on the way to a call, or a yes. That we are
 * there is said to everybody who asks, so a yes to OPTIONS says nothing.
 */
export function letsIn(octets: Octets): boolean {
  if (!octets.startsWith("SIP/2.0 ")) return octets.includes(" SIP/2.0\r\n");
  const isGood = octets.charCodeAt(8) === ONE || octets.charCodeAt(8) === TWO;
  return isGood && !/\r\nCSeq: \d+ OPTIONS\r\n/.test(octets);
}

const ONE = 49;
const TWO = 50;
