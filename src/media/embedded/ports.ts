// Reserves a pair of ports for a stream: an even one for RTP and the odd one above it for RTCP.

import type { SocketHandle, Wire } from "./wire.ts";

export type PortPair = { rtp: SocketHandle; rtcp: SocketHandle; port: number };

/** Tries of the system's own choice before giving up; half of them are odd. */
const TRIES = 64;

export type Ports = { take(): PortPair | undefined };

/** Threads share one range: each takes every n-th pair of it, so that none waits for another. */
export function openPorts(
  wire: Wire,
  ip: number,
  { range: [from, to], place, threads }: { range: [number, number]; place: number; threads: number },
): Ports {
  if (from === 0) return { take: () => takeAny(wire, ip) };
  const first = from + (from & 1);
  const pairs = Math.floor((Math.floor((to + 1 - first) / 2) - place + threads - 1) / threads);
  let next = 0;
  return {
    take() {
      for (let tried = 0; tried < pairs; tried++) {
        const port = first + 2 * (place + threads * next);
        // On to the next each time: a port just closed may still receive from its last call.
        next = (next + 1) % pairs;
        const pair = bindPair(wire, ip, port);
        if (pair) return pair;
      }
      return undefined;
    },
  };
}

function takeAny(wire: Wire, ip: number): PortPair | undefined {
  for (let tried = 0; tried < TRIES; tried++) {
    const chosen = wire.bind(ip, 0);
    if (chosen === undefined) return undefined;
    const port = wire.portOf(chosen);
    const rtcp = port % 2 === 0 ? wire.bind(ip, port + 1) : undefined;
    if (rtcp !== undefined) return { rtp: chosen, rtcp, port };
    wire.close(chosen);
  }
  return undefined;
}

/** A port somebody else holds is skipped. */
function bindPair(wire: Wire, ip: number, port: number): PortPair | undefined {
  const rtp = wire.bind(ip, port);
  if (rtp === undefined) return undefined;
  const rtcp = wire.bind(ip, port + 1);
  if (rtcp !== undefined) return { rtp, rtcp, port };
  wire.close(rtp);
  return undefined;
}
