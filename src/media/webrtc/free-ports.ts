// Hands out pairs of ports of a range in turn, so that one just given back is not at once somebody else's; from anywhere on, so
// that one which an earlier process gave out is not: a page that knows nothing of its end still speaks to it.

import { randomInt } from "node:crypto";

export type FreePorts = { take(): number | undefined; giveBack(port: number): void };

export function freePorts({ from, to }: { from: number; to: number }, first = randomInt(1_000_000)): FreePorts {
  const taken = new Set<number>();
  const count = Math.floor((to - from + 1) / 2);
  let next = first % count;
  return {
    take() {
      for (let tries = 0; tries < count; tries++) {
        const port = from + 2 * next;
        next = (next + 1) % count;
        if (taken.has(port)) continue;
        taken.add(port);
        return port;
      }
      return undefined;
    },
    giveBack: (port) => void taken.delete(port),
  };
}
