// The streams of one door as numbers: how many come from where, whether one more is too many, and a name for each.

import { randomBytes } from "node:crypto";
import { octetsOf } from "../../addresses.ts";
import type { Refused } from "./transport.ts";

export type CountLimits = { connections: number; connectionsPerSource: number };

export class StreamCount {
  readonly #kind: string;
  readonly #limits: CountLimits;
  readonly #perSource = new Map<string, number>();
  // Bindings outlive a restart; a name that came round again would lead to somebody else's phone.
  readonly #salt = randomBytes(6).toString("hex");
  #named = 0;
  #all = 0;

  constructor(kind: string, limits: CountLimits) {
    this.#kind = kind;
    this.#limits = limits;
  }

  nextName(): string {
    this.#named += 1;
    return `${this.#kind}-${this.#salt}-${this.#named}`;
  }

  refusalFor(address: string): Refused | undefined {
    if (this.#all >= this.#limits.connections) return "too-many-connections";
    return (this.#perSource.get(networkOf(address)) ?? 0) >= this.#limits.connectionsPerSource
      ? "too-many-from-source"
      : undefined;
  }

  add(address: string): void {
    this.#all += 1;
    const network = networkOf(address);
    this.#perSource.set(network, (this.#perSource.get(network) ?? 0) + 1);
  }

  remove(address: string): void {
    this.#all -= 1;
    const network = networkOf(address);
    const others = (this.#perSource.get(network) ?? 1) - 1;
    if (others > 0) this.#perSource.set(network, others);
    else this.#perSource.delete(network);
  }
}

/** Whoever has one address of IPv6 has its /64. */
export function networkOf(address: string): string {
  const octets = address.includes(":") ? octetsOf(address) : undefined;
  return octets?.length === 16 ? octets.slice(0, 8).join() : address;
}
