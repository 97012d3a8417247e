// What being one of several nodes adds to the metrics: the node's name on every one of them, how many exchanges live here,
// whether we may act, how often that was in doubt, and what was taken over.

import { Counter, Gauge, type Registry } from "prom-client";
import type { ClusterNode } from "../cluster/node.ts";
import { programVersion } from "../places.ts";

const STATES = ["starting", "up", "draining", "doubtful", "over"] as const;

export function countNode(registry: Registry, node: ClusterNode): void {
  // Whoever adds the figures of several nodes up knows which is whose, whatever their addresses are.
  registry.setDefaultLabels({ node: node.name });
  new Gauge({
    name: "santral_node_info",
    help: "1, with the version of this node and the number of its life",
    labelNames: ["version", "life"],
    registers: [registry],
    collect() {
      this.reset();
      this.set({ version: programVersion(), life: node.counts().life }, 1);
    },
  });
  new Gauge({
    name: "santral_node_exchanges",
    help: "Exchanges that live on this node",
    registers: [registry],
    collect() {
      this.set(node.counts().exchanges);
    },
  });
  new Gauge({
    name: "santral_node_state",
    help: "1 for what the life of this node is at, 0 for the rest",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const state of STATES) this.set({ state }, node.counts().state === state ? 1 : 0);
    },
  });
  new Gauge({
    name: "santral_node_late_renewals",
    help: "Times since the start that the life of this node was renewed late",
    registers: [registry],
    collect() {
      this.set(node.counts().lateRenewals);
    },
  });
  countTally(registry, node);
}

function countTally(registry: Registry, { tally }: ClusterNode): void {
  counter("takeovers", "Exchanges that came to live here from another node, dead or draining", () => tally.takenOver);
  counter("calls_resumed", "Calls of exchanges that came here, and went on here", () => tally.callsResumed);
  counter("writes_refused", "Statements that a fence of the database turned away", () => tally.writesRefused);

  function counter(name: string, help: string, read: () => number): void {
    new Counter({
      name: `santral_node_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
