// The system's own word on which of our addresses a datagram to somebody would leave from.

import { createSocket } from "node:dgram";
import { asWritten, familyOf, isUnspecified } from "../addresses.ts";

/** A datagram socket that is connected knows its own address, and nothing is sent for it. */
export function askSystem(peer: string): string | undefined {
  const family = familyOf(peer);
  const socket = createSocket({
    type: family === 6 ? "udp6" : "udp4",
    // The address is in digits: with a look-up that answers at once all is done when connect() returns.
    lookup: (host, _options, found) => found(null, host, family),
  });
  socket.on("error", () => undefined);
  try {
    socket.connect(DISCARD_PORT, peer);
    const { address } = socket.address();
    return isUnspecified(address) ? undefined : asWritten(address);
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

const DISCARD_PORT = 9;
