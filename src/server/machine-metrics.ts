// What state machines add to the metrics: inputs that came where their tables expect none. One is a mistake of ours, or
// of whoever sent it; the same one again and again is worth a look.

import { Counter, type Registry } from "prom-client";
import type { Log } from "../log.ts";
import type { ReportUnexpected } from "../machine.ts";

export function countUnexpected(registry: Registry, log: Log): ReportUnexpected {
  const counter = new Counter({
    name: "santral_unexpected_inputs_total",
    help: "Inputs that a state of a machine does not expect, since the start",
    labelNames: ["machine", "state", "input"],
    registers: [registry],
  });
  return (what) => {
    counter.inc(what);
    log.debug(what, "an input came that its state does not expect");
  };
}
