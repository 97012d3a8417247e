// A listening server's beginning and end, as promises.

import type { Server } from "node:net";

/** The port it got. */
export function listening(server: Server, address: string, port: number): Promise<number> {
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

export function stopped(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
