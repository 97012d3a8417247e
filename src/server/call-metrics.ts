// What the call desk adds to the metrics: calls up, let in and turned away, and how late the machine is.

import { Gauge, type Registry } from "prom-client";
import { countMedia } from "./media-metrics.ts";
import type { Calls } from "./open-calls.ts";

export function countCalls(registry: Registry, { desk, web }: Pick<Calls, "desk" | "web">): void {
  const { live, gate } = desk;
  countMedia(registry, web);
  gauge("santral_calls_up", "Calls now", () => live.size);
  gauge("santral_calls_begun", "Calls let in since the start", () => gate().entered);
  gauge(
    "santral_calls_refused",
    "Calls refused since the start because more came than are carried",
    () => gate().refused,
  );
  gauge(
    "santral_call_delay_seconds",
    "How late the parts that calls wait for last answered",
    () => gate().delayMs / 1_000,
  );

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }
}
