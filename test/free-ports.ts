// Free UDP and TCP ports for programs that cannot be told to take any.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const given = new Set<number>();

/** The first of so many ports in a row that nobody listens on; the same is not given twice. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = 30_000 + Math.floor(Math.random() * 25_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (ports.some((port) => given.has(port))) continue;
    const free = await Promise.all(ports.map(async (port) => (await isFreeUdp(port)) && (await isFreeTcp(port))));
    if (!free.every(Boolean)) continue;
    for (const port of ports) given.add(port);
    return first;
  }
}

function isFreeUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}

function isFreeTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
