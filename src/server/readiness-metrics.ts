// What readiness adds to the metrics: whether work can be taken, and how far behind the records of calls are.

import { Gauge, type Registry } from "prom-client";
import type { CallDesk } from "../exchange/call-desk.ts";
import type { WatchedReadiness } from "./readiness.ts";

export function countReadiness(
  registry: Registry,
  readiness: WatchedReadiness,
  desk: Pick<CallDesk, "journalLagMs">,
): void {
  new Gauge({
    name: "santral_ready",
    help: "1 while new work can be taken, as /readyz says",
    registers: [registry],
    async collect() {
      this.set((await readiness.ask()).ready ? 1 : 0);
    },
  });
  new Gauge({
    name: "santral_journal_lag_seconds",
    help: "How long the record of a call that is over has waited to be written",
    registers: [registry],
    collect() {
      this.set(desk.journalLagMs() / 1_000);
    },
  });
}
