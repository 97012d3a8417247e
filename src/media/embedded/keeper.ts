// A media thread's side of the ledger: it notes which streams have changed and tells the main thread of them, many at a time.

import type { StreamId } from "../engine.ts";
import { COUNTERS, factsOf, writeCounters } from "./kept-stream.ts";
import type { KeptNews } from "./ledger.ts";
import type { Stream } from "./stream.ts";

/** How old counters may be. Whoever goes on with them adds what may have been sent since. */
const COUNTED_EVERY_MS = 1_000;

export type KeeperOptions = {
  place: number;
  /** Those that streams are bound to. */
  addresses: readonly string[];
  /** What the machine's time was when the thread's own began. */
  zeroMs: number;
  tell(news: KeptNews): void;
};

export class Keeper {
  readonly #options: KeeperOptions;
  readonly #changed = new Set<Stream>();
  #countedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** More than its counters is new. */
  note(stream: Stream): void {
    this.#changed.add(stream);
  }

  drop(stream: Stream): void {
    this.#changed.delete(stream);
  }

  /** Several times a second: what changed, and once a second how far everybody is. */
  flush({ nowMs, streams }: { nowMs: number; streams: ReadonlyMap<StreamId, Stream> }): void {
    const { place, addresses, zeroMs, tell } = this.#options;
    const facts: [StreamId, string][] = [];
    const counted: Stream[] = [];
    for (const stream of this.#changed) {
      const found = factsOf(stream, { bound: addresses[stream.at]!, place }); // a stream is opened at one of them
      if (!found) continue;
      facts.push([stream.id, JSON.stringify(found)]);
      counted.push(stream);
    }
    // All at once, so that the ledger can write them in few pieces.
    if (nowMs - this.#countedAtMs >= COUNTED_EVERY_MS) {
      this.#countedAtMs = nowMs;
      for (const stream of streams.values())
        if (stream.settings && stream.keptPackets !== packetsOf(stream) && !this.#changed.has(stream))
          counted.push(stream);
    }
    this.#changed.clear();
    if (counted.length === 0) return;
    const counters = new Float64Array(counted.length * COUNTERS);
    for (const [i, stream] of counted.entries()) {
      writeCounters(counters, i * COUNTERS, stream, { nowMs, zeroMs });
      stream.keptPackets = packetsOf(stream);
    }
    tell({ facts, counted: counted.map(({ id }) => id), counters });
  }
}

const packetsOf = ({ packetsIn, packetsOut }: Stream): number => packetsIn + packetsOut;
