// What is done for the exchanges in turn, in the metrics: how much is under way, waits, and was refused.

import { Gauge, type Registry } from "prom-client";
import { type FairTurns, type FairWork, type OpenTurns, openFairTurns } from "../fair-turns.ts";

export function countTurns(registry: Registry): OpenTurns {
  const lines = new Map<FairWork, FairTurns>();
  new Gauge({
    name: "santral_fair_turns",
    help: "Costly work that exchanges take turns at: running, waiting, and refused since the start for too much of one of them",
    labelNames: ["work", "what"],
    registers: [registry],
    collect() {
      for (const [work, line] of lines)
        for (const [what, count] of Object.entries(line.counts())) this.set({ work, what }, count);
    },
  });
  return (work, options) => {
    const line = openFairTurns(options);
    lines.set(work, line);
    return line;
  };
}
