// What lies on disk because the database could not be written, for who watches over it.

import { Gauge, type Registry } from "prom-client";
import type { Arrears, ArrearsState } from "../arrears/arrears.ts";

export function countArrears(registry: Registry, arrears: Pick<Arrears, "state">): void {
  gauge("santral_arrears_entries", "What lies on disk until the database can be written", (it) => it.entries);
  gauge("santral_arrears_bytes", "How large that is", (it) => it.bytes);
  gauge("santral_arrears_oldest_seconds", "How long the oldest of it has waited", ({ ageMs }) => ageMs / 1_000);
  gauge("santral_arrears_full", "1 while no more is taken, and new calls are refused", (it) => (it.isFull ? 1 : 0));

  function gauge(name: string, help: string, read: (state: ArrearsState) => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(arrears.state()));
      },
    });
  }
}
