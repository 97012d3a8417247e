// Where the fax machines meet the others: sockets that the exchange opens for them, since their own process has no network.

import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { familyOf } from "../../addresses.ts";
import type { FaxPlaces } from "./messages.ts";

const TRIES = 64;

export type FaxSockets = {
  /** Beside the media engine. Undefined when no port is free. */
  sound(): Promise<Socket | undefined>;
  data(): Promise<Socket | undefined>;
};

/** Takes ports for data from the highest down, one after the other: one just closed may still receive from its last call. */
export function openFaxSockets({ bind, ports: { from, to }, inside }: FaxPlaces): FaxSockets {
  let next = to;
  return { sound: () => openedAt(0, inside), data };

  async function data(): Promise<Socket | undefined> {
    for (let tried = 0; tried < TRIES; tried++) {
      const port = from === 0 ? 0 : next;
      next = next <= from ? to : next - 1;
      const socket = await openedAt(port, bind); // somebody else's: the one below is next
      if (socket) return socket;
    }
    return undefined;
  }
}

async function openedAt(port: number, address: string): Promise<Socket | undefined> {
  const socket = createSocket(familyOf(address) === 6 ? "udp6" : "udp4");
  try {
    socket.bind(port, address);
    await once(socket, "listening");
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}
