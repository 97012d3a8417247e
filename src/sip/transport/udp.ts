// SIP over UDP: one socket, one datagram, one message.

import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { bracketed, familyOf } from "../../addresses.ts";
import type { Octets } from "../message/message.ts";
import { openReadingOrder } from "./reading-order.ts";
import type { Destination, DoorReach, Receiver, Sender, Transport } from "./transport.ts";
import { openDirectSocket } from "./udp-libc.ts";

export type UdpOptions = {
  /** An address of this machine; "0.0.0.0" and "::" need `reach`. */
  address: string;
  /** 0 for any free port. */
  port: number;
  /** What peers see, when that is not the address bound. */
  reach?: DoorReach | undefined;
};

/** A burst of thousands of calls waits here while the process is busy; the kernel may grant less. */
const BUFFER_OCTETS = 4 << 20;

export async function openUdp({ address, port, reach }: UdpOptions): Promise<Transport> {
  const family = familyOf(address);
  const socket = createSocket({
    type: family === 6 ? "udp6" : "udp4",
    ipv6Only: family === 6,
    // Destinations are addresses by the time they get here: no look-up, not even of a literal.
    lookup: (host, _options, found) => found(null, host, family),
  });
  const direct = openDirectSocket(address, port);
  await bound(socket, direct ? { fd: direct.fd } : { port, address });
  widenBuffers(socket);
  const here = socket.address().port;
  const listener = `udp ${address}:${here}`;
  let receiver: Receiver | undefined;
  const hear = openReadingOrder((octets, address, port) =>
    receiver?.receive(octets, { transport: "udp", address, port, listener }),
  );
  socket.on("message", (datagram: Buffer, { address, port }: RemoteInfo) => {
    hear.take(datagram.toString("latin1"), bare(address), port);
    if (open) direct?.drain(hear.take);
    hear.rest();
  });
  // A refusal of an earlier datagram by ICMP.
  socket.on("error", () => direct?.takeRefusals());
  direct?.onRefused((octets) => receiver?.undelivered?.(octets));
  let open = true;
  return {
    name: "udp",
    reliable: false,
    family,
    listener,
    sentBy: { host: bracketed(address), port: here },
    ...reach,
    start(given) {
      receiver = given;
    },
    send(octets: Octets, { address, port }: Destination, sender?: Sender) {
      if (!open) return;
      // A hostile Via may name port 0, which the socket would throw at.
      if (port < 1) return process.nextTick(() => sender?.failed("no such port"));
      if (direct?.send(octets, address, port)) return;
      const datagram = Buffer.from(octets, "latin1");
      if (!sender) return socket.send(datagram, port, address);
      socket.send(datagram, port, address, (error) => {
        if (error) sender.failed(error.message);
      });
    },
    holds: () => false,
    connections: () => 0,
    emptied: async () => direct?.emptied(),
    close() {
      open = false;
      return new Promise((closed) => socket.close(() => closed()));
    },
  };
}

function bound(socket: Socket, where: { fd: number } | { address: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(where, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}

function widenBuffers(socket: Socket): void {
  socket.setRecvBufferSize(BUFFER_OCTETS);
  socket.setSendBufferSize(BUFFER_OCTETS);
}

/** Without the zone of a link-local address. */
function bare(address: string): string {
  const zone = address.indexOf("%");
  return zone < 0 ? address : address.slice(0, zone);
}
