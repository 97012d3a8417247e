// SIP over TCP.

import { connect, createServer } from "node:net";
import { openStreams, type StreamOptions } from "./stream-transport.ts";
import type { Transport } from "./transport.ts";

export async function openTcp(options: StreamOptions): Promise<Transport> {
  const server = createServer({ noDelay: true });
  const { connections, transport } = await openStreams(options, {
    name: "tcp",
    server,
    connect: ({ address, port }) => connect({ host: address, port }),
  });
  server.on("connection", (socket) => connections.accept(socket));
  return transport;
}
