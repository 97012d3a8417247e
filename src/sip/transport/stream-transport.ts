// A door for streams, TCP or TLS alike: a server that listens, and what came in by it or goes out beside it.

import type { Server } from "node:net";
import { bracketed, familyOf } from "../../addresses.ts";
import type { Clock } from "../../clock.ts";
import { STREAM_LIMITS, type StreamLimits } from "./connection.ts";
import { Connections, type ConnectionsOptions } from "./connections.ts";
import type { DoorReach, Transport } from "./transport.ts";

export type StreamOptions = {
  clock: Clock;
  address: string;
  /** 0 for any free port. */
  port: number;
  /** What peers see, when that is not the address bound. */
  reach?: DoorReach | undefined;
  limits?: Partial<StreamLimits>;
};

/** How one kind of stream is reached. */
export type StreamKind = Pick<ConnectionsOptions, "name" | "connect"> & { server: Server };

/** Whoever opens it lets the server's streams into `connections`. */
export async function openStreams(
  { clock, address, port, reach, limits }: StreamOptions,
  { name, connect, server }: StreamKind,
): Promise<{ connections: Connections; transport: Transport }> {
  const here = await listening(server, address, port);
  const listener = `${name} ${address}:${here}`;
  const connections = new Connections({ name, listener, clock, limits: { ...STREAM_LIMITS, ...limits }, connect });
  const transport: Transport = {
    name,
    reliable: true,
    family: familyOf(address),
    listener,
    sentBy: { host: bracketed(address), port: here },
    ...reach,
    start(receiver) {
      connections.receiver = receiver;
    },
    send: (octets, destination, sender) => connections.send(octets, destination, sender),
    holds: (connection) => connections.holds(connection),
    connections: () => connections.size,
    close() {
      connections.close();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  return { connections, transport };
}

/** The port it got. */
function listening(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port, ipv6Only: true }, () => {
      server.off("error", reject);
      // Too many open files, for one: the connection is lost, the door stays open.
      server.on("error", () => {});
      const bound = server.address();
      resolve(typeof bound === "object" && bound !== null ? bound.port : port);
    });
  });
}
