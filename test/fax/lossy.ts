// A bad network between two fax machines: T.38 packets pass through here, and some do not.

import { createSocket, type Socket } from "node:dgram";
import type { AddressInfo } from "node:net";
import type { FaxEngine } from "../../src/media/fax/fax-engine.ts";

const HERE = "127.0.0.1";

/** The same engine, whose data lines lose that share of their packets in both directions. */
export function lossy(engine: FaxEngine, share: number): FaxEngine {
  return {
    inside: engine.inside,
    availability: () => engine.availability(),
    stop: () => engine.stop(),
    start(options) {
      const session = engine.start(options);
      const network = openNetwork(share);
      let ours = 0;
      return {
        ...session,
        async openT38() {
          const opened = await session.openT38();
          if ("port" in opened) ours = opened.port;
          return opened;
        },
        beginT38(agreed, alsoFrom) {
          void network(ours, agreed.remote.port).then((port) =>
            session.beginT38({ ...agreed, remote: { address: HERE, port } }, alsoFrom),
          );
        },
        close() {
          network.close();
          session.close();
        },
      };
    },
  };
}

type Network = ((ours: number, theirs: number) => Promise<number>) & { close(): void };

function openNetwork(share: number): Network {
  const sockets: Socket[] = [];
  // The same luck every time.
  let luck = 42;
  const arrives = () => {
    luck = (Math.imul(luck, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return luck / 0x7fff_ffff >= share;
  };
  const open = async (ours: number, theirs: number) => {
    const near = await bound();
    const far = await bound();
    sockets.push(near, far);
    near.on("message", (packet) => arrives() && far.send(packet, theirs, HERE));
    far.on("message", (packet) => arrives() && near.send(packet, ours, HERE));
    return (near.address() as AddressInfo).port;
  };
  return Object.assign(open, { close: () => sockets.forEach((socket) => void socket.close()) });
}

function bound(): Promise<Socket> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => socket.bind(0, HERE, () => resolve(socket)));
}
