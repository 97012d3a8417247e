// Nodes and exchanges as they were last looked at: who lives, and which exchange lives where.

import type { NodeRow, OwnedExchange } from "../store/nodes.ts";

/** Where an exchange lives. `isDoubted`: its node may have died; `nowhere`: its node has died and nobody has it yet; `unknown`: there is no such exchange. */
export type Whereabouts =
  | { is: "here" }
  | { is: "there"; node: string; url: string; sip: string; isDoubted: boolean }
  | { is: "nowhere" }
  | { is: "unknown" };

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

  /** Those that live and can be reached. */
  others(me: string): NodeRow[] {
    return this.nodes.filter(({ name, isAlive, url }) => name !== me && isAlive && url !== "");
  }

  idsOf(name: string): number[] {
    return this.exchanges.filter(({ node }) => node === name).map(({ id }) => id);
  }

  byDomain(sipDomain: string): OwnedExchange | undefined {
    return this.#byDomain.get(sipDomain.toLowerCase());
  }

  /** How many of them lived somewhere before: the first owner of all has the first epoch. */
  ownedBefore(ids: readonly number[]): number {
    return ids.filter((id) => (this.#byId.get(id)?.epoch ?? 0) > 1).length;
  }

  /** Of one that does not live with us. */
  whereElse(exchangeId: number, me: string, isDoubted: (life: number) => boolean): Whereabouts {
    const owned = this.#byId.get(exchangeId);
    if (!owned) return { is: "unknown" };
    const node = this.nodes.find(({ name }) => name === owned.node);
    if (!node?.isAlive || node.name === me || node.url === "") return { is: "nowhere" };
    return { is: "there", node: node.name, url: node.url, sip: node.sip, isDoubted: isDoubted(node.life) };
  }
}
