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
  readonly #counted = new Set<Stream>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** More than its counters is new. */
  note(stream: Stream): void {
    this.#changed.add(stream);
  }

  /** Now and then, for every stream. */
  look(stream: Stream, nowMs: number): void {
    if (!stream.settings || nowMs - stream.keptAtMs < COUNTED_EVERY_MS) return;
    if (stream.keptPackets !== packetsOf(stream)) this.#counted.add(stream);
  }

  drop(stream: Stream): void {
    this.#changed.delete(stream);
    this.#counted.delete(stream);
  }

  flush(nowMs: number): void {
    if (this.#changed.size + this.#counted.size === 0) return;
    const { place, addresses, zeroMs, tell } = this.#options;
    const facts: [StreamId, string][] = [];
    for (const stream of this.#changed) {
      const found = factsOf(stream, { bound: addresses[stream.at]!, place }); // a stream is opened at one of them
      if (!found) continue;
      facts.push([stream.id, JSON.stringify(found)]);
      this.#counted.add(stream);
    }
    const counted = [...this.#counted];
    const counters = new Float64Array(counted.length * COUNTERS);
    for (const [i, stream] of counted.entries()) {
      writeCounters(counters.subarray(i * COUNTERS, (i + 1) * COUNTERS), stream, { nowMs, zeroMs });
      stream.keptAtMs = nowMs;
      stream.keptPackets = packetsOf(stream);
    }
    this.#changed.clear();
    this.#counted.clear();
    tell({ facts, counted: counted.map(({ id }) => id), counters });
  }
}

const packetsOf = ({ packetsIn, packetsOut }: Stream): number => packetsIn + packetsOut;
