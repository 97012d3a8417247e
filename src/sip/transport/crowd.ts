// Those who may have to make room for others, the oldest first, of all and of each place that they come from.

import { networkOf } from "./stream-count.ts";

export class Crowd<One> {
  readonly #all = new Map<One, string>();
  readonly #from = new Map<string, Set<One>>();

  get size(): number {
    return this.#all.size;
  }

  sizeFrom(address: string): number {
    return this.#from.get(networkOf(address))?.size ?? 0;
  }

  add(one: One, address: string): void {
    const network = networkOf(address);
    this.#all.set(one, network);
    const neighbours = this.#from.get(network);
    if (neighbours) neighbours.add(one);
    else this.#from.set(network, new Set([one]));
  }

  delete(one: One): boolean {
    const network = this.#all.get(one);
    if (network === undefined) return false;
    this.#all.delete(one);
    const neighbours = this.#from.get(network)!; // it is one of them
    neighbours.delete(one);
    if (neighbours.size === 0) this.#from.delete(network);
    return true;
  }

  has(one: One): boolean {
    return this.#all.has(one);
  }

  /** `address`: of those who come from there. */
  oldest(address?: string): One | undefined {
    const among = address === undefined ? this.#all.keys() : this.#from.get(networkOf(address));
    for (const one of among ?? []) return one;
    return undefined;
  }

  [Symbol.iterator](): IterableIterator<One> {
    return this.#all.keys();
  }
}
