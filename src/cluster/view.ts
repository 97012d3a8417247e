// Nodes and exchanges as they were last looked at: who lives, and which exchange lives where.

import type { NodeRow, OwnedExchange } from "../store/nodes.ts";

export class View {
  readonly nodes: readonly NodeRow[];
  readonly exchanges: readonly OwnedExchange[];
  readonly #byId: Map<number, OwnedExchange>;
  readonly #byDomain: Map<string, OwnedExchange>;

  constructor(nodes: readonly NodeRow[] = [], exchanges: readonly OwnedExchange[] = []) {
    this.nodes = nodes;
    this.exchanges = exchanges;
    this.#byId = new Map(exchanges.map((it) => [it.id, it]));
    this.#byDomain = new Map(exchanges.map((it) => [it.sipDomain, it]));
  }

  idsOf(name: string): number[] {
    return this.exchanges.filter(({ node }) => node === name).map(({ id }) => id);
  }

  byDomain(sipDomain: string): OwnedExchange | undefined {
    return this.#byDomain.get(sipDomain.toLowerCase());
  }

  knows(exchangeId: number): boolean {
    return this.#byId.has(exchangeId);
  }

  /** The node that it lives on, if that lives and can be reached. */
  nodeWith(exchangeId: number): NodeRow | undefined {
    const owner = this.#byId.get(exchangeId)?.node;
    const node = this.nodes.find(({ name }) => name === owner);
    return node?.isAlive && node.url !== "" ? node : undefined;
  }
}
