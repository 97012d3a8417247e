// Free UDP and TCP ports for programs that cannot be told to take any.

import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { whenOver } from "./when-over.ts";

/**
 * Below the ports the system hands out by itself, and below those an exchange takes for voice: nobody else binds here by
 * chance between our look and the program's start. Test files that run at the same time have a part each.
 */
const LOWEST = 10_200; // browsers refuse to go to 10080
const PART = 2_100;
const part = Number(process.env.VITEST_POOL_ID ?? 0) % 4;

const given = new Set<number>();

/** The first of so many ports in a row that nobody listens on; the same is not given twice. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = LOWEST + part * PART + Math.floor(Math.random() * (PART - count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if (ports.some((port) => given.has(port))) continue;
    for (const port of ports) given.add(port);
    // The next file begins with all of them again, or there would be none left one day.
    whenOver(() => {
      for (const port of ports) given.delete(port);
    });
    const free = await Promise.all(ports.map(async (port) => (await isFreeUdp(port)) && (await isFreeTcp(port))));
    if (free.every(Boolean)) return first;
  }
}

/**
 * Where an exchange has the voice of phones, and of browsers. All would begin with the same port, and one that is away for a
 * moment, and comes back for its calls, would find somebody else there.
 */
export const voicePorts = rangesOf({ ports: 600, from: 21_000, part: 2_200 });
export const browserPorts = rangesOf({ ports: 200, from: 18_600, part: 600 });

/** In the part that this test file has; one after the other, so that servers beside each other do not share one. */
function rangesOf({ ports, from, part: size }: { ports: number; from: number; part: number }): () => string {
  const places = Math.floor(size / ports);
  let place = Math.floor(Math.random() * places);
  return () => {
    const first = from + part * size + (place++ % places) * ports;
    return `${first}-${first + ports - 1}`;
  };
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
