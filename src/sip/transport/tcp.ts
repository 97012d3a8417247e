// SIP over TCP.

import { connect, createServer, type Server } from "node:net";
import type { Clock } from "../../clock.ts";
import { Connections, STREAM_LIMITS, type StreamLimits } from "./connections.ts";
import { bracketed, familyOf } from "./listen-address.ts";
import { listening, stopped } from "./stream-server.ts";
import type { Transport } from "./transport.ts";

export type TcpOptions = {
  clock: Clock;
  address: string;
  /** 0 for any free port. */
  port: number;
  /** What the world sees, when it is not the address bound. */
  advertise?: { host: string; port?: number };
  limits?: Partial<StreamLimits>;
};

export async function openTcp({ clock, address, port, advertise, limits }: TcpOptions): Promise<Transport> {
  const server: Server = createServer({ noDelay: true });
  const here = await listening(server, address, port);
  const listener = `tcp ${address}:${here}`;
  const connections = new Connections({
    name: "tcp",
    listener,
    clock,
    limits: { ...STREAM_LIMITS, ...limits },
    connect: (destination) => connect({ host: destination.address, port: destination.port }),
  });
  server.on("connection", (socket) => connections.accept(socket));
  return {
    name: "tcp",
    reliable: true,
    family: familyOf(address),
    listener,
    sentBy: { host: advertise?.host ?? bracketed(address), port: advertise?.port ?? here },
    start(receiver) {
      connections.receiver = receiver;
    },
    send: (octets, destination, sender) => connections.send(octets, destination, sender),
    holds: (connection) => connections.holds(connection),
    connections: () => connections.size,
    close() {
      connections.close();
      return stopped(server);
    },
  };
}
