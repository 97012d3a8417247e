// Ports that stand ready and are known to the main thread, so that it opens a stream without waiting for an answer.

import type { PortPair, Ports } from "./ports.ts";

/** What the busiest moments take until somebody looks after it again, in all threads together and at least in each. */
const IN_ALL = 32;
const IN_EACH = 4;
const MOST_AT_ONCE = 16;

export class Stock {
  readonly #ports: Ports;
  readonly #full: number;
  readonly #ready = new Map<number, PortPair>();

  constructor(ports: Ports, sharers: number) {
    this.#ports = ports;
    this.#full = Math.max(IN_EACH, Math.ceil(IN_ALL / sharers));
  }

  /** Now and then: ports that the main thread does not know yet; none as long as more than half of the stock is left. */
  fill(nowMs: number): number[] {
    if (this.#ready.size > this.#full / 2) return [];
    return this.#add(Math.min(MOST_AT_ONCE, this.#full - this.#ready.size), () => this.#ports.takeSpare(nowMs));
  }

  /** The main thread has none left: whatever can be found, and nothing when every port is taken. */
  find(nowMs: number): number[] {
    return [...this.#add(1, () => this.#ports.take(nowMs)), ...this.fill(nowMs)];
  }

  take(port: number): PortPair {
    const pair = this.#ready.get(port);
    if (!pair) throw new Error("a port that was never handed out");
    this.#ready.delete(port);
    return pair;
  }

  closeAll(): void {
    for (const pair of this.#ready.values()) this.#ports.close(pair);
    this.#ready.clear();
  }

  #add(count: number, take: () => PortPair | undefined): number[] {
    const added: number[] = [];
    while (added.length < count) {
      const pair = take();
      if (!pair) break;
      this.#ready.set(pair.port, pair);
      added.push(pair.port);
    }
    return added;
  }
}
