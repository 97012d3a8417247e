// What a node that gives its exchanges away waits for: the calls that cannot move, by reason, for whoever asks why it takes
// so long.

import { type NodeWaits, noteWaits } from "../store/nodes.ts";
import type { Line } from "../store/server-lease.ts";
import type { BoundCall } from "./keeper.ts";

const MOST_NAMED = 20;

export class Waits {
  #told = "";

  /** `bound`: undefined where nothing is given away. */
  async tell(line: Line, life: number, bound: readonly BoundCall[] | undefined): Promise<void> {
    const news = this.news(bound);
    if (news !== undefined) await noteWaits(line, life, news);
  }

  /** Undefined: the same as when it was last asked for. */
  news(bound: readonly BoundCall[] | undefined): NodeWaits | null | undefined {
    const waits = bound ? waitsOf(bound) : null;
    const text = JSON.stringify(waits);
    if (text === this.#told || (this.#told === "" && waits === null)) return undefined;
    this.#told = text;
    return waits;
  }
}

function waitsOf(bound: readonly BoundCall[]): NodeWaits {
  const counts: Record<string, number> = {};
  for (const { why } of bound) counts[why] = (counts[why] ?? 0) + 1;
  return { counts, calls: bound.slice(0, MOST_NAMED) };
}
