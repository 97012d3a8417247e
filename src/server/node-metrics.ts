// What being one of several nodes adds to the metrics: how many exchanges live here, whether we may act, and how often that
// was in doubt.

import { Gauge, type Registry } from "prom-client";
import type { ClusterNode } from "../cluster/node.ts";

const STATES = ["starting", "up", "draining", "doubtful", "over"] as const;

export function countNode(registry: Registry, node: ClusterNode): void {
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
}
