// Line ends that hold a way through NAT open (RFC 5626 §3.5.1); over UDP nobody expects an answer.

import type { Octets } from "../message/message.ts";

/** What we send ourselves. */
export const SIGN_OF_LIFE: Octets = "\r\n\r\n";

export function isKeepAlive(octets: Octets): boolean {
  return octets.length <= SIGN_OF_LIFE.length && octets.trim() === "";
}
